import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { count } from '../log.ts'
import { type Change, type Clause, conditionExpression, Placeholders, updateExpression } from './expressions.ts'
import { jitter, pauseBeforeTry, poll, throwTranslated, Unavailable } from './failures.ts'
import { itemIn, refuseInPlace, storedItem } from './formats.ts'
import { indexAttribute, indexName, type Key, type Partition, type Stored } from './keys.ts'

// A request that hangs must fail while the caller still waits; the SDK's own timeout only warns without `throwOnRequestTimeout`.
const client = new DynamoDBClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 2000, requestTimeout: 3000, throwOnRequestTimeout: true },
})

type Attempted = { $metadata?: { attempts?: number } } | undefined

// The SDK retries by itself, and reports it only here.
const countRetries = (outcome: Attempted): void => {
  const attempts = outcome?.$metadata?.attempts ?? 1
  if (attempts > 1) count('Retries', attempts - 1)
}

client.middlewareStack.add(
  next => async given => {
    try {
      const result = await next(given)
      countRetries(result.output)
      return result
    } catch (error) {
      countRetries(error as Attempted)
      throw error
    }
  },
  { step: 'initialize', name: 'countRetries' },
)

/** The document client; for this folder only. */
export const tableClient = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })

/** The table's name. Read at each use, because tools learn it after they loaded this module. Throws if it is unknown. */
export const tableName = (): string => {
  const { TABLE_NAME } = process.env
  if (TABLE_NAME) return TABLE_NAME
  throw new Error('the environment variable TABLE_NAME is not set: it names the DynamoDB table')
}

const send: typeof tableClient.send = (command: never) => tableClient.send(command).catch(throwTranslated) as never

const optionalItem = <Item>(stored: Stored | undefined): Item | undefined => stored && itemIn<Item>(stored)

/** `eventual` allows an eventually consistent read, at half the cost. The default is strongly consistent. */
export type ReadOptions = { eventual?: boolean }

/** Reads an item. */
export const getItem = async <Item>(
  { pk, sk }: Key<Item>,
  { eventual }: ReadOptions = {},
): Promise<Item | undefined> => {
  const { Item } = await send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: !eventual }))
  return optionalItem<Item>(Item)
}

const textOf = ({ pk, sk }: Stored): string => `${pk}\n${sk}`

const batchTries = 6

const getBatch = async (keys: Stored[], { eventual }: ReadOptions, tried = 1): Promise<Stored[]> => {
  const request = { [tableName()]: { Keys: keys, ConsistentRead: !eventual } }
  const { Responses, UnprocessedKeys } = await send(new BatchGetCommand({ RequestItems: request }))
  // Stryker disable next-line OptionalChaining: Every answer of DynamoDB has it; the types do not know.
  // Stryker disable next-line ArrayDeclaration: A text has no key by which it could be found.
  const found = Responses?.[tableName()] ?? []
  // Stryker disable next-line OptionalChaining: Every answer of DynamoDB has it; the types do not know.
  const rest = UnprocessedKeys?.[tableName()]?.Keys ?? []
  if (rest.length === 0) return found
  if (tried === batchTries) throw new Unavailable('BatchGetItem left keys unprocessed')
  // Keys stay unprocessed when the table is throttled: asking at once would only be refused again.
  await pauseBeforeTry(tried)
  return [...found, ...(await getBatch(rest, { eventual }, tried + 1))]
}

type ItemsOf<Keys extends readonly Key[]> = {
  [Place in keyof Keys]: Keys[Place] extends Key<infer Item> ? Item | undefined : never
}

/** Reads many stored items, 100 a request; the result is in the order of the keys. */
const getStored = async (keys: readonly Key[], reading: ReadOptions = {}): Promise<(Stored | undefined)[]> => {
  const distinct = [...new Map(keys.map(({ pk, sk }) => [textOf({ pk, sk }), { pk, sk }])).values()]
  const batches = Array.from({ length: Math.ceil(distinct.length / 100) }, (_, n) =>
    distinct.slice(n * 100, n * 100 + 100),
  )
  const found = (await Promise.all(batches.map(batch => getBatch(batch, reading)))).flat()
  const byText = new Map(found.map(item => [textOf(item), item]))
  return keys.map(key => byText.get(textOf(key)))
}

