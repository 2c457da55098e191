import type { Format } from '../../../shared/imports/format.ts'
import type { Plan } from '../../../shared/imports/plan.ts'
import { absent, equals } from '../../../shared/table/expressions.ts'
import { key, type MerchantId } from '../../../shared/table/keys.ts'
import { retrying } from '../../../shared/table/retry.ts'
import { getItem } from '../../../shared/table/table.ts'
import { type Action, put, transact } from '../../../shared/table/transact.ts'
import { Refused } from '../merchants.ts'
import { refusalText, viewOf } from './plan-report.ts'

/** Told how many of all rows are done. */
export type Progress = (done: number, total: number) => void

/** The id a new record shall have, if that one is still free. */
export type WantedId<Row> = (row: Row) => number | undefined

/** A plan that is to be carried out, on the state it was made from. */
export type Work<Row, Found, State> = { state: State; plan: Plan<Row, Found>; wantedId: WantedId<Row> }

/** A kind of records that files bring in and take out. */
export type Kind<Row extends object, Found, State> = {
  /** The plural: the word for it on the command line and the name of its version. */
  name: string
  /** How rows find their records, for the help. */
  keyed: string
  /** Whether a file is the whole list, so that what it leaves out goes. */
  isWholeList: boolean
  format: Format<Row>
  titleOf(one: Row | Found): string
  read(merchant: MerchantId): Promise<State>
  plan(state: State, rows: readonly Row[], lines?: readonly number[]): Plan<Row, Found>
  /** What carries a plan out; actions that belong together stand in one list. */
  actions(merchant: MerchantId, work: Work<Row, Found, State>, rows: readonly Row[]): Promise<Action[][]>
  /** All records as rows, and how many have none because nothing names them. */
  exported(state: State): { rows: Row[]; unnamed: number }
}

/** Options of an import. */
export type Importing<Row> = { progress?: Progress; wantedId?: WantedId<Row> }

// A transaction holds 100 actions and 4 MB: this many of the longest records are well below both.
const batchActions = 50

const batchesOf = (groups: readonly Action[][]): Action[][][] => {
  const batches: Action[][][] = []
  let room = 0
  for (const group of groups) {
    if (group.length > room) {
      batches.push([])
      room = batchActions
    }
    batches.at(-1)?.push(group)
    room -= group.length
  }
  return batches
}

const versionKey = (merchant: MerchantId, kind: string) => key('imports', { merchant, kind })

const readVersion = async (merchant: MerchantId, kind: string): Promise<number> =>
  (await getItem(versionKey(merchant, kind)))?.version ?? 0

const raise = (merchant: MerchantId, kind: string, seen: number): Action =>
  put(
    'version',
    versionKey(merchant, kind),
    { version: seen + 1 },
    { when: [seen === 0 ? absent : equals('version', seen)] },
  )

const importOnce = async <Row extends object, Found, State>(
  merchant: MerchantId,
  kind: Kind<Row, Found, State>,
  rows: readonly Row[],
  { progress = () => {}, wantedId = () => undefined }: Importing<Row>,
): Promise<void> => {
  // The version comes first: what another import changes after it, the writes will notice.
  let version = await readVersion(merchant, kind.name)
  const state = await kind.read(merchant)
  const plan = kind.plan(state, rows)
  if (plan.refusals.length > 0) throw new Refused(refusalText(viewOf(plan, kind.titleOf, kind.isWholeList)))
  const groups = await kind.actions(merchant, { state, plan, wantedId }, rows)
  let done = Math.max(0, rows.length - groups.length)
  for (const batch of batchesOf(groups)) {
    progress(done, rows.length)
    await transact([raise(merchant, kind.name, version), ...batch.flat()])
    version += 1
    done += batch.length
  }
  progress(rows.length, rows.length)
}

const manyTries = 60

/**
 * Brings a merchant's records of one kind to what the rows say, in transactions. Each raises the kind's version, so of
 * two imports at once one always sees what the other has written: no record is added twice. It may be stopped at any
 * time and run again. Throws Refused, with nothing written, when a row cannot be taken.
 */
export const importRecords = <Row extends object, Found, State>(
  merchant: MerchantId,
  kind: Kind<Row, Found, State>,
  rows: readonly Row[],
  options: Importing<Row> = {},
): Promise<void> =>
  retrying(
    () => importOnce(merchant, kind, rows, options),
    () => true,
    manyTries,
  )

/** Imports the rows whose records are missing; what is there already stays as it is. */
export const importMissing = async <Row extends object, Found, State>(
  merchant: MerchantId,
  kind: Kind<Row, Found, State>,
  rows: readonly Row[],
  options: Importing<Row> = {},
): Promise<void> => {
  const { additions } = kind.plan(await kind.read(merchant), rows)
  if (additions.length > 0) await importRecords(merchant, kind, additions, options)
}
