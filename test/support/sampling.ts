import { isUpdating } from './golden-file.ts'

/** True if all cases run, as in `npm run test:long` and the mutation run, and where golden files are rewritten. */
export const runsAllCases = isUpdating || process.env.OUTCOMES === 'all'

/** The number of repetitions: a few, or the environment's, as in `npm run test:long`. */
export const repetitions = (name: string, usual: number): number => Number(process.env[name] ?? usual)

/** Concurrent requests where each takes much of a core. */
export const crowd = runsAllCases ? 64 : 16

/** Returns all cases, or in `npm test` every so manieth, beginning with the first. */
export const sampleInFastLane = <T>(all: readonly T[], every: number): readonly T[] =>
  process.env.LANE === 'fast' ? sampleUnlessAll(all, every) : all

/** Returns a number of rounds or requests: the smaller one in `npm test`. */
export const fewerInFastLane = (few: number, many: number): number =>
  process.env.LANE === 'fast' && !runsAllCases ? few : many

/** Returns every so manieth case, beginning with the first, or all if all cases run. */
export const sampleUnlessAll = <T>(all: readonly T[], every: number): readonly T[] =>
  runsAllCases ? all : all.filter((_, n) => n % every === 0)
