import type { Verb } from '../../shared/contract/route.ts'
import { type ItemKind, keyTable, leadingKeys } from '../../shared/table/keys.ts'
import { documents } from '../../shared/table/table.ts'

type Keyed = { Key?: { pk: string }; Item?: { pk: string } }
type Input = Keyed & {
  IndexName?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, unknown>
  RequestItems?: Record<string, { Keys: { pk: string }[] }>
  TransactItems?: Partial<Record<string, Keyed>>[]
}

const singles: Record<string, Verb> = {
  GetItemCommand: 'get',
  PutItemCommand: 'put',
  UpdateItemCommand: 'update',
  DeleteItemCommand: 'delete',
  Put: 'put',
  Update: 'update',
  Delete: 'delete',
  ConditionCheck: 'check',
}

const patterns = (Object.keys(keyTable) as ItemKind[]).map(kind => ({
  kind,
  pattern: new RegExp(`^${leadingKeys(kind).replaceAll('*', '[^#]+')}$`),
}))

/** All kinds that stand in the partition. */
const kindsIn = (pk: string): ItemKind[] => patterns.filter(({ pattern }) => pattern.test(pk)).map(({ kind }) => kind)

const partitionOf = ({ Key, Item }: Keyed): string => (Key ?? Item)?.pk ?? ''

/** The partitions a request touches, and how. */
const touched = (command: string, input: Input): [Verb, string][] => {
  if (input.TransactItems) {
    return input.TransactItems.flatMap(entry =>
      Object.entries(entry).map(([name, one]): [Verb, string] => [singles[name] as Verb, partitionOf(one ?? {})]),
    )
  }
  if (input.RequestItems) {
    return Object.values(input.RequestItems).flatMap(({ Keys }) =>
      Keys.map(({ pk }): [Verb, string] => ['batchGet', pk]),
    )
  }
  if (command !== 'QueryCommand') return [[singles[command] as Verb, partitionOf(input)]]
  const pk = Object.values(input.ExpressionAttributeValues ?? {})[0]
  return [[input.IndexName ? 'queryIndex' : 'query', String(pk)]]
}

/**
 * What work needs and a route or job does not declare, as IAM would refuse it: what AWS and the twin hold against the
 * template, held against the declaration in this process.
 */
export const missingRights = async (
  permissions: Partial<Record<ItemKind, readonly Verb[]>>,
  work: () => Promise<unknown>,
): Promise<string[]> => {
  const missing = new Set<string>()
  const name = 'used-rights'
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      args => {
        for (const [verb, pk] of touched(commandName, args.input as Input)) {
          const kinds = kindsIn(pk)
          if (!kinds.some(kind => permissions[kind]?.includes(verb))) missing.add(`${kinds.join(' or ')} ${verb}`)
        }
        return next(args)
      },
    { step: 'initialize', name, priority: 'high' },
  )
  await work().finally(() => documents.middlewareStack.remove(name))
  return [...missing].sort()
}
