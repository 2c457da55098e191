import type { Wine } from '../../shared/contract/records/wine.ts'
import { filterFields, idLists, scalarFields, searchableFields } from '../../shared/contract/records/wine-fields.ts'
import type { Answer } from './harness.ts'
import { type Chance, WORDS } from './indexed-wines.ts'
import { searchByScan } from './search-oracle.ts'

/** A request to a list of wines, as a client writes it. */
export type Question = {
  query?: string | Record<string, unknown>
  filter?: Record<string, unknown>
  orderBy?: string
  page?: number | string
  pageSize?: number | string
  max?: number | string
  inshop?: unknown
  inwinelist?: unknown
  winery_id?: number
}

const textOf = (wine: Wine, field: string): string =>
  String((field === 'winery.name' ? wine.winery?.name : wine[field as keyof Wine]) ?? '')

const respelled = (text: string, { pick }: Chance): string =>
  pick([
    text,
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    text.normalize('NFD'),
    text.replaceAll('ss', 'ß'),
    text.replaceAll('ß', 'ẞ'),
  ])

/** A piece of a field, in characters, so that no emoji is cut in half. */
const pieceOf = (text: string, chance: Chance): string => {
  const signs = [...text]
  const start = chance.below(signs.length)
  return respelled(signs.slice(start, start + chance.pick([1, 2, 4, 8, 30])).join(''), chance)
}

// Half a character is no text that JSON in UTF-8 can carry.
const words = WORDS.filter(word => word.isWellFormed())

const anyQuery = (wine: Wine, chance: Chance): string =>
  chance.happens(0.3)
    ? respelled(chance.pick(words), chance)
    : pieceOf(textOf(wine, chance.pick(searchableFields)), chance)

const anyPhrases = (wine: Wine, chance: Chance): Record<string, unknown> => {
  const phraseOf = (): [string, unknown] => {
    if (chance.happens(0.25)) {
      const list = chance.pick(idLists)
      const id = chance.pick([...wine[list], 1 + chance.below(9)])
      return [list, chance.pick([id, String(id)])]
    }
    const field = chance.pick([...searchableFields, ...scalarFields])
    return [field, pieceOf(textOf(wine, field), chance)]
  }
  return Object.fromEntries(Array.from({ length: chance.pick([1, 1, 2, 3]) }, phraseOf))
}

const anyFilter = (wines: readonly Wine[], chance: Chance): Record<string, unknown> => {
  const someValueOf = (field: (typeof filterFields)[number]): unknown => {
    const value = chance.pick(wines)[field]
    const one = Array.isArray(value) ? (value.length > 0 ? chance.pick(value) : null) : value
    const isFlag = typeof one === 'number' && ['bio', 'vegan', 'cuvee', 'topseller', 'shop', 'public'].includes(field)
    if (isFlag) return chance.pick([one, String(one), one === 1])
    return typeof one === 'number' ? chance.pick([one, String(one)]) : one
  }
  const conditionOf = (): [string, unknown] => {
    const field = chance.pick(filterFields)
    return [
      field,
      chance.happens(0.5) ? someValueOf(field) : Array.from({ length: chance.below(5) }, () => someValueOf(field)),
    ]
  }
  return Object.fromEntries(Array.from({ length: chance.pick([1, 1, 2]) }, conditionOf))
}

const anyOrder = ({ pick }: Chance, fields: readonly string[]): string =>
  [...new Set(Array.from({ length: pick([1, 1, 2, 5]) }, () => pick(fields)))]
    .map(field => `${field}${pick(['', ' ASC', ' desc'])}`)
    .join(', ')

const anyPage = ({ pick, below }: Chance): Partial<Question> =>
  pick<Partial<Question>>([
    {},
    { page: 1 + below(9) },
    { pageSize: 100, page: 1 + below(3) },
    { pageSize: String(1 + below(40)), page: String(1 + below(5)) },
    { pageSize: 1000 },
    { max: 1 + below(30) },
    { max: 150, page: 2 },
    { max: 3, pageSize: 7 },
  ])

/** A request with any of its parameters, in any of the spellings that clients use; its order is one of some fields. */
export const anyQuestion = (
  wines: readonly Wine[],
  chance: Chance,
  sortFields: readonly string[] = scalarFields,
): Question => {
  const { pick, happens } = chance
  const kind = pick(['text', 'text', 'phrases', 'phrases', 'none'])
  return {
    ...(kind === 'text' && { query: anyQuery(pick(wines), chance) }),
    ...(kind === 'phrases' && { query: anyPhrases(pick(wines), chance) }),
    ...(happens(0.5) && { filter: anyFilter(wines, chance) }),
    ...(happens(0.6) && { orderBy: anyOrder(chance, sortFields) }),
    ...(happens(0.2) && { inshop: pick([1, '1', true, 0]) }),
    ...(happens(0.2) && { inwinelist: pick([1, '1', true, false]) }),
    ...anyPage(chance),
  }
}

const isOn = (flag: unknown): boolean => flag === 1 || flag === '1' || flag === true

/** The right answer to a request, by looking at every wine. */
export const answerByScan = (
  wines: readonly Wine[],
  question: Question,
): { ids: number[]; totalCount: number; pages: { current: number; total: number; size: number } } => {
  const { query, filter, orderBy, inshop, inwinelist, winery_id } = question
  const pageSize = question.pageSize === undefined ? undefined : Math.min(100, Number(question.pageSize))
  const max = question.max === undefined ? undefined : Number(question.max)
  const size = pageSize ?? (max === undefined ? 16 : Math.min(100, max))
  const limit = pageSize === undefined && max !== undefined ? max : Number.POSITIVE_INFINITY
  const current = Number(question.page ?? 1)
  const start = (current - 1) * size
  const { total, ids } = searchByScan(
    winery_id === undefined ? wines : wines.filter(wine => wine.winery_id === winery_id),
    {
      ...(query !== undefined && { query }),
      ...(filter && { filter }),
      ...(orderBy && { orderBy }),
      flags: {
        ...((isOn(inshop) || isOn(inwinelist)) && { active: 1 }),
        ...(isOn(inshop) && { shop: 1 }),
        ...(isOn(inwinelist) && { public: 1 }),
      },
      start,
      max: Math.max(0, Math.min(size, limit - start)),
    },
  )
  const totalCount = Math.min(total, limit)
  return { ids, totalCount, pages: { current, total: Math.max(1, Math.ceil(totalCount / size)), size } }
}

/** The ids that a list answered. */
export const idsOf = ({ json }: Answer): number[] => json.data.map(({ id }: Wine) => id)

/** The answer of a list, in the form of answerByScan. */
export const found = (answer: Answer) => ({
  ids: idsOf(answer),
  totalCount: answer.json.totalCount,
  pages: answer.json.pages,
})
