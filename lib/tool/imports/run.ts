import { raiseFrom } from '../../../shared/catalogue/record-versions.ts'
import { Problem } from '../../../shared/contract/errors.ts'
import { pauseBeforeTry, TransactionRefused } from '../../../shared/platform/table/failures.ts'
import type { MerchantId } from '../../../shared/platform/table/keys.ts'
import { type Action, transact } from '../../../shared/platform/table/transact.ts'
import { batchesOf } from '../../../shared/values/batches.ts'
import { Refused } from '../merchants.ts'
import { emptyPlan, type Plan, refusalText, viewOf } from './plan.ts'
import type { Format } from './rows.ts'

/** Reports how many of all rows are done. */
export type Progress = (done: number, total: number) => void

/** A plan and the state from which it was made. */
type Work<Row, Found, State> = { state: State; plan: Plan<Row, Found>; rows: readonly Row[] }

/** A kind of records in files: `Row` is a line of a file, `Found` a record, `State` everything that rows are compared with. */
export type Kind<Row extends object, Found, State> = {
  /** The plural: the word on the command line and the key of its version. */
  name: string
  /** How a row identifies its record, for the help. */
  keyed: string
  /** True if a file is the whole list, so that missing records are deleted. */
  isWholeList?: true
  format: Format<Row>
  titleOf(one: Row | Found): string
  /** Reads the state, incrementally from the previous state where possible. */
  read(merchant: MerchantId, before?: State): Promise<State>
  plan(state: State, rows: readonly Row[], lines?: readonly number[]): Plan<Row, Found>
  /** Carries out a plan in transactions; yields the number of records that each wrote. Throws TransactionRefused on a conflict. */
  writes(merchant: MerchantId, work: Work<Row, Found, State>): AsyncIterable<number>
  /** A warning about a row that is imported nevertheless. */
  warningOf?(row: Row): string | undefined
  /** All records as rows, and the number of those that no row can refer to. */
  exportRows(state: State): { rows: Row[]; leftOut: number }
}

// A transaction holds 100 actions and 4 MB; this many records of the maximum 100 KB stay below both.
const batchActions = 36

/**
 * Writes groups of actions in transactions that each raise the kind's version from the value read before the records, so
 * that concurrent imports never add a record twice. Yields the number of groups that each transaction wrote.
 */
export async function* inVersions(
  merchant: MerchantId,
  kind: string,
  seen: number,
  groups: readonly Action[][],
): AsyncGenerator<number> {
  let version = seen
  for (const batch of batchesOf(groups, batchActions, group => group.length)) {
    const actions = batch.flat()
    await transact([raiseFrom(merchant, kind, version, actions), ...actions])
    version += 1
    yield batch.length
  }
}

/** With `onlyMissing`, existing records stay unchanged. */
type ImportOptions = { progress?: Progress | undefined; onlyMissing?: boolean }

const maxFruitlessRounds = 60

/**
 * Adds and changes a merchant's records of one kind as the rows say, in transactions. It may be stopped and run again.
 * After a conflict it reads again and continues; throws TransactionRefused after many rounds without progress. Throws
 * Refused, and writes nothing, if a row is refused.
 */
export const importRecords = async <Row extends object, Found, State>(
  merchant: MerchantId,
  kind: Kind<Row, Found, State>,
  rows: readonly Row[],
  { progress = () => {}, onlyMissing = false }: ImportOptions = {},
): Promise<void> => {
  let fruitless = 0
  let state: State | undefined
  for (;;) {
    state = await kind.read(merchant, state)
    const whole = kind.plan(state, rows)
    const plan = onlyMissing ? { ...emptyPlan<Row, Found>(), additions: whole.additions } : whole
    if (plan.refusals.length > 0) throw new Refused(refusalText(viewOf(plan, kind.titleOf, kind.isWholeList)))
    try {
      let done = plan.unchanged
      progress(done, rows.length)
      for await (const count of kind.writes(merchant, { state, plan, rows })) {
        fruitless = 0
        done += count
        progress(Math.min(done, rows.length), rows.length)
      }
      progress(rows.length, rows.length)
      return
    } catch (error) {
      if (error instanceof Problem && error.word === 'quota_exceeded') throw new Refused(error.message)
      if (!(error instanceof TransactionRefused) || ++fruitless === maxFruitlessRounds) throw error
      await pauseBeforeTry(fruitless)
    }
  }
}

/** Adds missing records by name; true if there were any. */
export const addMissing = async <Found extends { name: string }, State>(
  merchant: MerchantId,
  kind: Kind<{ name: string }, Found, State>,
  present: readonly Found[],
  names: readonly string[],
): Promise<boolean> => {
  const known = new Set(present.map(({ name }) => name))
  const missing = [...new Set(names)].filter(name => !known.has(name))
  if (missing.length === 0) return false
  await importRecords(
    merchant,
    kind,
    missing.map(name => ({ name })),
  )
  return true
}
