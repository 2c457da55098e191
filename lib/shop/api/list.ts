import { Refusal } from '../errors.ts'
import { mergeFilters } from '../pages/query.js'
import { countedBands, isWithin } from '../price-bands.ts'
import { type ListedWine, listedWine } from '../records.ts'
import { fillers } from '../search/lexicon.ts'
import { wordsIn } from '../search/normalize.ts'
import { parseQuery } from '../search/query-filters.ts'
import { respellings } from '../search/spelling.ts'
import { readWineIndex, type WineIndex } from '../search/wine-index.ts'
import type { Visit } from '../visit.ts'
import { inShop, popular, type WineQuery } from '../wine-cache.ts'

/** The fields of a wine that visitors filter by. */
const facets = [
  ...(['type', 'countrycode', 'region', 'grapetypeIds', 'taste_id', 'vintage', 'bio', 'vegan', 'quality'] as const),
] as const
type Facet = (typeof facets)[number]

const orders = new Map<string, WineQuery['orderBy']>([
  ['cheap', 'nostock ASC, gross ASC, name ASC'],
  ['dear', 'nostock ASC, gross DESC, name ASC'],
  ['young', 'nostock ASC, vintage DESC, name ASC'],
  ['name', 'name ASC'],
])

const pageSize = 24

/** A list that is also limited to price bands, and to normalized words of names. */
type ListQuery = WineQuery & { bands: readonly string[]; words: readonly string[] }

const requestedList = ({ fields: { q, sort }, all }: Visit): ListQuery => {
  const chosen = [...facets, 'winery_id'].map(name => [name, all(name)] as const)
  return {
    query: q || null,
    filter: Object.fromEntries(chosen.filter(([, values]) => values.length > 0)),
    orderBy: orders.get(sort ?? '') ?? popular,
    bands: all('priceBand'),
    words: [],
  }
}

const servicePage = async ({ client, fields, isSignedIn }: Visit, query: WineQuery) => {
  const { data, totalCount, pages, clusterCounts } = await client.call('/service/wines/search', {
    ...inShop,
    ...query,
    ...{ page: fields.page ?? 1, pageSize, cluster: [...facets], clusterCounts: 1 },
  })
  const { current, total } = pages
  return {
    wines: data.map(wine => listedWine(wine, isSignedIn)),
    total: totalCount,
    pages: { current, total },
    counts: clusterCounts ?? {},
  }
}

const countValues = (wines: readonly ListedWine[], facet: Facet): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const wine of wines) {
    const values = [wine[facet]].flat().filter(value => value !== null)
    for (const value of new Set(values)) counts[value] = (counts[value] ?? 0) + 1
  }
  return counts
}

type Predicate = (wine: ListedWine) => boolean

/** The test for a list's bands and words, which the service does not know; undefined if it has neither. */
const predicateOf = async (visit: Visit, { bands, words }: ListQuery): Promise<Predicate | undefined> => {
  if (bands.length === 0 && words.length === 0) return undefined
  const isInBand = bands.length > 0 ? isWithin(bands) : () => true
  const { hasWords } = await readWineIndex(visit)
  return wine => isInBand(wine) && hasWords(wine, words)
}

const filteredPage = async (visit: Visit, query: WineQuery, isWanted: Predicate) => {
  const page = Number(visit.fields.page ?? 1)
  if (!Number.isSafeInteger(page) || page < 1)
    throw new Refusal(400, 'validation_failed', [{ path: 'page', rule: 'type', expected: 'an integer from 1 on' }])
  const read = async (filter: WineQuery['filter']) =>
    (await visit.readWines(visit, { ...query, filter })).filter(isWanted)
  // The chosen values of a facet do not narrow the counts of its other values.
  const countFacet = async (facet: Facet) => {
    const { [facet]: _, ...others } = query.filter
    return [facet, countValues(await read(others), facet)] as const
  }
  const [wines, counts] = await Promise.all([read(query.filter), Promise.all(facets.map(countFacet))])
  return {
    wines: wines.slice((page - 1) * pageSize, page * pageSize),
    total: wines.length,
    pages: { current: page, total: Math.ceil(wines.length / pageSize) },
    counts: Object.fromEntries(counts),
  }
}

const wineQueryOf = ({ query, filter, orderBy }: ListQuery): WineQuery => ({ query, filter, orderBy })

const pageOf = async (visit: Visit, list: ListQuery) => {
  const isWanted = await predicateOf(visit, list)
  return isWanted ? filteredPage(visit, wineQueryOf(list), isWanted) : servicePage(visit, wineQueryOf(list))
}

