import { type Asked, popular, searchOf } from '../matches.ts'
import { together } from '../pages/query.js'
import { countedBands, isWithin } from '../price-bands.ts'
import { type ListedWine, listedWine } from '../records.ts'
import { Refusal } from '../refusal.ts'
import { type Cellar, readCellar } from '../search/cellar.ts'
import { respelled } from '../search/spelling.ts'
import { understood } from '../search/understand.ts'
import type { Visit } from '../visit.ts'

/** The facets of the list: the fields of a wine that visitors narrow it by. */
const facets = [
  ...(['type', 'countrycode', 'region', 'grapetypeIds', 'taste_id', 'vintage', 'bio', 'vegan', 'quality'] as const),
] as const
type Facet = (typeof facets)[number]

const orders = new Map([
  ['cheap', 'nostock ASC, gross ASC, name ASC'],
  ['dear', 'nostock ASC, gross DESC, name ASC'],
  ['young', 'nostock ASC, vintage DESC, name ASC'],
  ['name', 'name ASC'],
])

const pageSize = 24

/** A list: what is asked, and the bands of prices that it is narrowed to. */
type List = Asked & { bands: readonly string[] }

/** The list that the parameters of a request ask for, with `q` word by word. */
const listBy = ({ fields: { q, sort }, all }: Visit): List => {
  const chosen = [...facets, 'winery_id'].map(name => [name, all(name)] as const)
  return {
    query: q || null,
    filter: Object.fromEntries(chosen.filter(([, values]) => values.length > 0)),
    orderBy: orders.get(sort ?? '') ?? popular,
    bands: all('priceBand'),
  }
}

const pageBy = async ({ client, fields, isSignedIn }: Visit, asked: Asked) => {
  const { data, totalCount, pages, clusterCounts } = await client.call('/service/wines/search', {
    ...searchOf(asked),
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

const countsOf = (wines: readonly ListedWine[], facet: Facet): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const wine of wines) {
    const values = [wine[facet]].flat().filter(value => value !== null)
    for (const value of new Set(values)) counts[value] = (counts[value] ?? 0) + 1
  }
  return counts
}

/** Counts the values of a facet within bands of prices; what is chosen of the facet itself does not narrow its values. */
const countedWithin = async (visit: Visit, asked: Asked, facet: Facet, isWanted: (wine: ListedWine) => boolean) => {
  const { [facet]: _, ...filter } = asked.filter
  return [facet, countsOf((await visit.matches(visit, { ...asked, filter })).filter(isWanted), facet)] as const
}

const pageWithin = async (visit: Visit, asked: Asked, bands: readonly string[]) => {
  const page = Number(visit.fields.page ?? 1)
  if (!Number.isSafeInteger(page) || page < 1)
    throw new Refusal(400, 'validation_failed', [{ path: 'page', rule: 'type', expected: 'an integer from 1 on' }])
  const isWanted = isWithin(bands)
  const [matches, counts] = await Promise.all([
    visit.matches(visit, asked),
    Promise.all(facets.map(facet => countedWithin(visit, asked, facet, isWanted))),
  ])
  const wanted = matches.filter(isWanted)
  return {
    wines: wanted.slice((page - 1) * pageSize, page * pageSize),
    total: wanted.length,
    pages: { current: page, total: Math.ceil(wanted.length / pageSize) },
    counts: Object.fromEntries(counts),
  }
}

const pageOf = (visit: Visit, { bands, ...asked }: List) =>
  bands.length > 0 ? pageWithin(visit, asked, bands) : pageBy(visit, asked)

const winesOf = async (visit: Visit, { bands, ...asked }: List): Promise<readonly ListedWine[]> => {
  const matches = await visit.matches(visit, asked)
  return bands.length > 0 ? matches.filter(isWithin(bands)) : matches
}

const totalOf = async (visit: Visit, list: List): Promise<number> => (await winesOf(visit, list)).length

/** The list without what narrows it by one name: a facet, `priceBand` or `q`. A region goes with its country. */
const without = ({ filter, query, bands, orderBy }: List, name: string): List => {
  const isKept = (facet: string) => facet !== name && !(name === 'countrycode' && facet === 'region')
  return {
    orderBy,
    query: name === 'q' ? null : query,
    bands: name === 'priceBand' ? [] : bands,
    filter: Object.fromEntries(Object.entries(filter).filter(([facet]) => isKept(facet))),
  }
}

const mostDrops = 3

/** The help of an empty list: the nearest spelling that finds something, and what to leave out, the most wines first. */
const helpFor = async (visit: Visit, list: List, q: string, { sold, vocabulary }: Cellar) => {
  const spelled = respelled(q, vocabulary)
  const { filter, rest } = understood(spelled ?? '', sold)
  const total = spelled ? await totalOf(visit, { ...list, filter, query: rest || null, bands: [] }) : 0
  const narrowings = [...Object.keys(list.filter), ...(list.bands.length > 0 ? ['priceBand'] : [])]
  const names = [...narrowings, ...(list.query ? ['q'] : [])]
  const drops = await Promise.all(
    // Without its only narrowing a list is the whole shop.
    (names.length > 1 ? names : []).map(async name => ({ name, total: await totalOf(visit, without(list, name)) })),
  )
  return {
    spelling: spelled && total > 0 ? { q: spelled, total } : null,
    without: drops
      .filter(drop => drop.total > 0)
      .toSorted((one, other) => other.total - one.total)
      .slice(0, mostDrops),
  }
}

/**
 * A page of the list: `{ wines, total, pages, counts, priceBands, understood, help }`. `counts` has the number of wines of
 * each value of a facet, by facet and value; `priceBands` is `[{ band, from, to, count }]`, all bands by rising price, whose
 * `band` is a value of the parameter `priceBand`, which may be repeated. A facet's own choice narrows neither its counts
 * nor, of the bands, theirs. Words of `q` that name values of facets are filters: `understood` is `{ filter, rest }`, the
 * values by facet and the words that were searched for. `help` is null unless the list is empty: `{ spelling: { q, total } or
 * null, without: [{ name, total }] }`, where `name` is a facet, `priceBand` or `q`.
 */
export const wines = async (visit: Visit) => {
  const { q = '' } = visit.fields
  const cellar = await readCellar(visit)
  const literal = listBy(visit)
  let words = understood(q, cellar.sold)
  let list: List = { ...literal, query: words.rest || null, filter: together(literal.filter, words.filter) }
  let page = await pageOf(visit, list)
  // A wine may be called by words that mean something else: "Grand Cru Champagne" of another country.
  if (page.total === 0 && q !== words.rest && (await totalOf(visit, literal)) > 0) {
    words = { filter: {}, rest: q }
    list = literal
    page = await pageOf(visit, list)
  }
  return {
    ...page,
    priceBands: countedBands(await winesOf(visit, { ...list, bands: [] })),
    understood: words,
    help: page.total === 0 ? await helpFor(visit, list, q, cellar) : null,
  }
}

/**
 * The first wines of a list, `size` of them (4 unless given, 12 at most), without the wine `without`, whose page leads on
 * to them: `{ wines }`.
 */
export const few = async (visit: Visit) => {
  const { size, without } = visit.fields
  const others = (await winesOf(visit, listBy(visit))).filter(({ id }) => String(id) !== without)
  return { wines: others.slice(0, Math.min(Number(size) || 4, 12)) }
}
