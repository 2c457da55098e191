import { AsyncLocalStorage } from 'node:async_hooks'
import type { ItemKind } from '../../shared/contract/item-kinds.ts'
import type { Route, Verb } from '../../shared/contract/route.ts'
import { permissionsOf } from '../../shared/contract/routes/sign-in.ts'
import { keyTable, leadingKeys } from '../../shared/platform/table/keys.ts'
import { tableClient } from '../../shared/platform/table/table.ts'

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
  Get: 'get',
  Put: 'put',
  Update: 'update',
  Delete: 'delete',
  ConditionCheck: 'check',
}

const patterns = (Object.keys(keyTable) as ItemKind[]).map(kind => ({
  kind,
  // A star of IAM matches anything.
  pattern: new RegExp(`^${leadingKeys(kind).replaceAll('*', '.*')}$`),
}))

/** All kinds of items in the partition. */
const kindsIn = (pk: string): ItemKind[] => patterns.filter(({ pattern }) => pattern.test(pk)).map(({ kind }) => kind)

const partitionOf = ({ Key, Item }: Keyed): string => (Key ?? Item)?.pk ?? ''

/** The partitions that a request accesses, with the verbs. */
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

type Permissions = Route['permissions']
type Asked = { commandName?: string | undefined; input: unknown }

/** Returns the rights that a request to the table needs and some permissions lack: kind and verb each. */
const refused = (permissions: readonly Permissions[], { commandName = '', input }: Asked): string[] =>
  touched(commandName, input as Input).flatMap(([verb, pk]) => {
    const kinds = kindsIn(pk)
    const isAllowed = permissions.some(some => kinds.some(kind => some[kind]?.includes(verb)))
    return isAllowed ? [] : [`${kinds.join(' or ')} ${verb}`]
  })

/**
 * Returns the rights that work uses and a route or job does not declare: AWS and the twin check them against the template,
 * this checks them against the declaration.
 */
export const missingRights = async (permissions: Permissions, work: () => Promise<unknown>): Promise<string[]> => {
  const missing = new Set<string>()
  const name = 'used-rights'
  tableClient.middlewareStack.add(
    (next, { commandName }) =>
      args => {
        for (const right of refused([permissions], { commandName, input: args.input })) missing.add(right)
        return next(args)
      },
    { step: 'initialize', name, priority: 'high' },
  )
  await work().finally(() => tableClient.middlewareStack.remove(name))
  return [...missing].sort()
}

const serving = new AsyncLocalStorage<Route>()

/** Serves a request with the rights of its route; see holdRights. */
export const withRights = <T>(route: Route, serve: () => T): T => serving.run(route, serve)

/** The route that serves the current request; undefined outside one. */
export const servedRoute = (): Route | undefined => serving.getStore()

/** Runs a test's own calls in the middle of a request. */
export const asOperator = <T>(act: () => T): T => serving.exit(act)

/** From now on a request is denied undeclared rights, as by IAM. */
export const holdRights = (): void => {
  tableClient.middlewareStack.add(
    (next, { commandName }) =>
      args => {
        const route = servedRoute()
        const [right] = route ? refused(permissionsOf(route), { commandName, input: args.input }) : []
        if (!route || !right) return next(args)
        const message = `${route.path} does not declare the right ${right}`
        process.stderr.write(`${message}\n`)
        throw Object.assign(new Error(message), { name: 'AccessDeniedException' })
      },
    { step: 'initialize', name: 'held-rights', priority: 'low' },
  )
}
