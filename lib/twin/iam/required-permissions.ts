import type { RequestedAction } from './policy.ts'

type Attributes = Record<string, { S?: string }>
type Placeholders = { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Attributes }
type Keyed = { TableName: string; Key?: Attributes; Item?: Attributes }

export type DynamoRequest = Partial<Keyed> &
  Placeholders & {
    IndexName?: string
    KeyConditionExpression?: string
    RequestItems?: Record<
      string,
      { Keys?: Attributes[] } | { PutRequest?: { Item: Attributes }; DeleteRequest?: { Key: Attributes } }[]
    >
    TransactItems?: Record<string, Keyed>[]
  }

const hashKey = 'pk'

const leadingKey = ({ Key, Item }: { Key?: Attributes; Item?: Attributes }): string => (Key ?? Item)?.[hashKey]?.S ?? ''

/** The partition a query reads: the value its key condition holds the partition key equal to. */
const queriedKey = (request: DynamoRequest): string => {
  const {
    KeyConditionExpression = '',
    ExpressionAttributeNames: names = {},
    ExpressionAttributeValues: values = {},
  } = request
  for (const [, name = '', value = ''] of KeyConditionExpression.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)) {
    if ((names[name] ?? name) === hashKey) return values[value]?.S ?? ''
  }
  return ''
}

const transactActions: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
}

const batchKeys = (entry: NonNullable<DynamoRequest['RequestItems']>[string]): string[] =>
  Array.isArray(entry)
    ? entry.map(({ PutRequest, DeleteRequest }) => leadingKey(PutRequest ?? DeleteRequest ?? {}))
    : (entry.Keys ?? []).map(key => leadingKey({ Key: key }))

/**
 * Returns the actions that IAM must allow for a request: one an item of a transaction, one for a batch as a whole; a query
 * of an index is an action on the index. No document says which leading keys IAM sees with an action of a transaction:
 * its own, or, with `together`, those of all items.
 */
export const requestedActions = (
  operation: string,
  request: DynamoRequest,
  arnOf: (table: string) => string,
  together = false,
): RequestedAction[] => {
  const action = (name: string, resource: string, keys: string[]): RequestedAction => ({
    action: `dynamodb:${name}`,
    resource,
    context: { 'dynamodb:LeadingKeys': keys },
  })
  if (request.TransactItems) {
    const items = request.TransactItems.flatMap(entry => Object.entries(entry))
    const all = items.map(([, one]) => leadingKey(one))
    return items.map(([kind, one]) =>
      action(transactActions[kind] ?? kind, arnOf(one.TableName), together ? all : [leadingKey(one)]),
    )
  }
  if (request.RequestItems) {
    return Object.entries(request.RequestItems).map(([table, entry]) =>
      action(operation, arnOf(table), batchKeys(entry)),
    )
  }
  const table = arnOf(request.TableName ?? '')
  if (operation === 'Query') {
    return [action('Query', request.IndexName ? `${table}/index/${request.IndexName}` : table, [queriedKey(request)])]
  }
  return [action(operation, table, request.Key || request.Item ? [leadingKey(request)] : [])]
}
