import { type Change, SearchIndex } from '../../../shared/search/search-index.ts'
import { type Asked, searchOf } from './asked.ts'
import { type Contestant, cpuOf } from './contestant.ts'
import type { Corpus } from './corpus.ts'
import { packed, unpacked } from './snapshot.ts'

// The wines of one page of the feed, which has up to 1 MB.
const perPage = 500

/** An index of the first wines of a corpus, made as an instance without a snapshot makes it, and then merged. */
export const buildIndex = (
  { wineOf }: Corpus,
  size: number,
): { index: SearchIndex; applying: number; merging: number } => {
  const index = new SearchIndex()
  let applying = 0
  for (let start = 0; start < size; start += perPage) {
    const changes: Change[] = Array.from({ length: Math.min(perPage, size - start) }, (_, n) => ({
      version: start + n + 1,
      wine: wineOf(start + n),
    }))
    applying += cpuOf(1, () => index.apply(changes))
  }
  return { index, applying, merging: cpuOf(1, () => index.compact()) }
}

const edits = 200

/** A copy of a merged index in which some wines were then rewritten unchanged, one after the other. */
export const withEdits = (index: SearchIndex, { wineOf }: Corpus): SearchIndex => {
  const copy = unpacked(packed(index))
  const step = Math.floor(index.size / edits)
  for (let n = 0; n < edits; n++) copy.apply([{ version: copy.version + 1, wine: wineOf(n * step) }])
  return copy
}

// By then the index has built the structures that it builds on first use.
const asksBefore = 100

/** Our own index, in use for a while. */
export const ours = (name: string, index: SearchIndex, build: number): Contestant => {
  for (let n = 0; n < asksBefore; n++) index.search(searchOf({ title: 'part of a word', text: 'xqzjv' }))
  return contestantOf(name, index, build)
}

const contestantOf = (name: string, index: SearchIndex, build: number): Contestant => ({
  name,
  answer: async asked => index.search(searchOf(asked)),
  cpu: async (asked: Asked, times: number) => {
    const search = searchOf(asked)
    return [cpuOf(times, () => index.search(search))]
  },
  build,
  bytes: index.bytes,
  close: async () => {},
})
