import { type Labels, labelOf, labels } from '../../../shared/contract/labels.ts'
import type { ListedWine } from '../records.ts'
import { type Cellar, readCellar } from '../search/cellar.ts'
import { lexicon, type Meaning } from '../search/lexicon.ts'
import { plain } from '../search/plain.ts'
import { type Filter, meaningsOf, understood } from '../search/understand.ts'
import type { Language, Visit } from '../visit.ts'

const most = { wines: 5, wineries: 2, labels: 3 }
const shortest = 2

/** Where a word of a text begins like what was typed: 0 at its start, 1 later, undefined nowhere. */
const startIn = (text: string, typed: string): 0 | 1 | undefined => {
  const known = plain(text)
  if (known.startsWith(typed)) return 0
  return known.includes(` ${typed}`) ? 1 : undefined
}

/** What of some things begins like what was typed: those at their start first, else in their order. */
const beginning = <One>(things: Iterable<One>, nameOf: (one: One) => string, typed: string): One[] => {
  const starts = [...things].map(one => ({ one, start: startIn(nameOf(one), typed) }))
  return [0, 1].flatMap(wanted => starts.filter(({ start }) => start === wanted).map(({ one }) => one))
}

const tables: Readonly<Record<string, Labels>> = {
  countrycode: labels.countries,
  type: labels.winetypes,
  taste_id: labels.tastes,
}

/** What a value is called: by its label, or of a grape, which has many names, by the one that begins as was typed. */
const nameOf = ({ facet, value, country, name }: Meaning, language: Language): string => {
  const table = facet === 'region' ? (labels.wineregions as Record<string, Labels>)[country ?? ''] : tables[facet]
  return labelOf(table, value, language) ?? name
}

const has = (wine: ListedWine, filter: Filter): boolean =>
  Object.entries(filter).every(([facet, values]) =>
    [wine[facet as keyof ListedWine]].flat().some(value => values.includes(String(value))),
  )

/** Some values by which wines are narrowed, what they are called, and how many wines they leave. */
type Suggested = { facet: string; name: string; filter: Filter; total: number }

const labelsFor = ({ wines, sold }: Cellar, typed: string, language: Language): Suggested[] => {
  const found = new Map<string, Suggested>()
  for (const known of lexicon.keys()) {
    const [meaning] = startIn(known, typed) === 0 ? meaningsOf(known, sold) : []
    if (!meaning) continue
    const { filter } = understood(known, sold)
    const key = JSON.stringify(filter)
    if (found.has(key)) continue
    const total = wines.filter(wine => has(wine, filter)).length
    found.set(key, { facet: meaning.facet, name: nameOf(meaning, language), filter, total })
  }
  return [...found.values()].toSorted((one, other) => other.total - one.total).slice(0, most.labels)
}

const wineriesFor = ({ wines }: Cellar, typed: string): Suggested[] => {
  const names = new Map(wines.flatMap(({ winery, winery_id }) => (winery ? [[winery_id, winery.name] as const] : [])))
  return beginning(names, ([, name]) => name, typed)
    .slice(0, most.wineries)
    .map(([id, name]) => ({
      ...{ facet: 'winery_id', name, filter: { winery_id: [String(id)] } },
      total: wines.filter(({ winery_id }) => winery_id === id).length,
    }))
}

/**
 * What somebody who types may mean: `{ facets, wines }`. A facet is `{ facet, name, filter, total }`, where `filter` has its
 * values by facet, such as a grape's or a winery's. Nothing before two letters.
 */
export const suggest = async (visit: Visit) => {
  const typed = plain(visit.fields.q ?? '')
  if (typed.length < shortest) return { facets: [], wines: [] }
  const cellar = await readCellar(visit)
  return {
    facets: [...labelsFor(cellar, typed, visit.language), ...wineriesFor(cellar, typed)],
    wines: beginning(cellar.wines, ({ name }) => name, typed)
      .slice(0, most.wines)
      .map(({ id, name, path_segment, vintage, winery }) => ({ id, name, path_segment, vintage, winery })),
  }
}
