import { filterFields, idLists, scalarFields, searchableFields } from '../../shared/contract/records/wine-fields.ts'
import type { IndexedWine } from '../../shared/search/row.ts'
import { type Change, SearchIndex } from '../../shared/search/search-index.ts'
import { type Chance, chanceOf, WORDS, wineOf } from '../support/indexed-wines.ts'
import { restored as unpacked } from '../support/restored-index.ts'
import { repetitions } from '../support/sampling.ts'
import { type Asked, distinctByScan, searchByScan } from '../support/search-oracle.ts'
import { parseFields, parseFilter, parseQuery, parseSortOrder } from '../support/search-parameters.ts'

// npm run test:long runs more.
const EPOCHS = repetitions('SEARCH_EPOCHS', 2)
const SEARCHES = 500
const WINES = 1220

const fieldText = (wine: IndexedWine, field: string): string => {
  const value = field.startsWith('winery.') ? wine.winery?.name : (wine as Record<string, unknown>)[field]
  return String(value ?? '')
}

const respelled = (text: string, { pick }: Chance): string =>
  pick([
    text,
    text.toLowerCase(),
    text.toUpperCase(),
    text.normalize('NFD'),
    text.replaceAll('ß', 'ẞ'),
    text.replaceAll('ss', 'ß'),
  ])

/** A random piece of a text, one or two letters as often as several words. */
const pieceOf = (text: string, chance: Chance): string => {
  const start = chance.below(text.length)
  const length = chance.pick([1, 2, 3, 4, 8, 1 + chance.below(40), 1 + chance.below(120)])
  return respelled(text.slice(start, start + length), chance)
}

const anyQuery = (wine: IndexedWine, chance: Chance): string => {
  const { pick, below, happens } = chance
  if (happens(0.15)) return respelled(pick(WORDS), chance)
  if (happens(0.1))
    return pick([...'abcdefghijklmnopqrstuvwxyzäöüß0123456789 -"„“.,()\n', ', ', '. ', ' -', 'd ', ' u'])
  if (happens(0.05)) {
    const border = below(searchableFields.length - 1)
    return (
      fieldText(wine, searchableFields[border] as string).slice(-2) +
      fieldText(wine, searchableFields[border + 1] as string).slice(0, 2)
    )
  }
  return pieceOf(fieldText(wine, pick(searchableFields)), chance)
}

const anyPhrases = (wine: IndexedWine, chance: Chance): Record<string, unknown> => {
  const { pick, happens } = chance
  const phraseOf = (): [string, unknown] => {
    if (happens(0.2)) {
      const list = pick(idLists)
      const ids = [...(wine[list] ?? []), 1 + chance.below(9)]
      return [list, happens(0.5) ? pick(ids) : String(pick(ids))]
    }
    const field = happens(0.5) ? pick(searchableFields) : pick(scalarFields)
    return [field, happens(0.05) ? respelled(pick(WORDS), chance) : pieceOf(fieldText(wine, field), chance)]
  }
  return Object.fromEntries(Array.from({ length: pick([1, 1, 1, 2, 2, 3]) }, phraseOf))
}

const anyFilter = (wines: IndexedWine[], chance: Chance, size: number): Record<string, unknown> => {
  const { pick, happens } = chance
  const anyValueOf = (field: keyof IndexedWine): unknown => {
    const value = pick(wines)[field] ?? null
    const one = Array.isArray(value) ? (value.length > 0 ? pick(value as number[]) : null) : value
    if ((one === 0 || one === 1) && happens(0.3)) return !/_id|Ids/.test(field) ? one === 1 : 1
    if (one === 0 && /_id|Ids/.test(field)) return 1
    return typeof one === 'number' && happens(0.3) ? String(one) : one
  }
  const conditionOf = (): [string, unknown] => {
    const field = pick(filterFields)
    return [field, happens(0.5) ? anyValueOf(field) : Array.from({ length: chance.below(5) }, () => anyValueOf(field))]
  }
  return Object.fromEntries(Array.from({ length: size }, conditionOf))
}

const anyOrder = (chance: Chance): string => {
  const { pick } = chance
  const fields = new Set(Array.from({ length: pick([1, 1, 2, 3, 5]) }, () => pick(scalarFields)))
  return [...fields].map(field => `${field}${pick(['', ' ASC', ' DESC', ' asc', ' desc'])}`).join(pick([',', ', ']))
}

