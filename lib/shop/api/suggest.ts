import { type Labels, labelOf, labels } from '../../../shared/contract/labels/labels.ts'
import { lexicon, type Meaning } from '../search/lexicon.ts'
import { normalize } from '../search/normalize.ts'
import { meaningsOf, parseQuery } from '../search/query-filters.ts'
import { type NamedItem, readWineIndex, type WineIndex } from '../search/wine-index.ts'
import type { Language, Visit } from '../visit.ts'
import type { Filter } from '../wine-cache.ts'

const limits = { wines: 5, wineries: 2, labels: 3 }
const minLength = 2

/** Items whose name begins with `typed`, then those with a later word that does. */
const beginningWith = <Item>(items: readonly NamedItem<Item>[], typed: string, limit: number): Item[] => {
  const first = items.filter(({ name }) => name.startsWith(typed))
  const later = items.filter(({ name }) => !name.startsWith(typed) && name.includes(` ${typed}`))
  return [...first, ...later].slice(0, limit).map(({ item }) => item)
}

const tables: Readonly<Record<string, Labels>> = {
  countrycode: labels.countries,
  type: labels.winetypes,
  taste_id: labels.tastes,
}

/** The label of a value; for a grape, which has many names, the name that was typed. */
const labelFor = ({ facet, value, country, name }: Meaning, language: Language): string => {
  const table = facet === 'region' ? (labels.wineregions as Record<string, Labels>)[country ?? ''] : tables[facet]
  return labelOf(table, value, language) ?? name
}

type Suggestion = { facet: string; name: string; filter: Filter; total: number }

const suggestLabels = ({ facets, count }: WineIndex, typed: string, language: Language): Suggestion[] => {
  const suggestions = new Map<string, Suggestion>()
  for (const known of lexicon.keys()) {
    const [meaning] = known.startsWith(typed) ? meaningsOf(known, facets) : []
    if (!meaning) continue
    const { filter } = parseQuery(known, facets)
    const key = JSON.stringify(filter)
    if (suggestions.has(key)) continue
    suggestions.set(key, { facet: meaning.facet, name: labelFor(meaning, language), filter, total: count(filter) })
  }
  return [...suggestions.values()].toSorted((one, other) => other.total - one.total).slice(0, limits.labels)
}

const suggestWineries = ({ wineries }: WineIndex, typed: string): Suggestion[] =>
  beginningWith(wineries, typed, limits.wineries).map(({ id, name, total }) => ({
    ...{ facet: 'winery_id', name, total },
    filter: { winery_id: [String(id)] },
  }))

/** Suggestions for `q` from two letters on: `{ facets: [{ facet, name, filter, total }], wines }`. */
export const suggest = async (visit: Visit) => {
  const typed = normalize(visit.fields.q ?? '')
  if (typed.length < minLength) return { facets: [], wines: [] }
  const index = await readWineIndex(visit)
  return {
    facets: [...suggestLabels(index, typed, visit.language), ...suggestWineries(index, typed)],
    wines: beginningWith(index.wines, typed, limits.wines).map(({ id, name, path_segment, vintage, winery }) => ({
      ...{ id, name, path_segment, vintage, winery },
    })),
  }
}