/** Reads many items, 100 a request; the result is in the order of the keys. */
export const getItems = async <const Keys extends readonly Key[]>(
  keys: Keys,
  reading: ReadOptions = {},
): Promise<ItemsOf<Keys>> => (await getStored(keys, reading)).map(optionalItem) as ItemsOf<Keys>

/** Reads several groups of items in the same requests; each group's items are in the order of its keys. */
export const getItemGroups = async <const Groups extends Readonly<Record<string, readonly Key[]>>>(
  groups: Groups,
): Promise<{ [Name in keyof Groups]: ItemsOf<Groups[Name]> }> => {
  const items = await getItems(Object.values(groups).flat())
  let start = 0
  const taken = Object.entries(groups).map(([name, { length }]) => {
    start += length
    return [name, items.slice(start - length, start)] as const
  })
  return Object.fromEntries(taken) as never
}

const writtenTries = 12

/** Waits until no transaction is writing the items: other reads see it item by item. Throws Unavailable after some tries. */
export const untilWritten = (keys: readonly Key[]): Promise<unknown> => {
  const places = keys.map(({ pk, sk }) => ({ TableName: tableName(), Key: { pk, sk }, ProjectionExpression: 'pk' }))
  const command = new TransactGetCommand({ TransactItems: places.map(Get => ({ Get })) })
  const again = (error: Error, tried: number): undefined => {
    if (error.name !== 'TransactionCanceledException') throw error
    if (tried === writtenTries) throw new Unavailable('a transaction is not visible yet', { cause: error })
  }
  return poll(tried => send(command).catch(error => again(error, tried)), jitter)
}

/** A range of a partition: by sort key, or by the sort key in the table's index. */
export type KeyRange<Item> = ReadOptions & {
  pk: Partition<Item>
  indexed?: boolean
  above?: string
  prefix?: string
  between?: readonly [string, string]
  descending?: boolean
  limit?: number
}

/** An item with its sort key, and its sort key in the table's index. */
export type Entry<Item> = { item: Item; sk: string; index: string | undefined }

const rangeExpression = ({ pk, indexed, above, prefix, between }: KeyRange<unknown>, places: Placeholders): string => {
  const sort = () => places.name(indexed ? indexAttribute : 'sk')
  const partition = `${places.name('pk')} = ${places.value(pk)}`
  if (between) return `${partition} AND ${sort()} BETWEEN ${places.value(between[0])} AND ${places.value(between[1])}`
  if (prefix !== undefined) return `${partition} AND begins_with(${sort()}, ${places.value(prefix)})`
  if (above !== undefined) return `${partition} AND ${sort()} > ${places.value(above)}`
  return partition
}

const entryOf = <Item>(stored: Stored): Entry<Item> => {
  const index = stored[indexAttribute]
  return { item: itemIn<Item>(stored), sk: String(stored.sk), index: index === undefined ? undefined : String(index) }
}

/** Reads many items with their sort keys as getItems does. */
export const getEntries = async <Item>(keys: readonly Key<Item>[]): Promise<(Entry<Item> | undefined)[]> =>
  (await getStored(keys)).map(stored => stored && entryOf<Item>(stored))

/** Reads a range, one response of at most 1 MB after the other. */
export async function* queryPages<Item>(range: KeyRange<Item>): AsyncGenerator<Entry<Item>[]> {
  const places = new Placeholders()
  const condition = rangeExpression(range, places)
  let start: Stored | undefined
  let wanted = range.limit
  do {
    // Stryker disable next-line ArrayDeclaration: A range is always answered with a list; the types do not know.
    const { Items = [], LastEvaluatedKey } = await send(
      new QueryCommand({
        TableName: tableName(),
        ConsistentRead: !range.eventual,
        KeyConditionExpression: condition,
        ScanIndexForward: !range.descending,
        ExclusiveStartKey: start,
        ...(range.indexed && { IndexName: indexName }),
        ...(wanted && { Limit: wanted }),
        ...places.parameters(),
      }),
    )
    yield Items.map(entryOf<Item>)
    // Stryker disable next-line ConditionalExpression: Without a limit that makes NaN, which limits and ends as little
    // as undefined.
    if (wanted) wanted -= Items.length
    start = LastEvaluatedKey
  } while (start && wanted !== 0)
}

