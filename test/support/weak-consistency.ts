import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Ask, Reply } from '../../lib/twin/dynamodb/proxy.ts'
import type { StreamDelivery } from '../../lib/twin/dynamodb/stream.ts'
import { indexAttribute, indexName } from '../../shared/platform/table/keys.ts'

/** As streams and Lambda may deliver: late, some batches twice, and in order only within each partition. */
export const weakDelivery: StreamDelivery = {
  shards: 3,
  isLate: () => Math.random() < 0.6,
  times: () => (Math.random() < 0.5 ? 2 : 1),
}

type Attributes = Record<string, { S?: string }>
type Write = { TableName: string; Key?: Attributes; Item?: Attributes }
type Query = {
  TableName: string
  IndexName?: string
  KeyConditionExpression: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Attributes
  ExclusiveStartKey?: Attributes
  ScanIndexForward?: boolean
  Limit?: number
  Select?: string
}
type QueryReply = { Items: Attributes[]; Count: number; LastEvaluatedKey?: Attributes }

/** An item that a transaction has changed, with its previous version, if there was one. */
type Hidden = { table: string; pk: string; before: Attributes | undefined }

// Most items of a transaction show soon, some late: by then another transaction may be through.
const soonMs = 4
const longestMs = 120
const lateShare = 0.3
const delay = (): number => Math.random() * (Math.random() < lateShare ? longestMs : soonMs)

const indexKeys: Record<string, string> = { [indexName]: indexAttribute }

const placeOf = (table: string, { pk, sk }: Attributes): string => `${table}\n${pk?.S}\n${sk?.S}`

const parsed = <T>({ body }: Reply): T => JSON.parse(body.toString()) as T

const withBody = ({ status, headers }: Reply, body: object): Reply => {
  // They are about the body as it was.
  const { 'content-length': _, 'x-amz-crc32': __, 'transfer-encoding': ___, ...others } = headers
  return { status, headers: others, body: Buffer.from(JSON.stringify(body)) }
}