/** Few orders are repeated, as in a shop; sorting by new orders would take most of the test's time. */
const anySearch = (wines: IndexedWine[], usual: string[], chance: Chance): Asked => {
  const { pick, happens, below } = chance
  const wine = pick(wines)
  const kind = pick(['text', 'text', 'text', 'phrases', 'phrases', 'phrases', 'none'])
  return {
    ...(kind === 'text' && { query: anyQuery(wine, chance) }),
    ...(kind === 'phrases' && { query: anyPhrases(wine, chance) }),
    ...(happens(0.6) && { filter: anyFilter(wines, chance, pick([1, 1, 2, 3])) }),
    ...(happens(0.3) && { flags: { [pick(['shop', 'public', 'active'])]: 1 as const } }),
    ...(happens(0.7) && { orderBy: happens(0.3) ? anyOrder(chance) : pick(usual) }),
    ...pick([
      { start: 0, max: 16 },
      { start: below(200), max: below(100) },
      { start: below(WINES), max: 16 },
      { start: 0, max: 5000 },
    ]),
  }
}

const searchIndex = (index: SearchIndex, { query, filter, flags, orderBy, start, max }: Asked) => {
  const [text, conditions, order] = [parseQuery(query), parseFilter(filter), parseSortOrder(orderBy)]
  const problems = [text, conditions, order].flatMap(({ problems = [] }) => problems)
  if (problems.length > 0) throw new Error(JSON.stringify({ query, filter, orderBy, problems }))
  return index.search({ query: text.value, filter: conditions.value, order: order.value, flags, start, max })
}

/** An index and its plain counterpart, changed together. */
const changing = (chance: Chance) => {
  const wines = new Map<number, IndexedWine>()
  let version = 0
  return {
    wines: () => [...wines.values()],
    change: (count: number, removing: number): Change[] =>
      Array.from({ length: count }, () => {
        const id = 1 + chance.below(WINES)
        version += chance.below(2)
        if (chance.happens(removing)) {
          wines.delete(id)
          return { version, id, removed: true }
        }
        const wine = wineOf(id, chance)
        wines.set(id, wine)
        return { version, wine }
      }),
  }
}

test('new, changed and restored indexes answer random searches like a scan of all wines', () => {
  const chance = chanceOf(20260101)
  const content = changing(chance)
  const changed = new SearchIndex()
  let restored = new SearchIndex()
  const first = content.change(WINES * 3, 0.05)
  changed.apply(first)
  restored.apply(first)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const changes = content.change(epoch === 0 ? 0 : chance.pick([0, 1, 30, 300, 700]), 0.15)
    for (const change of changes) changed.apply([change])
    if (epoch % 2 === 0) restored = unpacked(restored)
    restored.apply(changes)
    if (epoch % 4 > 1) restored = unpacked(restored)
    const wines = content.wines()
    expect(wines.length).toBeGreaterThanOrEqual(1000)
    expect([changed.size, restored.size]).toEqual([wines.length, wines.length])
    const indexes = { changed, restored }
    const usual = Array.from({ length: 6 }, () => anyOrder(chance))
    for (let number = 0; number < SEARCHES; number++) compareSearch(indexes, wines, anySearch(wines, usual, chance))
    for (let number = 0; number < 6; number++) compareDistinct(indexes, wines, anyFilter(wines, chance, number % 3))
  }
})

const compareSearch = (indexes: Record<string, SearchIndex>, wines: IndexedWine[], asked: Asked) => {
  const right = searchByScan(wines, asked)
  for (const [name, index] of Object.entries(indexes)) {
    const found = searchIndex(index, asked)
    // The plain comparison first: a matcher for each answer takes longer than the searches.
    if (JSON.stringify(found) !== JSON.stringify(right))
      expect({ name, asked, ...found }).toEqual({ name, asked, ...right })
  }
}

const compareDistinct = (
  indexes: Record<string, SearchIndex>,
  wines: IndexedWine[],
  filter: Record<string, unknown>,
) => {
  const fields = parseFields([...filterFields]).value ?? []
  const right = Object.fromEntries(fields.map(field => [field, distinctByScan(wines, field, filter)]))
  for (const index of Object.values(indexes)) {
    expect(index.distinct(fields, { filter: parseFilter(filter).value })).toEqual(right)
  }
}
