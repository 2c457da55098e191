import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SearchIndex } from '../../../shared/search/search-index.ts'
import { median } from '../median.ts'
import { classesOf } from './asked.ts'
import { cpuOf } from './contestant.ts'
import { corpus } from './corpus.ts'
import type { Edits } from './edit.ts'
import { packed } from './snapshot.ts'

/** The measurements of load.ts, a new process that loads a snapshot. */
export type Start = {
  unpacking: number
  firstSearch: number
  allFirst: number
  secondSearch: number
  wall: number
  held: number
  heldAfter: number
  estimate: number
  peak: number
  /** Bytes that were read of the snapshot by the end of the first search. */
  firstRead: number
}

/** The cost of a new instance's first search of a class, in milliseconds of CPU, including reading and unpacking. */
export type First = { title: string; ms: number }

/** The cost of an index: milliseconds of CPU, and bytes. */
export type Upkeep = Edits & {
  firsts: First[]
  packing: number
  packed: number
  start: Start
}

// A large index takes long, with little variation.
const offsetsOf = (size: number): number => (size > 500_000 ? 3 : 5)

const medians = (runs: readonly Start[]): Start =>
  Object.fromEntries(
    Object.keys(runs[0] ?? {}).map(key => [key, median(runs.map(run => run[key as keyof Start]))]),
  ) as Start

/** The JSON output of a script that gets a file. */
const runScript = <Result>(script: string, ...given: string[]): Result => {
  const options = ['--disable-warning=ExperimentalWarning', '--expose-gc', join(import.meta.dirname, script), ...given]
  return JSON.parse(execFileSync(process.execPath, options).toString())
}

/** Each in its own process, so that no class uses parts that another class unpacked. */
const firstsOf = (file: string, size: number): First[] =>
  classesOf(corpus(), size).map(({ title }, n) => {
    const runs = Array.from({ length: 3 }, () => runScript<number>('first.ts', file, String(size), String(n)))
    return { title, ms: median(runs) }
  })

/** Measures on copies of an index, in processes of their own. */
export const upkeepOf = (index: SearchIndex): Upkeep => {
  let snapshot: Buffer = Buffer.alloc(0)
  const packing = cpuOf(1, () => {
    snapshot = packed(index)
  })
  const folder = mkdtempSync(join(tmpdir(), 'weinkontor-snapshot-'))
  const file = join(folder, 'snapshot')
  writeFileSync(file, snapshot)
  const start = medians(Array.from({ length: offsetsOf(index.size) }, () => runScript<Start>('load.ts', file)))
  const edits = runScript<Edits>('edit.ts', file)
  const firsts = firstsOf(file, index.size)
  rmSync(folder, { recursive: true })
  return { packing, packed: snapshot.length, start, firsts, ...edits }
}
