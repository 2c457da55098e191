import { type Asked, popular, searchOf } from '../matches.ts'
import { together } from '../pages/query.js'
import { countedBands, isWithin } from '../price-bands.ts'
import { type ListedWine, listedWine } from '../records.ts'
import { Refusal } from '../refusal.ts'
import { type Cellar, readCellar } from '../search/cellar.ts'
import { fillers } from '../search/lexicon.ts'
import { wordsIn } from '../search/plain.ts'
import { respellings } from '../search/spelling.ts'
import { understood } from '../search/understand.ts'
import type { Visit } from '../visit.ts'

/** The facets of the list: the fields of a wine that visitors narrow it by. */
const facets = [
  ...(['type', 'countrycode', 'region', 'grapetypeIds', 'taste_id', 'vintage', 'bio', 'vegan', 'quality'] as const),
] as const
type Facet = (typeof facets)[number]

const orders = new Map<string, Asked['orderBy']>([
  ['cheap', 'nostock ASC, gross ASC, name ASC'],
  ['dear', 'nostock ASC, gross DESC, name ASC'],
  ['young', 'nostock ASC, vintage DESC, name ASC'],
  ['name', 'name ASC'],
])

const pageSize = 24

/** A list: what is asked, and the bands of prices and, in plain form, words of names that it is narrowed to. */
type List = Asked & { bands: readonly string[]; words: readonly string[] }

/** The list that the parameters of a request ask for, with `q` word by word. */
const listBy = ({ fields: { q, sort }, all }: Visit): List => {
  const chosen = [...facets, 'winery_id'].map(name => [name, all(name)] as const)
  return {
    query: q || null,
    filter: Object.fromEntries(chosen.filter(([, values]) => values.length > 0)),
    orderBy: orders.get(sort ?? '') ?? popular,
    bands: all('priceBand'),
    words: [],
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

/** Whether a wine is in a list's bands and holds its words; undefined where the list has neither. */
const wantedBy = async (visit: Visit, { bands, words }: List) => {
  if (bands.length === 0 && words.length === 0) return undefined
  const isInBand = bands.length > 0 ? isWithin(bands) : () => true
  const { holds } = await readCellar(visit)
  return (wine: ListedWine) => isInBand(wine) && holds(wine, words)
}

const pageWithin = async (visit: Visit, asked: Asked, isWanted: (wine: ListedWine) => boolean) => {
  const page = Number(visit.fields.page ?? 1)
  if (!Number.isSafeInteger(page) || page < 1)
    throw new Refusal(400, 'validation_failed', [{ path: 'page', rule: 'type', expected: 'an integer from 1 on' }])
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

const askedBy = ({ query, filter, orderBy }: List): Asked => ({ query, filter, orderBy })

const pageOf = async (visit: Visit, list: List) => {
  const isWanted = await wantedBy(visit, list)
  return isWanted ? pageWithin(visit, askedBy(list), isWanted) : pageBy(visit, askedBy(list))
}

const winesOf = async (visit: Visit, list: List): Promise<readonly ListedWine[]> => {
  const isWanted = await wantedBy(visit, list)
  const matches = await visit.matches(visit, askedBy(list))
  return isWanted ? matches.filter(isWanted) : matches
}

const totalOf = async (visit: Visit, list: List): Promise<number> => (await winesOf(visit, list)).length

/** The list without what narrows it by one name: a facet, `priceBand` or `q`. A region goes with its country. */
const without = ({ filter, query, bands, words, orderBy }: List, name: string): List => {
  const isKept = (facet: string) => facet !== name && !(name === 'countrycode' && facet === 'region')
  return {
    orderBy,
    query: name === 'q' ? null : query,
    bands: name === 'priceBand' ? [] : bands,
    words: name === 'q' ? [] : words,
    filter: Object.fromEntries(Object.entries(filter).filter(([facet]) => isKept(facet))),
  }
}

/** The words of a text in the form in which names are searched for them. */
const plainWords = (text: string): string[] => wordsIn(text).flatMap(({ plain }) => (fillers.has(plain) ? [] : [plain]))

/** The first of the other spellings of a text that finds something, and how much. */
const spellingFor = async (visit: Visit, q: string, { sold, vocabulary }: Pick<Cellar, 'sold' | 'vocabulary'>) => {
  for (const spelled of respellings(q, vocabulary)) {
    const { filter, rest } = understood(spelled, sold)
    const list = { query: null, filter, orderBy: popular, bands: [], words: plainWords(rest) }
    const total = await totalOf(visit, list)
    if (total > 0) return { q: spelled, total }
  }
  return null
}

const mostDrops = 3

/** The help of an empty list: the nearest spelling that finds something, and what to leave out, the most wines first. */
const helpFor = async (visit: Visit, list: List, q: string, { sold, vocabulary }: Cellar) => {
  const narrowings = [...Object.keys(list.filter), ...(list.bands.length > 0 ? ['priceBand'] : [])]
  const names = [...narrowings, ...(list.query || list.words.length > 0 ? ['q'] : [])]
  const drops = await Promise.all(
    // Without its only narrowing a list is the whole shop.
    (names.length > 1 ? names : []).map(async name => ({ name, total: await totalOf(visit, without(list, name)) })),
  )
  return {
    spelling: await spellingFor(visit, q, { sold, vocabulary }),
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
  // The service searches for one phrase, with its accents: "lafite pauillac" and "chateau margaux" are words of names.
  const named = { ...list, query: null, words: plainWords(words.rest) }
  if (page.total === 0 && named.words.length > 0 && (await totalOf(visit, named)) > 0) {
    list = named
    page = await pageOf(visit, list)
  }
  return {
    ...page,
    priceBands: countedBands(await winesOf(visit, { ...list, bands: [] })),
    understood: words,
    help: page.total === 0 ? await helpFor(visit, list, q, cellar) : null,
  }
}

const usualFew = 4
const mostFew = 12

/**
 * The first wines of a list, `size` of them (4 unless given, 12 at most), without the wines `without`, which are on the
 * page already: `{ wines }`.
 */
export const few = async (visit: Visit) => {
  const { all, fields } = visit
  const { size } = fields
  const without = new Set(all('without'))
  const others = (await winesOf(visit, listBy(visit))).filter(({ id }) => !without.has(String(id)))
  const wanted = Math.trunc(Number(size))
  return { wines: others.slice(0, wanted >= 1 ? Math.min(wanted, mostFew) : usualFew) }
}
