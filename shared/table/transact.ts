import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { type Change, type Clause, changeOf, conditionOf, Placeholders } from './expressions.ts'
import { TransactionRefused, translated } from './failures.ts'
import type { Key } from './keys.ts'
import { documents, type Item, tableName } from './table.ts'

/** One action of a transaction; the name tells its reason apart when the transaction is refused. */
export type Action = { name: string; key: Key; when?: readonly Clause[] } & (
  | { put: Item }
  | { update: Change }
  | { remove: true }
  | { check: true }
)

type Wire = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

const wireOf = (action: Action): Wire => {
  const places = new Placeholders()
  const UpdateExpression = 'update' in action ? changeOf(action.update, places) : ''
  const ConditionExpression = conditionOf(action.when ?? [], places)
  const common = {
    TableName: tableName(),
    ...(ConditionExpression && { ConditionExpression }),
    ...places.parameters(),
  }
  if ('put' in action) return { Put: { ...common, Item: { ...action.put, ...action.key } } }
  if ('update' in action) return { Update: { ...common, Key: action.key, UpdateExpression } }
  if ('remove' in action) return { Delete: { ...common, Key: action.key } }
  return { ConditionCheck: { ...common, Key: action.key, ConditionExpression: ConditionExpression ?? '' } }
}

const refusal = (error: TransactionCanceledException, actions: readonly Action[]): TransactionRefused =>
  new TransactionRefused(
    Object.fromEntries(actions.map(({ name }, n) => [name, error.CancellationReasons?.[n]?.Code ?? 'None'])),
  )

/**
 * Writes all actions or none. `token` (at most 36 characters) makes a repeat within ten minutes the same write.
 * Throws TransactionRefused with a reason per action, or Unavailable when the outcome is unknown.
 */
export const transact = async (actions: readonly Action[], token?: string): Promise<void> => {
  const command = new TransactWriteCommand({
    TransactItems: actions.map(wireOf),
    ...(token && { ClientRequestToken: token }),
  })
  await documents.send(command).catch((error: Error) => {
    if (error.name === 'TransactionCanceledException') throw refusal(error as TransactionCanceledException, actions)
    return translated(error)
  })
}

const pause = (milliseconds: number) => new Promise(done => setTimeout(done, milliseconds))

/**
 * Runs a read-and-transact attempt again, with full jitter from 20 to 640 ms, while `again` says that the refusal was
 * only contention; the attempt reads afresh each time.
 */
export const retrying = async <T>(
  attempt: () => Promise<T>,
  again: (error: TransactionRefused) => boolean | Promise<boolean>,
  tries = 12,
): Promise<T> => {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TransactionRefused) || n === tries || !(await again(error))) throw error
      await pause(Math.random() * Math.min(640, 20 * 2 ** (n - 1)))
    }
  }
}
