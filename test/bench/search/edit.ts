import { readFileSync } from 'node:fs'
import type { SearchIndex } from '../../../shared/search/search-index.ts'
import { chanceOf } from '../../support/indexed-wines.ts'
import { median } from '../median.ts'
import { cpuOf } from './contestant.ts'
import { type Corpus, corpus, seed } from './corpus.ts'
import { unpacked } from './snapshot.ts'

// Edits the wines of a snapshot and prints the cost, in its own process, so that garbage of the contestants causes no
// pauses.

/** The cost of edits in milliseconds of CPU. */
export type Edits = {
  edit: number
  edits256: number
  flush: number
  worst: number
  /** Of the first 200 edits. */
  worst200: number
  searchAfterFlush: number
  /** The number of segments after all edits and after the merge, and the cost of a search before and after it. */
  pieces: number
  piecesEdited: number
  piecesMerged: number
  searchEdited: number
  searchMerged: number
  merging: number
}

const edits = 5000

/** Edits wines one by one, and then merges. */
const edit = (index: SearchIndex, { edited }: Corpus): Edits => {
  const before = index.pieces
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
    // The memtable became a segment.
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
    ...{ pieces: before, piecesEdited, searchEdited, merging, piecesMerged, searchMerged },
    edit: median(single),
    edits256: single.slice(0, 256).reduce((sum, cost) => sum + cost, 0),
    flush: median(flushes),
    worst: Math.max(...single),
    worst200: Math.max(...single.slice(0, 200)),
    searchAfterFlush: median(searches),
  }
}

const [, , file = ''] = process.argv
process.stdout.write(JSON.stringify(edit(unpacked(readFileSync(file)), corpus())))
