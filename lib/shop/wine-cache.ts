import { LRUCache } from 'lru-cache'
import type { Body, Client } from '../client/index.ts'
import type { Cookies } from './cookies.ts'
import { type ListedWine, listedWine } from './records.ts'

/** Values of fields of a wine; a wine matches if it has one of the values of each field. */
export type Filter = Readonly<Record<string, readonly string[]>>

export type WineQuery = {
  query: string | null
  filter: Filter
  orderBy: Body<'/service/wines/search'>['orderBy']
}

export const isMatch = (wine: ListedWine, filter: Filter): boolean =>
  Object.entries(filter).every(([field, values]) =>
    [wine[field as keyof ListedWine]].flat().some(value => values.includes(String(value))),
  )

/** The reader of a list: a signed-in client has its own prices. */
type Reader = { client: Client; cookies: Cookies; isSignedIn: boolean }

/** Returns all wines of a list, in its order. */
export type WineCache = (reader: Reader, query: WineQuery) => Promise<readonly ListedWine[]>

/** Limits a list to wines that the merchant sells in its shop and that have a public page and sheet. */
export const inShop = { inshop: 1, inwinelist: 1, short: 1 } as const

/** The default order of a list. */
export const popular: WineQuery['orderBy'] = 'nostock ASC, topseller DESC, sorting ASC, name ASC'

const minTtlMs = 60_000
// Reading a large catalogue takes at most 1/20 of the time.
const ttlPerReadingTime = 20
/** Of a longer list, only the first wines are read. */
const maxWines = 20_000
const maxCached = 3 * maxWines

/**
 * The service neither filters nor counts by price, and its pages have at most 100 wines. Whatever needs a whole list, such
 * as the price bands, reads it page by page and caches it for at least a minute. Filters are applied here, so that all
 * lists with the same text share one reading.
 */
export const newWineCache = (): WineCache => {
  const read = async ({ client, isSignedIn }: Reader, query: WineQuery) => {
    const wines: ListedWine[] = []
    for await (const wine of client.all('/service/wines/search', { ...inShop, ...query, pageSize: 100 })) {
      wines.push(listedWine(wine, isSignedIn))
      if (wines.length === maxWines) break
    }
    return wines
  }
  const cache = new LRUCache<string, readonly ListedWine[], { reader: Reader; query: WineQuery }>({
    maxSize: maxCached,
    sizeCalculation: wines => wines.length + 1,
    fetchMethod: async (_, __, { options, context: { reader, query } }) => {
      const start = performance.now()
      const wines = await read(reader, query)
      options.ttl = Math.max(minTtlMs, ttlPerReadingTime * (performance.now() - start))
      return wines
    },
  })
  return async (reader, { filter, ...unfiltered }) => {
    const token = reader.isSignedIn && reader.cookies.get('client')
    const context = { reader, query: { ...unfiltered, filter: {} } }
    const wines = (await cache.fetch(JSON.stringify([token, unfiltered]), { context })) ?? []
    // The index of the whole shop is cached by the identity of its list.
    return Object.keys(filter).length > 0 ? wines.filter(wine => isMatch(wine, filter)) : wines
  }
}
