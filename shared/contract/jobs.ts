import type { Shape } from '../table/keys.ts'
import type { FileRight, Verb } from './route.ts'

/** A function that no request starts: it follows the table's changes. */
export type Job = {
  /** Its file below functions/. */
  file: `jobs/${string}`
  /** The sort keys whose changes start it. */
  follows: readonly string[]
  touches: Partial<Record<Shape, readonly Verb[]>>
  files: readonly FileRight[]
  /** Seconds. */
  timeout: number
  /** MB. */
  memory: number
  says: string
}

export const snapshots: Job = {
  file: 'jobs/snapshots',
  // Every change of a wine raises one of these two in its transaction.
  follows: ['catalogue', 'version'],
  touches: { wine: ['queryIndex'], publicWine: ['queryIndex'] },
  files: ['readSnapshots', 'writeSnapshots'],
  timeout: 120,
  memory: 1769,
  says: 'Writes the snapshots of catalogue indexes anew when enough has changed.',
}

/** All functions that no request starts. */
export const jobs: readonly Job[] = [snapshots]
