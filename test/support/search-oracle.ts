import type { IndexedWine } from '../../shared/search/row.ts'
import { fold } from '../../shared/values/text.ts'

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
  ...['nostocktext', 'quality', 'quality_note', 'bottling_type', 'path_segment', 'language', 'crstamp', 'chstamp'],
  ...['gtin', 'terroir', 'maturation', 'cap', 'expertisePdf', 'hash'],
])

const scalarOf = (wine: object, field: string): Value => (wine as Record<string, Value | undefined>)[field] ?? null
const idsOf = (wine: object, field: string): number[] => (wine as Record<string, number[] | undefined>)[field] ?? []

const foldedValue = (wine: IndexedWine, field: string): string => {
  const value = field === 'winery' || field === 'winery.name' ? wine.winery?.name : scalarOf(wine, field)
  return fold(String(value ?? ''))
}

// Folding is slow; wines are immutable.
const foldedTexts = new WeakMap<IndexedWine, string[]>()

const searchedTexts = (wine: IndexedWine): string[] => {
  const texts = foldedTexts.get(wine) ?? SEARCHED.map(field => foldedValue(wine, field))
  foldedTexts.set(wine, texts)
  return texts
}

const german = new Intl.Collator('de')

const ascending = (field: string, a: Value, b: Value): number => {
  if (a === null && b === null) return 0
  if (a === null) return 1
  if (b === null) return -1
  return TEXTS.has(field) ? german.compare(a as string, b as string) : +a - +b
}

/** The rank of each wine's value among all values of the field; equal values share a rank. */
const placesOf = (field: string, values: readonly Value[]): number[] => {
  const sorted = [...new Set(values)].sort((a, b) => ascending(field, a, b))
  let place = 0
  const places = new Map(
    sorted.map((value, n) => {
      if (n > 0 && ascending(field, sorted[n - 1] as Value, value) !== 0) place++
      return [value, place]
    }),
  )
  return values.map(value => places.get(value) ?? 0)
}

const memoized = <T>(make: (field: string) => T): ((field: string) => T) => {
  const known = new Map<string, T>()
  return field => {
    const value = known.get(field) ?? make(field)
    known.set(field, value)
    return value
  }
}

/** The wines by field, memoized: the same wines are searched hundreds of times. */
const columnsOf = (wines: readonly IndexedWine[]) => {
  const texts = wines.map(searchedTexts)
  const values = memoized(field => wines.map(wine => scalarOf(wine, field)))
  return {
    texts,
    allTexts: texts.map(all => all.join('\n')),
    values,
    ids: memoized(field => wines.map(wine => idsOf(wine, field))),
    folded: memoized(field => {
      const at = SEARCHED.indexOf(field)
      return wines.map((wine, row) => texts[row]?.[at] ?? foldedValue(wine, field))
    }),
    places: memoized(field => placesOf(field, values(field))),
  }
}

type Columns = ReturnType<typeof columnsOf>

const knownColumns = new WeakMap<readonly IndexedWine[], Columns>()

const columnsOfAll = (wines: readonly IndexedWine[]): Columns => {
  const columns = knownColumns.get(wines) ?? columnsOf(wines)
  knownColumns.set(wines, columns)
  return columns
}

type Check = (row: number) => boolean

const queryChecks = ({ texts, allTexts, ids, folded }: Columns, query: Asked['query'] = ''): Check[] => {
  if (typeof query === 'string') {
    const phrase = fold(query)
    // The joined texts first: they exclude most wines. A match may still cross two texts.
    return [
      row => allTexts[row]?.includes(phrase) ?? false,
      row => texts[row]?.some(text => text.includes(phrase)) ?? false,
    ]
  }
  return Object.entries(query).map(([field, asked]): Check => {
    if (LISTS.includes(field)) {
      const lists = ids(field)
      return row => lists[row]?.includes(+(asked as string)) ?? false
    }
    const phrase = fold(String(asked))
    const column = folded(field)
    return row => column[row]?.includes(phrase) ?? false
  })
}

/** Compares with a value of a filter: texts exactly, numbers as numbers, null only as null. */
const equality = (field: string, wanted: unknown): ((value: Value | undefined) => boolean) => {
  if (wanted === null || TEXTS.has(field)) return value => value === wanted
  const number = +(wanted as string)
  return value => value !== null && +(value as string) === number
}

const filterChecks = ({ values, ids }: Columns, filter: Record<string, unknown> = {}): Check[] =>
  Object.entries(filter).map(([field, wanted]): Check => {
    const any = Array.isArray(wanted) ? wanted : [wanted]
    if (!LISTS.includes(field)) {
      const equals = any.map(one => equality(field, one))
      const column = values(field)
      return row => equals.some(equal => equal(column[row]))
    }
    const lists = ids(field)
    return row => {
      const list = lists[row] ?? []
      return any.some(one => (one === null ? list.length === 0 : list.includes(+(one as string))))
    }
  })

const comparison = (wines: readonly IndexedWine[], { places }: Columns, orderBy: string) => {
  const terms = orderBy.split(',').map(term => {
    const [field = '', direction = 'ASC'] = term.trim().split(' ')
    return { column: places(field), sign: direction.toUpperCase() === 'DESC' ? -1 : 1 }
  })
  return (a: number, b: number): number => {
    for (const { column, sign } of terms) {
      const difference = (column[a] ?? 0) - (column[b] ?? 0)
      if (difference !== 0) return sign * difference
    }
    return (wines[a]?.id ?? 0) - (wines[b]?.id ?? 0)
  }
}

const passing = (wines: readonly IndexedWine[], checks: readonly Check[]): number[] =>
  [...wines.keys()].filter(row => checks.every(check => check(row)))

/** The answer to a search by a scan of all wines. */
export const searchByScan = (wines: readonly IndexedWine[], asked: Asked): { total: number; ids: number[] } => {
  const { query, filter, flags, orderBy = 'chstamp DESC, name ASC', start, max } = asked
  const columns = columnsOfAll(wines)
  const checks = [...filterChecks(columns, flags), ...filterChecks(columns, filter), ...queryChecks(columns, query)]
  const hits = passing(wines, checks).sort(comparison(wines, columns, orderBy))
  return { total: hits.length, ids: hits.slice(start, start + max).map(row => (wines[row] as IndexedWine).id) }
}

/** The distinct values of a field among the wines that pass a filter, by a scan of all wines. */
export const distinctByScan = (
  wines: readonly IndexedWine[],
  field: string,
  filter: Record<string, unknown>,
): Value[] => {
  const columns = columnsOfAll(wines)
  const values = passing(wines, filterChecks(columns, filter))
    .flatMap(row => (LISTS.includes(field) ? (columns.ids(field)[row] ?? []) : [columns.values(field)[row] ?? null]))
    .filter(value => value !== null)
  return [...new Set(values)].sort().sort((a, b) => ascending(field, a, b))
}
