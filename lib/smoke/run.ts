import { fallback, routes } from '../../shared/contract/routes/index.ts'
import { Difference, Missing } from './compare.ts'
import { lastSteps, steps } from './steps.ts'
import { type Step, Walk, type WalkOptions } from './walk.ts'

/** One line of the table; `wrong` is the difference, null if there is none. */
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

// An unexpected error of a step comes from an answer; the other steps run all the same.
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

/** Returns a row for each route that was neither called nor reported. */
const notWalked = ({ walked }: Walk, reported: ReadonlySet<string>): Row[] =>
  routes
    .filter(({ path }) => !walked.has(path) && !reported.has(path))
    .map(({ path }) => ({
      route: path,
      does: '',
      statuses: [],
      ms: 0,
      wrong: 'the route was not walked',
      remark: '',
    }))

/** Runs the last steps in any case; a step that had nothing to do has no line. */
const cleanUp = async (walk: Walk, report: (row: Row) => void): Promise<void> => {
  walk.ignoreInterrupt()
  for (const one of lastSteps) {
    const { calls } = walk
    const row = await rowOf(walk, one)
    if (row.wrong || walk.calls > calls) report(row)
  }
}

/**
 * Walks every route of a stage, and cleans up what it wrote, also after `signal` has aborted. Resolves with the sums; a
 * route that was not walked is a difference.
 */
export const runSmoke = async ({ onRow, ...options }: RunOptions): Promise<Result> => {
  const walk = new Walk(options)
  const reported = new Set<string>()
  let differences = 0
  const report = (row: Row): void => {
    if (row.wrong) {
      differences++
      reported.add(row.route)
    }
    onRow(row)
  }
  for (const one of steps) {
    const row = await rowOf(walk, one, options.signal)
    report(row)
    if (row.wrong === interrupted) break
  }
  await cleanUp(walk, report)
  for (const row of notWalked(walk, reported)) report(row)
  const found = [...walk.walked].filter(path => path !== fallback.path)
  return { routes: found.length, calls: walk.calls, differences, left: walk.left }
}
