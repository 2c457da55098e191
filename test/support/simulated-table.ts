import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { tableClient, tableName } from '../../shared/platform/table/table.ts'
import { seededRandom } from './seeded-random.ts'

// DynamoDB's limits in virtual time: what a rush of orders costs and takes does not depend on the machine. The code that
// is measured is the real one; its own computing takes no time here.

/** The latency of requests in milliseconds, and the capacity of a partition key for each second, with so many seconds of burst. */
export const limits = { read: 5, write: 6, transaction: 16, locked: 8, wcu: 1000, rcu: 3000, burst: 3 }

type Item = Record<string, unknown>
type Place = { pk: string; sk: string }
type Expressions = {
  ConditionExpression?: string
  UpdateExpression?: string
  KeyConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, unknown>
}
type Write = Expressions & { Key?: Place; Item?: Item & Place }
type Input = Write & {
  RequestItems?: Record<string, { Keys: Place[] }>
  TransactItems?: Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Write>>[]
  Limit?: number
}
type Output = Record<string, unknown>

/** A request's sender; one that is dead hears of nothing any more. */
export type Sender = { isDead: boolean }

const textOf = ({ pk, sk }: Place): string => `${pk}\n${sk}`
const placeOf = ({ Key, Item }: Write): Place => (Key ?? Item) as Place
const bytesOf = (item: Item | undefined): number =>
  Object.entries(item ?? {}).reduce(
    (sum, [name, value]) =>
      sum + name.length + (value instanceof Uint8Array ? value.length : Buffer.byteLength(JSON.stringify(value) ?? '')),
    0,
  )
const unitsOf = (bytes: number, each: number): number => Math.max(1, Math.ceil(bytes / each))

const failure = (name: string, more: object = {}): Error => Object.assign(new Error(name), { name, ...more })

