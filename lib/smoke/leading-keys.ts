import { absent } from '../../shared/platform/table/expressions.ts'
import { TransactionRefused } from '../../shared/platform/table/failures.ts'
import type { Key } from '../../shared/platform/table/keys.ts'
import { deleteItem, putItem } from '../../shared/platform/table/table.ts'
import { type Action, check, put, transact } from '../../shared/platform/table/transact.ts'

/** How IAM evaluates conditions on leading keys inside a transaction. */
export type Verdict = 'per action' | 'over all items together' | 'not evaluated'

/** The requests of the test; all reject with an error named AccessDeniedException if IAM denies them. */
export type Table = {
  put(key: Key): Promise<void>
  transact(actions: readonly Action[]): Promise<void>
  remove(key: Key): Promise<unknown>
}

/** The credentials have fewer or more rights than the policy, so the result would mean nothing. */
export class CannotTell extends Error {}

type Probe = { expires: number }

// Not an item kind of the service: only this test writes them, and they expire within an hour.
const placeOf = (pk: string): Key<Probe> => ({ pk, sk: 'smoke' })
const [allowed, other] = [placeOf('smoke#allowed'), placeOf('smoke#other')]

const onKeys = (actions: readonly string[], keys: readonly Key[], table: string) => ({
  Effect: 'Allow',
  Action: actions.map(action => `dynamodb:${action}`),
  Resource: `arn:aws:dynamodb:*:*:table/${table}`,
  Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys.map(({ pk }) => pk) } },
})

/**
 * The policy of the credentials for the test. Like the stack's own policies it has a statement a verb: the keys that may
 * be put are not those that may be checked.
 */
export const policyFor = (table: string) => ({
  Version: '2012-10-17',
  Statement: [
    onKeys(['PutItem'], [allowed], table),
    onKeys(['ConditionCheckItem'], [other], table),
    onKeys(['DeleteItem'], [allowed, other], table),
  ],
})

const isDenied = (error: unknown): boolean =>
  error instanceof TransactionRefused
    ? Object.values(error.reasons).some(code => /^AccessDenied/.test(code))
    : (error as Error).name === 'AccessDeniedException'

const probe = (): Probe => ({ expires: Math.floor(Date.now() / 1000) + 3600 })
const putProbe = (key: Key<Probe>): Action => put('put', key, probe())
const checkAbsent = (key: Key<Probe>): Action => check('check', key, [absent])

/** Tests IAM with credentials that have the policy of policyFor. Rejects with CannotTell, or as the table does. */
export const askLeadingKeys = async (table: Table): Promise<Verdict> => {
  const isAllowed = async (act: () => Promise<void>): Promise<boolean> => {
    try {
      await act()
      return true
    } catch (error) {
      if (isDenied(error)) return false
      throw error
    } finally {
      // The next transaction checks that the items do not exist.
      for (const key of [allowed, other]) await table.remove(key).catch(() => {})
    }
  }
  const together = (...actions: Action[]) => isAllowed(() => table.transact(actions))
  if (!(await isAllowed(() => table.put(allowed))))
    throw new CannotTell('the credentials may not put smoke#allowed; they need the printed policy')
  if (await isAllowed(() => table.put(other)))
    throw new CannotTell('the credentials may put smoke#other as well; they must have the printed policy alone')
  if ((await together(putProbe(other))) || (await together(putProbe(other), checkAbsent(allowed))))
    return 'not evaluated'
  return (await together(putProbe(allowed), checkAbsent(other))) ? 'per action' : 'over all items together'
}

const what: Record<Verdict, string> = {
  'per action':
    'each action of a transaction is checked against the keys that its own statement allows; nothing has to be done',
  'over all items together':
    'every statement is checked against the keys of all items of a transaction; the statements of a function have to be merged before the deployment (bin/README.md, Smoke)',
  'not evaluated':
    'conditions on leading keys do not apply inside transactions: there a function that may write one kind of item may write any (bin/README.md, Smoke)',
}

/** A verdict as a sentence. */
export const sentenceOf = (verdict: Verdict): string =>
  `LeadingKeys in TransactWriteItems: ${verdict}: ${what[verdict]}`

const isAws = (endpoint: string): boolean => /(^|\.)amazonaws\.com(\.cn)?$/.test(URL.parse(endpoint)?.hostname ?? '')

/** The endpoint that replaces DynamoDB, where there is no IAM; undefined on AWS. */
export const localEndpoint = ({
  DYNAMODB_ENDPOINT,
  AWS_ENDPOINT_URL_DYNAMODB,
  AWS_ENDPOINT_URL,
}: NodeJS.ProcessEnv): string | undefined => {
  const endpoint = DYNAMODB_ENDPOINT || AWS_ENDPOINT_URL_DYNAMODB || AWS_ENDPOINT_URL
  return endpoint && !isAws(endpoint) ? endpoint : undefined
}

/** The table of the environment. */
export const realTable: Table = {
  put: key => putItem(key, probe()),
  transact: actions => transact(actions),
  remove: key => deleteItem(key),
}
