import { type IndexedWine, rowOf } from '../../../shared/search/row.ts'
import { compareKeys } from '../../../shared/search/values.ts'
import { fold } from '../../../shared/values/text.ts'
import type { Asked, Found } from './asked.ts'

export type Contestant = {
  name: string
  answer: (asked: Asked) => Promise<Found>
  /** Milliseconds of CPU for a number of answers: in all, or for the count and for the page. */
  cpu: (asked: Asked, times: number) => Promise<number[]>
  /** Milliseconds of CPU for building it, and its size in bytes. */
  build: number
  bytes: number
  close: () => Promise<void>
}

/** Milliseconds of CPU of this process for each run of an action. */
export const cpuOf = (times: number, act: () => unknown): number => {
  const before = process.cpuUsage()
  for (let n = 0; n < times; n++) act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}

/** A wine as the peers store it, with folded texts; `place` is its position in the default order. */
export type Entry = {
  id: number
  place: number
  chstamp: string
  name: string
  country: string
  gross: number
  /** Folded: the name, the place, everything else that is searched. */
  texts: [name: string, place: string, rest: string]
}

// Separates the texts of a wine. No phrase contains it, so none matches across two texts.
const border = '\u001f'

const entryOf = (wine: IndexedWine): Entry => {
  const [name, place] = [fold(String(wine.name)), fold(String(wine.place ?? ''))]
  const others = rowOf({ ...wine, name: null, place: null }, 0).slots.filter(slot => slot !== '')
  return {
    id: wine.id,
    place: 0,
    chstamp: String(wine.chstamp),
    name: String(wine.name),
    country: String(wine.countrycode),
    gross: Number(wine.gross),
    texts: [name, place, others.join(border)],
  }
}

/** All entries in the default order: newest first, then by name in German collation, then by id. */
export const entriesOf = (wineOf: (n: number) => IndexedWine, size: number): Entry[] => {
  const entries = Array.from({ length: size }, (_, n) => entryOf(wineOf(n)))
  entries.sort((a, b) => compareKeys(b.chstamp, a.chstamp) || compareKeys(a.name, b.name) || a.id - b.id)
  for (const [place, entry] of entries.entries()) entry.place = place
  return entries
}