const holdsTerm = (term: string, item: Item | undefined, { names, values }: Placeholders): boolean => {
  const [, call, of = ''] = /^(\w+)\((#n\d+)\)$/.exec(term) ?? []
  const left = item?.[names[of] ?? '']
  if (call === 'attribute_exists') return left !== undefined
  if (call === 'attribute_not_exists') return left === undefined
  const [, name = '', is, value = ''] = /^(#n\d+) (<>|<=|>=|=|<|>) (:v\d+)$/.exec(term) ?? []
  const [a, b] = [item?.[names[name] ?? ''], values[value]] as [number, number]
  if (is === undefined) throw new Error(`the simulation does not know ${term}`)
  if (is === '<>') return a !== b
  if (a === undefined) return false
  return { '=': a === b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[is] === true
}

type Placeholders = { names: Record<string, string>; values: Record<string, unknown> }
const namedOf = ({ ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: Expressions) => ({
  names,
  values,
})

/** True if a condition of expressions.ts is true: terms joined by AND, some of them groups joined by OR. */
const holds = (expression: string | undefined, item: Item | undefined, named: Placeholders): boolean =>
  (expression?.split(' AND ') ?? []).every(term => {
    const any = term.startsWith('(') ? term.slice(1, -1).split(' OR ') : [term]
    return any.some(one => holdsTerm(one, item, named))
  })

const updated = (item: Item, expression: string, { names, values }: Placeholders): Item => {
  const after = { ...item }
  for (const [, verb, terms = ''] of expression.matchAll(/(SET|REMOVE|ADD) (.*?)(?= SET | REMOVE | ADD |$)/g)) {
    for (const term of terms.split(', ')) {
      const [name = '', value = ''] = term.split(/ = | /)
      const attribute = names[name] ?? ''
      if (verb === 'REMOVE') delete after[attribute]
      else if (verb === 'SET') after[attribute] = values[value]
      else after[attribute] = Number(after[attribute] ?? 0) + Number(values[value])
    }
  }
  return after
}

/** From now on this process has a table of its own, and a clock that only moves on when nobody can do anything. */
export const simulateTable = () => {
  process.env.TABLE_NAME = 'simulated'
  const kept = { now: Date.now, random: Math.random, pause: timers.setTimeout }
  let now = Date.UTC(2026, 4, 1, 12)
  const events: { at: number; go: () => void }[] = []
  const pause = (ms: number) =>
    new Promise<void>(go => {
      const at = now + Math.max(0, ms)
      const later = events.findIndex(one => one.at > at)
      events.splice(later < 0 ? events.length : later, 0, { at, go })
    })
  Date.now = () => Math.floor(now)
  Math.random = seededRandom().random
  timers.setTimeout = pause as never
  syncBuiltinESMExports()

  const stored = new Map<string, Map<string, Item>>()
  const locked = new Set<string>()
  const saved = new Map<string, { left: number; at: number }>()
  const senders = new AsyncLocalStorage<Sender>()
  const meter = { wcu: 0, rcu: 0, transactions: 0, throttled: 0 }
  const table = {
    meter,
    /** Called when a request of a sender takes effect. */
    atRequest: (_name: string, _text: string, _sender: Sender | undefined): void => {},
    /** Begins at a time that is to come, as a sender of its own. */
    at: <T>(ms: number, act: () => Promise<T>): Promise<T> =>
      senders.run({ isDead: false }, async () => {
        await pause(ms)
        return act()
      }),
    now: () => now,
    /** Lets time pass until some work is done. */
    until: async <T>(work: Promise<T>): Promise<T> => {
      let isOver = false
      const over = () => {
        isOver = true
      }
      work.then(over, over)
      for (;;) {
        await new Promise(setImmediate)
        if (isOver) return work
        const next = events.shift()
        if (!next) throw new Error('every process waits for another')
        now = next.at
        next.go()
      }
    },
    end: () => {
      Date.now = kept.now
      Math.random = kept.random
      timers.setTimeout = kept.pause
      syncBuiltinESMExports()
      tableClient.middlewareStack.remove('simulated')
    },
  }

  const at = ({ pk, sk }: Place): Item | undefined => stored.get(pk)?.get(sk)
  const write = (place: Place, item: Item | undefined) => {
    const part = stored.get(place.pk) ?? new Map<string, Item>()
    stored.set(place.pk, part)
    if (item) part.set(place.sk, item)
    else part.delete(place.sk)
  }

  /** Takes units of a partition key; false where it has none left. */
  const take = (kind: 'wcu' | 'rcu', pk: string, units: number): boolean => {
    const most = limits[kind] * limits.burst
    const known = saved.get(`${kind} ${pk}`) ?? { left: most, at: now }
    const left = Math.min(most, known.left + ((now - known.at) / 1000) * limits[kind])
    const isThere = left > 0
    saved.set(`${kind} ${pk}`, { left: isThere ? left - units : left, at: now })
    if (isThere) meter[kind] += units
    else meter.throttled++
    return isThere
  }

  const after = (one: Write, isDelete: boolean): Item | undefined => {
    const place = placeOf(one)
    if (isDelete) return undefined
    if (one.UpdateExpression) return updated({ ...(at(place) ?? place) }, one.UpdateExpression, namedOf(one))
    return one.Item ? structuredClone(one.Item) : at(place)
  }
  const wcuOf = (one: Write, isDelete: boolean): number => {
    const [before, then] = [at(placeOf(one)), after(one, isDelete)]
    const units = unitsOf(Math.max(bytesOf(before), bytesOf(then)), 1024)
    return before?.lsi1sk || then?.lsi1sk ? 2 * units : units
  }

  const readAll = (places: readonly Place[]): [Item[], Place[]] => {
    const left: Place[] = []
    const found = places.flatMap(place => {
      const item = at(place)
      if (take('rcu', place.pk, unitsOf(bytesOf(item), 4096))) return item ? [{ ...item }] : []
      left.push(place)
      return []
    })
    return [found, left]
  }

  const query = (input: Input): Output => {
    const named = namedOf(input)
    const pk = String(named.values[':v0'])
    const items = [...(stored.get(pk)?.values() ?? [])]
      .filter(item => holds(input.KeyConditionExpression, item, named))
      .sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1))
    const Items = items.slice(0, input.Limit)
    const bytes = Items.reduce((sum, item) => sum + bytesOf(item), 0)
    if (!take('rcu', pk, unitsOf(bytes, 4096))) throw failure('ProvisionedThroughputExceededException')
    return { Items, Count: Items.length }
  }

  const writeOne = (name: string, input: Input): Output => {
    const place = placeOf(input)
    const [isDelete, before] = [name === 'DeleteItemCommand', at(place)]
    if (locked.has(textOf(place))) throw failure('TransactionConflictException')
    if (!take('wcu', place.pk, wcuOf(input, isDelete))) throw failure('ProvisionedThroughputExceededException')
    if (!holds(input.ConditionExpression, before, namedOf(input))) throw failure('ConditionalCheckFailedException')
    write(place, after(input, isDelete))
    return { Attributes: isDelete ? before : at(place) }
  }

  const transact = async ({ TransactItems = [] }: Input): Promise<Output> => {
    const all = TransactItems.flatMap(one =>
      Object.entries(one).map(([verb, request]) => ({ verb, request, place: placeOf(request) })),
    )
    const canceled = (codes: string[]) =>
      failure('TransactionCanceledException', { CancellationReasons: codes.map(Code => ({ Code })) })
    const refuse = (is: (one: (typeof all)[number]) => boolean, code: string) => {
      const codes = all.map(one => (is(one) ? code : 'None'))
      if (codes.includes(code)) throw canceled(codes)
    }
    meter.transactions++
    const costs = Map.groupBy(all, ({ place }) => place.pk)
    const empty = [...costs].filter(
      ([pk, some]) =>
        !take('wcu', pk, 2 * some.reduce((sum, { request, verb }) => sum + wcuOf(request, verb === 'Delete'), 0)),
    )
    refuse(({ place }) => empty.some(([pk]) => pk === place.pk), 'ThrottlingError')
    refuse(({ place }) => locked.has(textOf(place)), 'TransactionConflict')
    refuse(
      ({ request, place }) => !holds(request.ConditionExpression, at(place), namedOf(request)),
      'ConditionalCheckFailed',
    )
    for (const { place } of all) locked.add(textOf(place))
    await pause(limits.locked)
    for (const { verb, request, place } of all) {
      locked.delete(textOf(place))
      if (verb !== 'ConditionCheck') write(place, after(request, verb === 'Delete'))
    }
    return {}
  }

  const once = async (name: string, input: Input): Promise<Output> => {
    const isTransaction = name.startsWith('TransactWrite')
    const takes = isTransaction
      ? limits.transaction - limits.locked
      : /Get|Query/.test(name)
        ? limits.read
        : limits.write
    await pause(takes / 2)
    const sender = senders.getStore()
    if (sender?.isDead) return new Promise(() => {})
    try {
      if (isTransaction) return await transact(input)
      if (name === 'QueryCommand') return query(input)
      if (name === 'GetItemCommand') {
        const [[Item], [left]] = readAll([placeOf(input)])
        if (left) throw failure('ProvisionedThroughputExceededException')
        return { Item }
      }
      if (name !== 'BatchGetItemCommand') return writeOne(name, input)
      const [found, left] = readAll(input.RequestItems?.[tableName()]?.Keys ?? [])
      const UnprocessedKeys = left.length > 0 ? { [tableName()]: { Keys: left } } : {}
      return { Responses: { [tableName()]: found }, UnprocessedKeys }
    } finally {
      table.atRequest(name, JSON.stringify(input), sender)
      await pause(takes / 2)
      if (sender?.isDead) await new Promise(() => {})
    }
  }

  /** As the SDK tries: three times where it is throttled. */
  const sent = async (name: string, input: Input, tried = 1): Promise<Output> => {
    try {
      return await once(name, input)
    } catch (error) {
      if ((error as Error).name !== 'ProvisionedThroughputExceededException' || tried === 3) throw error
      await pause(Math.random() * 500 * 2 ** (tried - 1))
      return sent(name, input, tried + 1)
    }
  }

  tableClient.middlewareStack.add(
    (_, { commandName = '' }) =>
      async ({ input }) => {
        const output = await sent(commandName, input as Input)
        return { output: { $metadata: {}, ...output }, response: undefined } as never
      },
    { step: 'initialize', priority: 'high', name: 'simulated' },
  )
  return table
}
