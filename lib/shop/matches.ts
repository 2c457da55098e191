import { LRUCache } from 'lru-cache'
import type { Body } from '../client/index.ts'
import { type ListedWine, listedWine } from './records.ts'
import type { Visit } from './visit.ts'

/** What a list of wines is asked: fields by their values, and the text that the rest is searched for. */
export type Asked = { query: string | null; filter: Readonly<Record<string, readonly string[]>>; orderBy: string }

/** Who looks at a list: a client who is signed in has prices of its own. */
type Reader = Pick<Visit, 'client' | 'cookies' | 'isSignedIn'>

/** Reads all wines of a list, in its order. */
export type Matches = (reader: Reader, asked: Asked) => Promise<readonly ListedWine[]>

/** Of what the merchant sells in its shop, what everybody may see: only that has a public page and sheet. */
export const inShop = { inshop: 1, inwinelist: 1, short: 1 } as const

/** The usual order of a list. */
export const popular = 'nostock ASC, topseller DESC, sorting ASC, name ASC'

/** What the service is asked for a list. */
export const searchOf = ({ query, filter, orderBy }: Asked): Body<'/service/wines/search'> => ({
  ...inShop,
  query,
  filter,
  orderBy,
})

const keptMs = 60_000
const mostWines = 20_000

/**
 * The service neither filters nor counts by price, and lists no more than 100 wines at once: what needs all wines of a
 * list, such as bands of prices, reads them page by page, and keeps them for a minute.
 */
export const newMatches = (): Matches => {
  const read = async ({ client, isSignedIn }: Reader, asked: Asked) => {
    const wines: ListedWine[] = []
    for await (const wine of client.all('/service/wines/search', { ...searchOf(asked), pageSize: 100 }))
      wines.push(listedWine(wine, isSignedIn))
    return wines
  }
  const kept = new LRUCache<string, readonly ListedWine[], { reader: Reader; asked: Asked }>({
    ttl: keptMs,
    maxSize: mostWines,
    sizeCalculation: wines => wines.length + 1,
    fetchMethod: (_, __, { context: { reader, asked } }) => read(reader, asked),
  })
  return async (reader, asked) => {
    const who = reader.isSignedIn && reader.cookies.get('client')
    return (await kept.fetch(JSON.stringify([who, asked]), { context: { reader, asked } })) ?? []
  }
}
