import { has, popular } from '../matches.ts'
import type { ListedWine } from '../records.ts'
import type { Visit } from '../visit.ts'
import { plain } from './plain.ts'
import { type Vocabulary, vocabularyOf } from './spelling.ts'
import { type Filter, type Sold, soldIn } from './understand.ts'

/** Something that can be found by the beginning of a word of its name, which is in plain form. */
export type Known<One> = { one: One; plain: string }

/** A winery of the shop's wines, and how many they are. */
type Winery = { id: number; name: string; total: number }

/** All wines of the shop, the most popular first, and what can be said of them. */
export type Cellar = {
  wines: readonly Known<ListedWine>[]
  wineries: readonly Known<Winery>[]
  sold: Sold
  vocabulary: Vocabulary
  /** The number of wines that have the values of a filter. */
  count(filter: Filter): number
  /** Whether a wine's name, place and winery hold all of some words, whatever their accents and order. */
  holds(wine: { id: number }, words: readonly string[]): boolean
}

const wineriesOf = (wines: readonly ListedWine[]): Known<Winery>[] => {
  const wineries = new Map<number, Winery>()
  for (const { winery_id: id, winery } of wines) {
    if (id === null || !winery) continue
    wineries.set(id, { id, name: winery.name, total: (wineries.get(id)?.total ?? 0) + 1 })
  }
  return [...wineries.values()].map(one => ({ one, plain: plain(one.name) }))
}

const cellarOf = (wines: readonly ListedWine[]): Cellar => {
  const sold = soldIn(wines)
  const counts = new Map<string, number>()
  const texts = new Map(
    wines.map(({ id, name, place, winery }) => [id, ` ${plain([name, place, winery?.name].join(' '))}`]),
  )
  return {
    wines: wines.map(one => ({ one, plain: plain(one.name) })),
    wineries: wineriesOf(wines),
    sold,
    vocabulary: vocabularyOf(wines, sold),
    count: filter => {
      const key = JSON.stringify(filter)
      const count = counts.get(key) ?? wines.filter(wine => has(wine, filter)).length
      counts.set(key, count)
      return count
    },
    holds: ({ id }, words) => words.every(word => texts.get(id)?.includes(` ${word}`)),
  }
}

const made = new WeakMap<readonly ListedWine[], Cellar>()

/** Reads all wines of the shop as everybody sees them, which are kept for a minute. */
export const readCellar = async ({ matches, merchant, cookies }: Visit): Promise<Cellar> => {
  const everybody = { client: merchant, cookies, isSignedIn: false }
  const wines = await matches(everybody, { query: null, filter: {}, orderBy: popular })
  const cellar = made.get(wines) ?? cellarOf(wines)
  made.set(wines, cellar)
  return cellar
}
