import { LRUCache } from 'lru-cache'
import type { Body, Client } from '../client/index.ts'
import type { Cookies } from './cookies.ts'
import { type ListedWine, listedWine } from './records.ts'

/** What a list of wines is asked: fields by their values, and the text that the rest is searched for. */
export type Asked = {
  query: string | null
  filter: Readonly<Record<string, readonly string[]>>
  orderBy: Body<'/service/wines/search'>['orderBy']
}

/** Whether a wine has, of each field of a filter, one of its values. */
export const has = (wine: ListedWine, filter: Asked['filter']): boolean =>
  Object.entries(filter).every(([field, values]) =>
    [wine[field as keyof ListedWine]].flat().some(value => values.includes(String(value))),
  )

/** Who looks at a list: a client who is signed in has prices of its own. */
type Reader = { client: Client; cookies: Cookies; isSignedIn: boolean }

/** Reads all wines of a list, in its order. */
export type Matches = (reader: Reader, asked: Asked) => Promise<readonly ListedWine[]>

/** Of what the merchant sells in its shop, what everybody may see: only that has a public page and sheet. */
export const inShop = { inshop: 1, inwinelist: 1, short: 1 } as const

/** The usual order of a list. */
export const popular: Asked['orderBy'] = 'nostock ASC, topseller DESC, sorting ASC, name ASC'

/** What the service is asked for a list. */
export const searchOf = ({ query, filter, orderBy }: Asked): Body<'/service/wines/search'> => ({
  ...inShop,
  query,
  filter,
  orderBy,
})

const keptMs = 60_000
// A merchant of many wines is read for 1 of 20 seconds at most.
const keptForReading = 20
/** Of a list with more wines, only the first ones are read. */
const mostWines = 20_000
const mostKept = 3 * mostWines

/**
 * The service neither filters nor counts by price, and lists no more than 100 wines at once: what needs all wines of a
 * list, such as bands of prices, reads them page by page, and keeps them for a minute. Fields are compared here, so that
 * all lists of a text share one reading.
 */
export const newMatches = (): Matches => {
  const read = async ({ client, isSignedIn }: Reader, asked: Asked) => {
    const wines: ListedWine[] = []
    for await (const wine of client.all('/service/wines/search', { ...searchOf(asked), pageSize: 100 })) {
      wines.push(listedWine(wine, isSignedIn))
      if (wines.length === mostWines) break
    }
    return wines
  }
  const kept = new LRUCache<string, readonly ListedWine[], { reader: Reader; asked: Asked }>({
    maxSize: mostKept,
    sizeCalculation: wines => wines.length + 1,
    fetchMethod: async (_, __, { options, context: { reader, asked } }) => {
      const start = performance.now()
      const wines = await read(reader, asked)
      options.ttl = Math.max(keptMs, keptForReading * (performance.now() - start))
      return wines
    },
  })
  return async (reader, { filter, ...asked }) => {
    const who = reader.isSignedIn && reader.cookies.get('client')
    const context = { reader, asked: { ...asked, filter: {} } }
    const wines = (await kept.fetch(JSON.stringify([who, asked]), { context })) ?? []
    return Object.keys(filter).length > 0 ? wines.filter(wine => has(wine, filter)) : wines
  }
}
