import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { type Change, type Clause, changeOf, conditionOf, Placeholders } from './expressions.ts'
import { ConditionFailed, translated, Unavailable } from './failures.ts'
import type { Key } from './keys.ts'

/** An item's attributes beside its key. */
export type Item = Record<string, unknown>

// A request that hangs must fail while the caller still waits; the SDK's own timeout only warns unless told to throw.
const client = new DynamoDBClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 2000, requestTimeout: 3000, throwOnRequestTimeout: true },
})

/** The document client; for this folder only. */
export const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })

/** The table's name. Read at each use, for tools learn it after they loaded this module. */
export const tableName = (): string => process.env.TABLE_NAME ?? ''

const send: typeof documents.send = (command: never) => documents.send(command).catch(translated) as never

/** Reads one item, strongly consistent. */
export const getItem = async <T extends Item>(key: Key): Promise<(T & Key) | undefined> => {
  const { Item } = await send(new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }))
  return Item as (T & Key) | undefined
}

const textOf = (key: Key): string => `${key.pk}\n${key.sk}`

const getBatch = async (keys: readonly Key[], tries = 4): Promise<(Item & Key)[]> => {
  const request = { [tableName()]: { Keys: keys.map(({ pk, sk }) => ({ pk, sk })), ConsistentRead: true } }
  const { Responses, UnprocessedKeys } = await send(new BatchGetCommand({ RequestItems: request }))
  const found = (Responses?.[tableName()] ?? []) as (Item & Key)[]
  const rest = UnprocessedKeys?.[tableName()]?.Keys as Key[] | undefined
  if (!rest?.length) return found
  if (tries === 0) throw new Unavailable('BatchGetItem left keys unprocessed')
  return [...found, ...(await getBatch(rest, tries - 1))]
}

/** Reads many items, strongly consistent, 100 a request; the answer stands in the order of the keys. */
export const getItems = async <T extends Item>(keys: readonly Key[]): Promise<((T & Key) | undefined)[]> => {
  const distinct = [...new Map(keys.map(key => [textOf(key), key])).values()]
  const batches = Array.from({ length: Math.ceil(distinct.length / 100) }, (_, n) =>
    distinct.slice(n * 100, n * 100 + 100),
  )
  const found = (await Promise.all(batches.map(batch => getBatch(batch)))).flat()
  const byText = new Map(found.map(item => [textOf(item), item]))
  return keys.map(key => byText.get(textOf(key)) as (T & Key) | undefined)
}

/** A range of one partition: by sort key, or by the index `by-order`. */
export type KeyRange = {
  pk: string
  index?: 'by-order'
  above?: string
  prefix?: string
  between?: readonly [string, string]
  descending?: boolean
  limit?: number
}

const rangeOf = ({ pk, index, above, prefix, between }: KeyRange, places: Placeholders): string => {
  const sort = () => places.name(index ? 'by' : 'sk')
  const partition = `${places.name('pk')} = ${places.value(pk)}`
  if (between) return `${partition} AND ${sort()} BETWEEN ${places.value(between[0])} AND ${places.value(between[1])}`
  if (prefix !== undefined) return `${partition} AND begins_with(${sort()}, ${places.value(prefix)})`
  if (above !== undefined) return `${partition} AND ${sort()} > ${places.value(above)}`
  return partition
}

/** Reads a range, strongly consistent, one answer of at most 1 MB after the other. */
export async function* queryPages<T extends Item>(range: KeyRange): AsyncGenerator<(T & Key)[]> {
  const places = new Placeholders()
  const condition = rangeOf(range, places)
  let start: Record<string, unknown> | undefined
  let wanted = range.limit
  do {
    const { Items = [], LastEvaluatedKey } = await send(
      new QueryCommand({
        TableName: tableName(),
        ConsistentRead: true,
        KeyConditionExpression: condition,
        ScanIndexForward: !range.descending,
        ExclusiveStartKey: start,
        ...(range.index && { IndexName: range.index }),
        ...(wanted && { Limit: wanted }),
        ...places.parameters(),
      }),
    )
    yield Items as (T & Key)[]
    if (wanted) wanted -= Items.length
    start = LastEvaluatedKey
  } while (start && wanted !== 0)
}

/** Reads a whole range; with `limit` just the first items of it. */
export const query = async <T extends Item>(range: KeyRange): Promise<(T & Key)[]> => {
  const items: (T & Key)[] = []
  for await (const page of queryPages<T>(range)) items.push(...page)
  return items
}

/** Writes an item. Throws ConditionFailed, with the present item, when a clause does not hold. */
export const putItem = async (key: Key, item: Item, clauses: readonly Clause[] = []): Promise<void> => {
  const places = new Placeholders()
  const ConditionExpression = conditionOf(clauses, places)
  await send(
    new PutCommand({
      TableName: tableName(),
      Item: { ...item, ...key },
      ...(ConditionExpression && { ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
      ...places.parameters(),
    }),
  )
}

/** Changes an item and answers it as it is then. Throws ConditionFailed, with the present item, when a clause does not hold. */
export const updateItem = async <T extends Item>(
  key: Key,
  change: Change,
  clauses: readonly Clause[] = [],
): Promise<T & Key> => {
  const places = new Placeholders()
  const UpdateExpression = changeOf(change, places)
  const ConditionExpression = conditionOf(clauses, places)
  const { Attributes } = await send(
    new UpdateCommand({
      TableName: tableName(),
      Key: key,
      UpdateExpression,
      ReturnValues: 'ALL_NEW',
      ...(ConditionExpression && { ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
      ...places.parameters(),
    }),
  )
  return Attributes as T & Key
}

/** Deletes an item and answers what it was; undefined when there was none. */
export const deleteItem = async <T extends Item>(key: Key): Promise<(T & Key) | undefined> => {
  const { Attributes } = await send(new DeleteCommand({ TableName: tableName(), Key: key, ReturnValues: 'ALL_OLD' }))
  return Attributes as (T & Key) | undefined
}

export { ConditionFailed, Unavailable }
