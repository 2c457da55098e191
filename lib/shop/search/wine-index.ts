import type { ListedWine } from '../records.ts'
import type { Visit } from '../visit.ts'
import { type Filter, isMatch, popular } from '../wine-cache.ts'
import { normalize } from './normalize.ts'
import { type Facets, facetsOf } from './query-filters.ts'
import { type Vocabulary, vocabularyOf } from './spelling.ts'

/** An item with its normalized name. */
export type NamedItem<Item> = { item: Item; name: string }

type Winery = { id: number; name: string; total: number }

/** All wines of the shop, the most popular first, indexed for searches. */
export type WineIndex = {
  wines: readonly NamedItem<ListedWine>[]
  wineries: readonly NamedItem<Winery>[]
  facets: Facets
  vocabulary: Vocabulary
  /** Returns the number of wines that match a filter. */
  count(filter: Filter): number
  /** True if the name, place and winery of a wine contain all of some normalized words, in any order. */
  hasWords(wine: { id: number }, words: readonly string[]): boolean
}

const wineriesOf = (wines: readonly ListedWine[]): NamedItem<Winery>[] => {
  const wineries = new Map<number, Winery>()
  for (const { winery_id: id, winery } of wines) {
    if (id === null || !winery) continue
    wineries.set(id, { id, name: winery.name, total: (wineries.get(id)?.total ?? 0) + 1 })
  }
  return [...wineries.values()].map(item => ({ item, name: normalize(item.name) }))
}

const buildIndex = (wines: readonly ListedWine[]): WineIndex => {
  const facets = facetsOf(wines)
  const counts = new Map<string, number>()
  const texts = new Map(
    wines.map(({ id, name, place, winery }) => [id, ` ${normalize([name, place, winery?.name].join(' '))}`]),
  )
  return {
    wines: wines.map(item => ({ item, name: normalize(item.name) })),
    wineries: wineriesOf(wines),
    facets,
    vocabulary: vocabularyOf(wines, facets),
    count: filter => {
      const key = JSON.stringify(filter)
      const count = counts.get(key) ?? wines.filter(wine => isMatch(wine, filter)).length
      counts.set(key, count)
      return count
    },
    hasWords: ({ id }, words) => words.every(word => texts.get(id)?.includes(` ${word}`)),
  }
}

const indexes = new WeakMap<readonly ListedWine[], WineIndex>()

/** Returns the index of the shop's public wines, which is cached as long as their list. */
export const readWineIndex = async ({ readWines, merchant, cookies }: Visit): Promise<WineIndex> => {
  const guest = { client: merchant, cookies, isSignedIn: false }
  const wines = await readWines(guest, { query: null, filter: {}, orderBy: popular })
  const index = indexes.get(wines) ?? buildIndex(wines)
  indexes.set(wines, index)
  return index
}
