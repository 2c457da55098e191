import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { count } from '../log.ts'
import { type Change, type Clause, conditionExpression, Placeholders, updateExpression } from './expressions.ts'
import { isTooLarge, TooLarge, TransactionRefused, throwTranslated } from './failures.ts'
import { refuseInPlace, storedItem } from './formats.ts'
import type { Key } from './keys.ts'
import { type PutOptions, tableClient, tableName } from './table.ts'

/** The limit of a DynamoDB transaction. */
export const maxActions = 100

type Request = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** An action of a transaction; the name identifies its reason when the transaction is refused. */
export type Action = { name: string; key: Key; request: () => Request }

const conditionOf = <Item>(when: readonly Clause<Item>[], places: Placeholders) => {
  const ConditionExpression = conditionExpression(when, places)
  return { TableName: tableName(), ...(ConditionExpression && { ConditionExpression }), ...places.parameters() }
}

export const put = <Item>(
  name: string,
  key: Key<Item>,
  item: NoInfer<Item>,
  { when = [], index }: PutOptions<NoInfer<Item>> = {},
): Action => ({
  name,
  key,
  request: () => ({ Put: { ...conditionOf(when, new Placeholders()), Item: storedItem<Item>(key, item, index) } }),
})

export const update = <Item>(
  name: string,
  key: Key<Item>,
  change: NoInfer<Change<Item>>,
  when: readonly Clause<NoInfer<Item>>[] = [],
): Action => ({
  name,
  key,
  request: () => {
    refuseInPlace(key)
    const places = new Placeholders()
    const UpdateExpression = updateExpression(change, places)
    return { Update: { ...conditionOf(when, places), Key: { pk: key.pk, sk: key.sk }, UpdateExpression } }
  },
})

export const remove = <Item>(name: string, key: Key<Item>, when: readonly Clause<NoInfer<Item>>[] = []): Action => ({
  name,
  key,
  request: () => ({ Delete: { ...conditionOf(when, new Placeholders()), Key: { pk: key.pk, sk: key.sk } } }),
})

/** Checks the clauses without a write. */
export const check = <Item>(name: string, key: Key<Item>, when: readonly Clause<NoInfer<Item>>[]): Action => ({
  name,
  key,
  request: () => {
    // Stryker disable next-line StringLiteral: The types ask for it; nothing is checked without a clause.
    const { ConditionExpression = '', ...rest } = conditionOf(when, new Placeholders())
    return { ConditionCheck: { ...rest, ConditionExpression, Key: { pk: key.pk, sk: key.sk } } }
  },
})

const refusal = (
  {
    // Stryker disable next-line ArrayDeclaration: A cancelled transaction always has reasons; the types do not know.
    CancellationReasons: reasons = [],
  }: TransactionCanceledException,
  actions: readonly Action[],
): TransactionRefused | TooLarge => {
  if (reasons.some(({ Code, Message }) => Code === 'ValidationError' && isTooLarge(Message))) return new TooLarge()
  if (reasons.some(({ Code }) => Code === 'TransactionConflict')) count('Conflicts')
  return new TransactionRefused(Object.fromEntries(actions.map(({ name }, n) => [name, reasons[n]?.Code ?? 'None'])))
}

/**
 * Writes all actions or none. `token` (at most 36 characters) makes a repeat within ten minutes the same write.
 * Throws TransactionRefused with a reason per action, TooLarge, or Unavailable when the outcome is unknown.
 */
export const transact = async (actions: readonly Action[], token?: string): Promise<void> => {
  const command = new TransactWriteCommand({
    TransactItems: actions.map(({ request }) => request()),
    ...(token && { ClientRequestToken: token }),
  })
  await tableClient.send(command).catch((error: Error) => {
    if (error.name === 'TransactionCanceledException') throw refusal(error as TransactionCanceledException, actions)
    return throwTranslated(error)
  })
}
