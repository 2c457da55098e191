import { fold } from '../../shared/text.ts'
import type { IndexedWine } from '../../shared/wines/search/engine/row.ts'

/** A search as a caller writes it. */
export type Asked = {
  query?: string | Record<string, unknown>
  filter?: Record<string, unknown>
  flags?: Record<string, 0 | 1>
  orderBy?: string
  start: number
  max: number
}

type Value = string | number | null

const SEARCHED = [
  ...['name', 'articlenumber', 'vintage', 'type', 'place', 'description', 'countrycode', 'quality', 'quality_note'],
  ...['path_segment', 'gtin', 'terroir', 'maturation', 'winery.name'],
]
const LISTS = ['categoryIds', 'allergenIds', 'grapetypeIds']
const TEXTS = new Set([
  ...['name', 'articlenumber', 'drinktemperature', 'place', 'description', 'image', 'pdf', 'type', 'countrycode'],
  ...[
    'nostocktext',
    'quality',
    'quality_note',
    'bottling_type',
    'path_segment',
    'language',
    'crstamp',
    'chstamp',
    'gtin',
  ],
  ...['terroir', 'maturation', 'cap', 'expertisePdf', 'hash'],
])

const scalarOf = (wine: IndexedWine, field: string): Value =>
  (wine as unknown as Record<string, Value | undefined>)[field] ?? null

const idsOf = (wine: IndexedWine, field: string): number[] =>
  (wine as unknown as Record<string, number[] | undefined>)[field] ?? []

const foldedValue = (wine: IndexedWine, field: string): string => {
  const value = field === 'winery' || field === 'winery.name' ? wine.winery?.name : scalarOf(wine, field)
  return fold(String(value ?? ''))
}

/** Folding is the slow part; a wine never changes, it is only replaced as a whole. */
const foldedTexts = new WeakMap<IndexedWine, Map<string, string>>()

const searchedTexts = (wine: IndexedWine): Map<string, string> => {
  const known = foldedTexts.get(wine)
  if (known) return known
  const texts = new Map([...SEARCHED, 'winery'].map(field => [field, foldedValue(wine, field)]))
  foldedTexts.set(wine, texts)
  return texts
}

type Check = (wine: IndexedWine) => boolean

const queryCheck = (query: Asked['query'] = ''): Check => {
  if (typeof query === 'string') {
    const phrase = fold(query)
    return wine =>
      searchedTexts(wine)
        .values()
        .some(text => text.includes(phrase))
  }
  const checks = Object.entries(query).map(([field, asked]): Check => {
    if (LISTS.includes(field)) return wine => idsOf(wine, field).includes(+(asked as string))
    const phrase = fold(String(asked))
    return wine => (searchedTexts(wine).get(field) ?? foldedValue(wine, field)).includes(phrase)
  })
  return wine => checks.every(check => check(wine))
}

const equals = (field: string, value: Value, wanted: unknown): boolean => {
  if (value === null || wanted === null) return value === wanted
  return TEXTS.has(field) ? value === wanted : +value === +(wanted as string)
}

const filterCheck = (filter: Record<string, unknown> = {}): Check => {
  const checks = Object.entries(filter).map(([field, wanted]): Check => {
    const any = Array.isArray(wanted) ? wanted : [wanted]
    if (!LISTS.includes(field)) return wine => any.some(one => equals(field, scalarOf(wine, field), one))
    return wine => {
      const ids = idsOf(wine, field)
      return any.some(one => (one === null ? ids.length === 0 : ids.includes(+(one as string))))
    }
  })
  return wine => checks.every(check => check(wine))
}

const german = new Intl.Collator('de')

const ascending = (field: string, a: Value, b: Value): number => {
  if (a === null && b === null) return 0
  if (a === null) return 1
  if (b === null) return -1
  return TEXTS.has(field) ? german.compare(a as string, b as string) : +a - +b
}

const comparison = (orderBy: string) => {
  const terms = orderBy.split(',').map(term => term.trim().split(' '))
  return (a: IndexedWine, b: IndexedWine): number => {
    for (const [field = '', direction = 'ASC'] of terms) {
      const difference = ascending(field, scalarOf(a, field), scalarOf(b, field))
      if (difference !== 0) return direction.toUpperCase() === 'DESC' ? -difference : difference
    }
    return a.id - b.id
  }
}

/** The answer to a search by looking at every wine. */
export const searchByHand = (wines: IndexedWine[], asked: Asked): { total: number; ids: number[] } => {
  const { query, filter, flags, orderBy = 'chstamp DESC, name ASC', start, max } = asked
  const checks = [filterCheck(flags), filterCheck(filter), queryCheck(query)]
  const hits = wines.filter(wine => checks.every(check => check(wine))).sort(comparison(orderBy))
  return { total: hits.length, ids: hits.slice(start, start + max).map(wine => wine.id) }
}

/** The distinct values of a field among the wines that pass a filter, by looking at every wine. */
export const distinctByHand = (wines: IndexedWine[], field: string, filter: Record<string, unknown>): Value[] => {
  const values = wines
    .filter(filterCheck(filter))
    .flatMap(wine => (LISTS.includes(field) ? idsOf(wine, field) : [scalarOf(wine, field)]))
    .filter(value => value !== null)
  return [...new Set(values)].sort().sort((a, b) => ascending(field, a, b))
}