/** Returns a test for sort keys by the second part of a key condition, in the forms that the service writes. */
const sortTest = ({
  KeyConditionExpression: text,
  ExpressionAttributeValues: values = {},
}: Query): ((sort: string) => boolean) => {
  const value = (name = '') => values[name]?.S ?? ''
  const [, above] = /AND #\w+ > (:\w+)$/.exec(text) ?? []
  if (above) return sort => sort > value(above)
  const [, from, to] = /AND #\w+ BETWEEN (:\w+) AND (:\w+)$/.exec(text) ?? []
  if (from) return sort => sort >= value(from) && sort <= value(to)
  const [, start] = /AND begins_with\(#\w+, (:\w+)\)$/.exec(text) ?? []
  if (start) return sort => sort.startsWith(value(start))
  if (/^#\w+ = :\w+$/.test(text)) return () => true
  throw new Error(`the weakly consistent twin does not know the key condition ${text}`)
}

/** Returns a query's answer with the previous versions of hidden items, in their order. */
const asBefore = (query: Query, reply: QueryReply, hidden: ReadonlyMap<string, Hidden>): QueryReply => {
  const { TableName, IndexName = '', ScanIndexForward: isForward = true, ExclusiveStartKey, Limit } = query
  const attribute = indexKeys[IndexName] ?? 'sk'
  const sortOf = (item: Attributes) => item[attribute]?.S ?? ''
  const [, pkName = ''] = /= (:\w+)/.exec(query.KeyConditionExpression) ?? []
  const pk = query.ExpressionAttributeValues?.[pkName]?.S
  const isAsked = sortTest(query)
  const isAfter = (one: string, other: string) => (isForward ? one > other : one < other)
  const isOnPage = (sort: string): boolean =>
    !(ExclusiveStartKey && !isAfter(sort, sortOf(ExclusiveStartKey))) &&
    !(reply.LastEvaluatedKey && isAfter(sort, sortOf(reply.LastEvaluatedKey)))
  const old = [...hidden.values()].flatMap(({ table, pk: its, before }) =>
    before && table === TableName && its === pk && before[attribute] ? [before] : [],
  )
  const items = [
    ...reply.Items.filter(item => !hidden.has(placeOf(TableName, item))),
    ...old.filter(item => isAsked(sortOf(item)) && isOnPage(sortOf(item))),
  ].sort((a, b) => (isAfter(sortOf(a), sortOf(b)) ? 1 : -1))
  const last = Limit ? items[Limit - 1] : undefined
  if (!Limit || items.length <= Limit || !last) return { ...reply, Items: items, Count: items.length }
  const { pk: lastPk = {}, sk = {}, [attribute]: sort = {} } = last
  return { Items: items.slice(0, Limit), Count: Limit, LastEvaluatedKey: { pk: lastPk, sk, [attribute]: sort } }
}

/**
 * Reads that are committed but not serializable, as DynamoDB's: while a transaction is being written, its items become
 * visible one after another, in any order. The writer is answered when all of them are visible. Other writers of its items
 * wait, a TransactGetItems of one that is not visible yet is refused; queries that only count see everything immediately.
 */
export const weaklyConsistentReads = (): Answer => {
  const hidden = new Map<string, Hidden>()
  /** Items that are being written, until they are visible. */
  const busy = new Map<string, Promise<void>>()

  const take = async (places: readonly string[]): Promise<Map<string, () => void>> => {
    for (let others = places.map(place => busy.get(place)); others.some(Boolean); ) {
      await Promise.all(others)
      others = places.map(place => busy.get(place))
    }
    return new Map(
      places.map(place => {
        const { promise, resolve } = Promise.withResolvers<void>()
        busy.set(place, promise)
        const free = () => {
          // An item that became visible early may be written by another request by now.
          if (busy.get(place) !== promise) return
          hidden.delete(place)
          busy.delete(place)
          resolve()
        }
        return [place, free]
      }),
    )
  }

  const hide = async (writes: readonly Write[], ask: Ask): Promise<void> => {
    const [{ TableName: table } = { TableName: '' }] = writes
    const Keys = writes.map(({ Key, Item }) => ({ pk: (Key ?? Item)?.pk, sk: (Key ?? Item)?.sk }))
    const { Responses } = parsed<{ Responses: Record<string, Attributes[]> }>(
      await ask('BatchGetItem', { RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
    )
    const before = new Map((Responses[table] ?? []).map(item => [placeOf(table, item), item]))
    for (const key of Keys) {
      const place = placeOf(table, key as Attributes)
      hidden.set(place, { table, pk: key.pk?.S ?? '', before: before.get(place) })
    }
  }

  const write = async (writes: readonly Write[], send: () => Promise<Reply>, ask?: Ask): Promise<Reply> => {
    const places = writes.map(({ TableName, Key, Item }) => placeOf(TableName, Key ?? Item ?? {}))
    const taken = await take([...new Set(places)])
    try {
      if (ask) await hide(writes, ask)
      const reply = await send()
      if (ask && reply.status === 200) await Promise.all([...taken.values()].map(showLater))
      return reply
    } finally {
      for (const free of taken.values()) free()
    }
  }

  const showLater = async (free: () => void): Promise<void> => {
    await pause(delay())
    free()
  }

  const transact = (request: { TransactItems: Record<string, Write>[] }, ask: Ask): Promise<Reply> => {
    const writes = request.TransactItems.flatMap(({ Put, Update, Delete }) => Put ?? Update ?? Delete ?? [])
    return write(writes, () => ask('TransactWriteItems', request), ask)
  }

  const query = async (request: Query, ask: Ask): Promise<Reply> => {
    const reply = await ask('Query', request)
    if (reply.status !== 200 || request.Select === 'COUNT' || hidden.size === 0) return reply
    return withBody(reply, asBefore(request, parsed<QueryReply>(reply), hidden))
  }

  const get = async (request: { TableName: string; Key: Attributes }, ask: Ask): Promise<Reply> => {
    const reply = await ask('GetItem', request)
    const old = hidden.get(placeOf(request.TableName, request.Key))
    return old && reply.status === 200 ? withBody(reply, old.before ? { Item: old.before } : {}) : reply
  }

  const batchGet = async (
    request: { RequestItems: Record<string, { Keys: Attributes[] }> },
    ask: Ask,
  ): Promise<Reply> => {
    const reply = await ask('BatchGetItem', request)
    if (reply.status !== 200 || hidden.size === 0) return reply
    const { Responses, ...others } = parsed<{ Responses: Record<string, Attributes[]> }>(reply)
    const shown = Object.entries(request.RequestItems).map(([table, { Keys }]) => {
      const now = (Responses[table] ?? []).filter(item => !hidden.has(placeOf(table, item)))
      const before = Keys.flatMap(key => hidden.get(placeOf(table, key))?.before ?? [])
      return [table, [...now, ...before]]
    })
    return withBody(reply, { Responses: Object.fromEntries(shown), ...others })
  }

  const transactGet = async (request: { TransactItems: { Get: Write }[] }, ask: Ask): Promise<Reply> => {
    const reasons = request.TransactItems.map(({ Get: { TableName, Key = {} } }) => ({
      Code: busy.has(placeOf(TableName, Key)) ? 'TransactionConflict' : 'None',
    }))
    if (reasons.every(({ Code }) => Code === 'None')) return ask('TransactGetItems', request)
    const refusal = {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
      CancellationReasons: reasons,
    }
    const headers = { 'content-type': 'application/x-amz-json-1.0' }
    return { status: 400, headers, body: Buffer.from(JSON.stringify(refusal)) }
  }

  return (operation, request, ask) => {
    const asked = request as never
    if (operation === 'TransactWriteItems') return transact(asked, ask)
    if (operation === 'TransactGetItems') return transactGet(asked, ask)
    if (operation === 'Query') return query(asked, ask)
    if (operation === 'GetItem') return get(asked, ask)
    if (operation === 'BatchGetItem') return batchGet(asked, ask)
    const send = () => ask(operation, request)
    return /^(Put|Update|Delete)Item$/.test(operation) ? write([asked], send) : send()
  }
}