/** Reads a whole range with its sort keys; with `limit` just the first entries of it. */
export const queryEntries = async <Item>(range: KeyRange<Item>): Promise<Entry<Item>[]> => {
  const entries: Entry<Item>[] = []
  for await (const page of queryPages(range)) entries.push(...page)
  return entries
}

/** Reads the items of a whole range; with `limit` just the first items. */
export const query = async <Item>(range: KeyRange<Item>): Promise<Item[]> =>
  (await queryEntries(range)).map(({ item }) => item)

/** Counts the items of a partition, strongly consistent; with clauses only those that meet all of them. */
export const countItems = async <Item>(
  pk: Partition<Item>,
  when: readonly Clause<NoInfer<Item>>[] = [],
): Promise<number> => {
  const places = new Placeholders()
  const condition = rangeExpression({ pk }, places)
  const FilterExpression = conditionExpression(when, places)
  let counted = 0
  let start: Stored | undefined
  do {
    const { Count = 0, LastEvaluatedKey } = await send(
      new QueryCommand({
        TableName: tableName(),
        ConsistentRead: true,
        Select: 'COUNT',
        KeyConditionExpression: condition,
        ExclusiveStartKey: start,
        ...(FilterExpression && { FilterExpression }),
        ...places.parameters(),
      }),
    )
    counted += Count
    start = LastEvaluatedKey
  } while (start)
  return counted
}

/** Conditions of a put, and the item's sort key in the table's index. */
export type PutOptions<Item> = { when?: readonly Clause<Item>[]; index?: string | undefined }

/** Writes an item. Throws ConditionFailed, with the present item, if a clause is not met. */
export const putItem = async <Item>(
  key: Key<Item>,
  item: NoInfer<Item>,
  { when = [], index }: PutOptions<NoInfer<Item>> = {},
): Promise<void> => {
  const places = new Placeholders()
  const ConditionExpression = conditionExpression(when, places)
  await send(
    new PutCommand({
      TableName: tableName(),
      Item: storedItem<Item>(key, item, index),
      ...(ConditionExpression && { ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
      ...places.parameters(),
    }),
  )
}

/** Changes an item and returns it as it is then. Throws ConditionFailed, with the present item, if a clause is not met. */
export const updateItem = async <Item>(
  { pk, sk }: Key<Item>,
  change: NoInfer<Change<Item>>,
  when: readonly Clause<NoInfer<Item>>[] = [],
): Promise<Item> => {
  refuseInPlace({ pk, sk })
  const places = new Placeholders()
  const UpdateExpression = updateExpression(change, places)
  const ConditionExpression = conditionExpression(when, places)
  const { Attributes = {} } = await send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression,
      ReturnValues: 'ALL_NEW',
      ...(ConditionExpression && { ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
      ...places.parameters(),
    }),
  )
  return itemIn<Item>(Attributes)
}

/**
 * Deletes an item and returns what it was; undefined when there was none. Throws ConditionFailed, with the present item, when
 * a clause does not hold.
 */
export const deleteItem = async <Item>(
  { pk, sk }: Key<Item>,
  when: readonly Clause<NoInfer<Item>>[] = [],
): Promise<Item | undefined> => {
  const places = new Placeholders()
  const ConditionExpression = conditionExpression(when, places)
  const { Attributes } = await send(
    new DeleteCommand({
      TableName: tableName(),
      Key: { pk, sk },
      ReturnValues: 'ALL_OLD',
      ...(ConditionExpression && { ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
      ...places.parameters(),
    }),
  )
  return optionalItem<Item>(Attributes)
}