const winesOf = async (visit: Visit, list: ListQuery): Promise<readonly ListedWine[]> => {
  const isWanted = await predicateOf(visit, list)
  const wines = await visit.readWines(visit, wineQueryOf(list))
  return isWanted ? wines.filter(isWanted) : wines
}

const totalOf = async (visit: Visit, list: ListQuery): Promise<number> => (await winesOf(visit, list)).length

/** The list without one filter: a facet, `priceBand` or `q`. A region is removed with its country. */
const without = ({ filter, query, bands, words, orderBy }: ListQuery, name: string): ListQuery => {
  const isKept = (facet: string) => facet !== name && !(name === 'countrycode' && facet === 'region')
  return {
    orderBy,
    query: name === 'q' ? null : query,
    bands: name === 'priceBand' ? [] : bands,
    words: name === 'q' ? [] : words,
    filter: Object.fromEntries(Object.entries(filter).filter(([facet]) => isKept(facet))),
  }
}

const searchWords = (text: string): string[] => wordsIn(text).flatMap(({ word }) => (fillers.has(word) ? [] : [word]))

/** The first respelling with hits. */
const spellingFor = async (visit: Visit, q: string, { facets, vocabulary }: WineIndex) => {
  for (const spelled of respellings(q, vocabulary)) {
    const { filter, rest } = parseQuery(spelled, facets)
    const list = { query: null, filter, orderBy: popular, bands: [], words: searchWords(rest) }
    const total = await totalOf(visit, list)
    if (total > 0) return { q: spelled, total }
  }
  return null
}

const maxDrops = 3

/** Alternatives to an empty list: a spelling with hits, and the filters to remove, most wines first. */
const helpFor = async (visit: Visit, list: ListQuery, q: string, index: WineIndex) => {
  const filters = [...Object.keys(list.filter), ...(list.bands.length > 0 ? ['priceBand'] : [])]
  const names = [...filters, ...(list.query || list.words.length > 0 ? ['q'] : [])]
  const drops = await Promise.all(
    // Without its only filter a list is the whole shop.
    (names.length > 1 ? names : []).map(async name => ({ name, total: await totalOf(visit, without(list, name)) })),
  )
  return {
    spelling: await spellingFor(visit, q, index),
    without: drops
      .filter(drop => drop.total > 0)
      .toSorted((one, other) => other.total - one.total)
      .slice(0, maxDrops),
  }
}

/**
 * Returns a page of the list.
 * - `counts`: the number of wines by facet and value. `priceBands`: `[{ band, from, to, count }]`. A facet's own choice does
 *   not narrow its counts.
 * - `understood`: `{ filter, rest }`; words of `q` that name facet values are filters.
 * - `help`: null unless the list is empty, else `{ spelling: { q, total } | null, without: [{ name, total }] }`, where `name`
 *   is a facet, `priceBand` or `q`.
 */
export const wines = async (visit: Visit) => {
  const { q = '' } = visit.fields
  const index = await readWineIndex(visit)
  const literal = requestedList(visit)
  let parsed = parseQuery(q, index.facets)
  let list: ListQuery = { ...literal, query: parsed.rest || null, filter: mergeFilters(literal.filter, parsed.filter) }
  let page = await pageOf(visit, list)
  // The name of a wine may have words that mean something else: "Grand Cru Champagne" of another country.
  if (page.total === 0 && q !== parsed.rest && (await totalOf(visit, literal)) > 0) {
    parsed = { filter: {}, rest: q }
    list = literal
    page = await pageOf(visit, list)
  }
  // The service searches for one phrase, with its accents; "lafite pauillac" and "chateau margaux" are words of names.
  const named = { ...list, query: null, words: searchWords(parsed.rest) }
  if (page.total === 0 && named.words.length > 0 && (await totalOf(visit, named)) > 0) {
    list = named
    page = await pageOf(visit, list)
  }
  return {
    ...page,
    priceBands: countedBands(await winesOf(visit, { ...list, bands: [] })),
    understood: parsed,
    help: page.total === 0 ? await helpFor(visit, list, q, index) : null,
  }
}

const defaultSize = 4
const maxSize = 12

/** Returns the first `size` wines of a list (default 4, at most 12), without the ids `without`. */
export const few = async (visit: Visit) => {
  const { all, fields } = visit
  const without = new Set(all('without'))
  const others = (await winesOf(visit, requestedList(visit))).filter(({ id }) => !without.has(String(id)))
  const size = Math.trunc(Number(fields.size))
  return { wines: others.slice(0, size >= 1 ? Math.min(size, maxSize) : defaultSize) }
}
