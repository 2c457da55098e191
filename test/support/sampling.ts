import { isUpdating } from './golden-file.ts'

/** True if all cases run, as in `npm run test:long` and the mutation run, and where golden files are rewritten. */
export const runsAllCases = isUpdating || process.env.OUTCOMES === 'all'

/** How often something is tried: a few times, or as often as the environment says, by `npm run test:long` for one. */
export const repetitions = (name: string, usual: number): number => Number(process.env[name] ?? usual)

/** How many come at one moment where each takes much of a core: 64, or 16 in the short version. */
export const crowd = runsAllCases ? 64 : 16

/** All cases, or, in `npm test` unless all are tried, every so manieth of them, the first included. */
export const sampleInFastLane = <T>(all: readonly T[], every: number): readonly T[] =>
  process.env.LANE === 'fast' ? sampleUnlessAll(all, every) : all

/** All cases, or, in the short version of `npm test`, every so manieth of them, the first included. */
export const sampleUnlessAll = <T>(all: readonly T[], every: number): readonly T[] =>
  runsAllCases ? all : all.filter((_, n) => n % every === 0)
