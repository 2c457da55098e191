import { Problem } from '../../../shared/contract/errors.ts'
import { absent, equals } from '../../../shared/platform/table/expressions.ts'
import { pauseBeforeTry, TransactionRefused } from '../../../shared/platform/table/failures.ts'
import { key, type MerchantId } from '../../../shared/platform/table/keys.ts'
import { getItem } from '../../../shared/platform/table/table.ts'
import { type Action, put, transact } from '../../../shared/platform/table/transact.ts'
import { batchesOf } from '../../../shared/values/batches.ts'
import { Refused } from '../merchants.ts'
import { type Plan, refusalText, viewOf } from './plan.ts'
import type { Format } from './rows.ts'

/** Told how many of all rows are done. */
export type Progress = (done: number, total: number) => void

/** The id a new record shall have, if that one is still free. */
type WantedId<Row> = (row: Row) => number | undefined

/** A plan that is to be carried out, on the state it was made from. */
type Work<Row, Found, State> = {
  state: State
  plan: Plan<Row, Found>
  rows: readonly Row[]
  wantedId: WantedId<Row>
}

/** A kind of records that files bring in and take out: `Row` is a line of a file, `Found` a record, `State` all there is. */
export type Kind<Row extends object, Found, State> = {
  /** The plural: the word for it on the command line and the name of its version. */
  name: string
  /** How rows find their records, for the help. */
  keyed: string
  /** Whether a file is the whole list, so that what it leaves out goes. */
  isWholeList: boolean
  format: Format<Row>
  titleOf(one: Row | Found): string
  /** Reads what rows are compared with; what was read before may spare some of it. */
  read(merchant: MerchantId, before?: State): Promise<State>
  plan(state: State, rows: readonly Row[], lines?: readonly number[]): Plan<Row, Found>
  /** Carries a plan out, in transactions; gives the number of records each has written. Throws TransactionRefused when somebody else was first. */
  writes(merchant: MerchantId, work: Work<Row, Found, State>): AsyncIterable<number>
  /** What a person should know of a row that is imported all the same. */
  warningOf?(row: Row): string | undefined
  /** All records as rows, and how many have none because nothing names them. */
  exported(state: State): { rows: Row[]; unnamed: number }
}

const versionKey = (merchant: MerchantId, kind: string) => key('imports', { merchant, kind })

/** The version of a kind of records: every import that writes raises it. */
export const readVersion = async (merchant: MerchantId, kind: string): Promise<number> =>
  (await getItem(versionKey(merchant, kind)))?.version ?? 0

const raise = (merchant: MerchantId, kind: string, seen: number): Action =>
  put(
    'version',
    versionKey(merchant, kind),
    { version: seen + 1 },
    { when: [seen === 0 ? absent : equals('version', seen)] },
  )

// A transaction holds 100 actions and 4 MB: this many of the longest records, of 100 KB, stay below both.
const batchActions = 36

/**
 * Writes in transactions that each raise the kind's version from what was seen before the records were read: of two
 * imports at once one always sees what the other has written, so no record is added twice. Actions that belong together
 * stand in one list; gives the number of lists each transaction has written.
 */
export async function* inVersions(
  merchant: MerchantId,
  kind: string,
  seen: number,
  groups: readonly Action[][],
): AsyncGenerator<number> {
  let version = seen
  for (const batch of batchesOf(groups, batchActions, group => group.length)) {
    await transact([raise(merchant, kind, version), ...batch.flat()])
    version += 1
    yield batch.length
  }
}

/** Options of an import. */
export type ImportOptions<Row> = { progress?: Progress | undefined; wantedId?: WantedId<Row> }

const fruitlessRounds = 60

/**
 * Brings a merchant's records of one kind to what the rows say, in transactions. It may be stopped at any time and run
 * again: what is there already is not written a second time. When others write meanwhile, it reads anew and goes on; it
 * gives up, with TransactionRefused, after many rounds in which it could write nothing. Throws Refused, with nothing
 * written, when a row cannot be taken.
 */
export const importRecords = async <Row extends object, Found, State>(
  merchant: MerchantId,
  kind: Kind<Row, Found, State>,
  rows: readonly Row[],
  { progress = () => {}, wantedId = () => undefined }: ImportOptions<Row> = {},
): Promise<void> => {
  let fruitless = 0
  let state: State | undefined
  for (;;) {
    state = await kind.read(merchant, state)
    const plan = kind.plan(state, rows)
    if (plan.refusals.length > 0) throw new Refused(refusalText(viewOf(plan, kind.titleOf, kind.isWholeList)))
    try {
      let done = plan.unchanged
      progress(done, rows.length)
      for await (const count of kind.writes(merchant, { state, plan, rows, wantedId })) {
        fruitless = 0
        done += count
        progress(Math.min(done, rows.length), rows.length)
      }
      progress(rows.length, rows.length)
      return
    } catch (error) {
      if (error instanceof Problem && error.word === 'quota_exceeded') throw new Refused(error.message)
      if (!(error instanceof TransactionRefused) || ++fruitless === fruitlessRounds) throw error
      await pauseBeforeTry(fruitless)
    }
  }
}

/** A kind's records after those that are named and were missing have been added; a name is all there is to say of them. */
export const withMissing = async <Found extends { name: string }, State>(
  merchant: MerchantId,
  kind: Kind<{ name: string }, Found, State>,
  present: readonly Found[],
  names: readonly string[],
  read: (merchant: MerchantId) => Promise<Found[]>,
): Promise<readonly Found[]> => {
  const known = new Set(present.map(({ name }) => name))
  const missing = [...new Set(names)].filter(name => !known.has(name))
  if (missing.length === 0) return present
  await importRecords(
    merchant,
    kind,
    missing.map(name => ({ name })),
  )
  return read(merchant)
}

/** Imports the rows whose records are missing; what is there already stays as it is. */
export const importMissing = async <Row extends object, Found, State>(
  merchant: MerchantId,
  kind: Kind<Row, Found, State>,
  rows: readonly Row[],
  options: ImportOptions<Row> = {},
): Promise<void> => {
  const { additions } = kind.plan(await kind.read(merchant), rows)
  if (additions.length > 0) await importRecords(merchant, kind, additions, options)
}
