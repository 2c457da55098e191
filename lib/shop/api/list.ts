import { type Asked, searchOf } from '../matches.ts'
import { countedBands, isWithin } from '../price-bands.ts'
import { type ListedWine, listedWine } from '../records.ts'
import { Refusal } from '../refusal.ts'
import type { Visit } from '../visit.ts'

/** The facets of the list: the fields of a wine that visitors narrow it by. */
const facets = ['type', 'countrycode', 'region', 'grapetypeIds', 'taste_id', 'vintage', 'bio', 'vegan'] as const
type Facet = (typeof facets)[number]

const orders = new Map([
  ['popular', 'nostock ASC, topseller DESC, sorting ASC, name ASC'],
  ['cheap', 'nostock ASC, gross ASC, name ASC'],
  ['dear', 'nostock ASC, gross DESC, name ASC'],
  ['young', 'nostock ASC, vintage DESC, name ASC'],
  ['name', 'name ASC'],
])

const pageSize = 24

const askedBy = ({ fields: { q, sort }, all }: Visit): Asked => {
  const names = [...facets, 'winery_id']
  const chosen = names.map(name => [name, all(name)] as const).filter(([, values]) => values.length > 0)
  return {
    query: q ?? null,
    filter: Object.fromEntries(chosen),
    orderBy: orders.get(sort ?? '') ?? orders.get('popular') ?? '',
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

/**
 * A page of the list: `{ wines, total, pages, counts, priceBands }`. `counts` has the number of wines of each value of a
 * facet, by facet and value; `priceBands` is `[{ band, from, to, count }]`, all bands by rising price, whose `band` is a
 * value of the parameter `priceBand`, which may be repeated. A facet's own choice narrows neither its counts nor, of the
 * bands, theirs.
 */
export const wines = async (visit: Visit) => {
  const asked = askedBy(visit)
  const bands = visit.all('priceBand')
  const [page, matches] = await Promise.all([
    bands.length > 0 ? pageWithin(visit, asked, bands) : pageBy(visit, asked),
    visit.matches(visit, asked),
  ])
  return { ...page, priceBands: countedBands(matches) }
}

/**
 * The first wines of a list, `size` of them (4 unless given, 12 at most), without the wine `without`, whose page leads on
 * to them: `{ wines }`.
 */
export const few = async (visit: Visit) => {
  const { size, without } = visit.fields
  const bands = visit.all('priceBand')
  const isWanted = bands.length > 0 ? isWithin(bands) : () => true
  const matches = await visit.matches(visit, askedBy(visit))
  const others = matches.filter(wine => String(wine.id) !== without && isWanted(wine))
  return { wines: others.slice(0, Math.min(Number(size) || 4, 12)) }
}
