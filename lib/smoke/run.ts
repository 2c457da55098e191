import { fallback, routes } from '../../shared/contract/index.ts'
import { Difference, Missing } from './compare.ts'
import type { Step } from './step.ts'
import { lastSteps, steps } from './steps/index.ts'
import { Walk, type WalkOptions } from './walk.ts'

/** One line of the table: `wrong` is what differs, null where nothing does. */
export type Row = {
  route: string
  does: string
  statuses: readonly number[]
  ms: number
  wrong: string | null
  remark: string
}

export type Result = { routes: number; calls: number; differences: number; left: readonly string[] }

export type RunOptions = WalkOptions & {
  /** Called with each line as soon as it is known. */
  onRow(row: Row): void
}

const interrupted = 'interrupted'

// Whatever a step cannot cope with came with an answer, and the others are to be walked all the same.
const wrongIn = (error: unknown): string => {
  if (error instanceof Difference || error instanceof Missing) return error.message
  return String(error)
}

const rowOf = async (walk: Walk, { route, does, walk: go }: Step, signal?: AbortSignal): Promise<Row> => {
  walk.statuses.clear()
  walk.ms = 0
  let [wrong, remark]: [string | null, string] = [null, '']
  try {
    signal?.throwIfAborted()
    remark = (await go(walk)) || ''
  } catch (error) {
    wrong = signal?.aborted ? interrupted : wrongIn(error)
  }
  return { route, does, statuses: [...walk.statuses], ms: walk.ms, wrong, remark }
}

/** A row for each route that was neither called nor has a row that says why not. */
const notWalked = ({ walked }: Walk, told: ReadonlySet<string>): Row[] =>
  routes
    .filter(({ path }) => !walked.has(path) && !told.has(path))
    .map(({ path }) => ({
      route: path,
      does: '',
      statuses: [],
      ms: 0,
      wrong: 'the route was not walked',
      remark: '',
    }))

/** Walks the last steps, whatever has happened; what was never written needs no line. */
const cleanUp = async (walk: Walk, tell: (row: Row) => void): Promise<void> => {
  walk.goOn()
  for (const one of lastSteps) {
    const { calls } = walk
    const row = await rowOf(walk, one)
    if (row.wrong || walk.calls > calls) tell(row)
  }
}

/**
 * Walks every route of a stage, and cleans up what it wrote, also after `signal` has aborted. Resolves with the sums; a
 * route that was not walked is a difference.
 */
export const runSmoke = async ({ onRow, ...options }: RunOptions): Promise<Result> => {
  const walk = new Walk(options)
  const told = new Set<string>()
  let differences = 0
  const tell = (row: Row): void => {
    if (row.wrong) {
      differences++
      told.add(row.route)
    }
    onRow(row)
  }
  for (const one of steps) {
    const row = await rowOf(walk, one, options.signal)
    tell(row)
    if (row.wrong === interrupted) break
  }
  await cleanUp(walk, tell)
  for (const row of notWalked(walk, told)) tell(row)
  const found = [...walk.walked].filter(path => path !== fallback.path)
  return { routes: found.length, calls: walk.calls, differences, left: walk.left }
}
