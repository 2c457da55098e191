import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SearchIndex } from '../../../shared/wines/search/engine/search-index.ts'
import { chanceOf } from '../../support/indexed-wines.ts'
import { median } from '../median.ts'
import { cpuOf } from './contestant.ts'
import { type Corpus, seed } from './corpus.ts'
import { packed, unpacked } from './snapshot.ts'

/** What a new process sees that loads a snapshot: load.ts tells it. */
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
}

/** What keeping an index costs: milliseconds of CPU, and bytes. */
export type Upkeep = {
  packing: number
  packed: number
  start: Start
  edit: number
  edits256: number
  flush: number
  worst: number
  searchAfterFlush: number
  /** In how many pieces the index is, after all edits, and after merging them; a search before that and after it. */
  pieces: number
  piecesEdited: number
  piecesMerged: number
  searchEdited: number
  searchMerged: number
  merging: number
}

const starts = 5

const medians = (runs: readonly Start[]): Start =>
  Object.fromEntries(
    Object.keys(runs[0] ?? {}).map(key => [key, median(runs.map(run => run[key as keyof Start]))]),
  ) as Start

const startsFrom = (snapshot: Buffer): Start => {
  const file = join(tmpdir(), `weinkontor-snapshot-${process.pid}`)
  writeFileSync(file, snapshot)
  const script = join(import.meta.dirname, 'load.ts')
  const options = ['--disable-warning=ExperimentalWarning', '--expose-gc', script, file]
  const run = (): Start => JSON.parse(execFileSync(process.execPath, options).toString())
  const runs = Array.from({ length: starts }, run)
  rmSync(file)
  return medians(runs)
}

const edits = 5000

/** Edits wines one by one, and merges at last. */
const edit = (index: SearchIndex, { edited }: Corpus) => {
  const { below } = chanceOf(seed)
  const { size } = index
  const search = { query: { anywhere: 'riesling' }, start: 0, max: 16 }
  const [single, flushes, searches]: [number[], number[], number[]] = [[], [], []]
  let version = index.version
  for (let n = 0; n < edits; n++) {
    const wine = edited(below(size), n + 1)
    const { pieces } = index
    version++
    const cost = cpuOf(1, () => index.apply([{ version, wine }]))
    single.push(cost)
    // Those that waited became a piece.
    if (index.pieces === pieces) continue
    flushes.push(cost)
    searches.push(cpuOf(1, () => index.search(search)))
  }
  const costOf = () => {
    const ms = cpuOf(10, () => index.search(search))
    return Math.min(
      ms,
      cpuOf(10, () => index.search(search)),
    )
  }
  const [piecesEdited, searchEdited] = [index.pieces, costOf()]
  const merging = cpuOf(1, () => index.compact())
  const [piecesMerged, searchMerged] = [index.pieces, costOf()]
  return {
    ...{ piecesEdited, searchEdited, merging, piecesMerged, searchMerged },
    edit: median(single),
    edits256: single.slice(0, 256).reduce((sum, cost) => sum + cost, 0),
    flush: median(flushes),
    worst: Math.max(...single),
    searchAfterFlush: median(searches),
  }
}

/** Measures on a copy of an index. */
export const upkeepOf = (index: SearchIndex, corpus: Corpus): Upkeep => {
  let snapshot: Buffer = Buffer.alloc(0)
  const packing = cpuOf(1, () => {
    snapshot = packed(index)
  })
  const copy = unpacked(snapshot)
  const start = startsFrom(snapshot)
  return { packing, packed: snapshot.length, start, ...edit(copy, corpus), pieces: index.pieces }
}
