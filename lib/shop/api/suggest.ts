import { type Labels, labelOf, labels } from '../../../shared/contract/labels.ts'
import { type Cellar, type Known, readCellar } from '../search/cellar.ts'
import { lexicon, type Meaning } from '../search/lexicon.ts'
import { plain } from '../search/plain.ts'
import { type Filter, meaningsOf, understood } from '../search/understand.ts'
import type { Language, Visit } from '../visit.ts'

const most = { wines: 5, wineries: 2, labels: 3 }
const shortest = 2

/** What of some things begins like what was typed: those at their start first, then those at a later word of theirs. */
const beginning = <One>(things: readonly Known<One>[], typed: string, size: number): One[] => {
  const first = things.filter(({ plain }) => plain.startsWith(typed))
  const later = things.filter(({ plain }) => !plain.startsWith(typed) && plain.includes(` ${typed}`))
  return [...first, ...later].slice(0, size).map(({ one }) => one)
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

/** Some values by which wines are narrowed, what they are called, and how many wines they leave. */
type Suggested = { facet: string; name: string; filter: Filter; total: number }

const labelsFor = ({ sold, count }: Cellar, typed: string, language: Language): Suggested[] => {
  const found = new Map<string, Suggested>()
  for (const known of lexicon.keys()) {
    const [meaning] = known.startsWith(typed) ? meaningsOf(known, sold) : []
    if (!meaning) continue
    const { filter } = understood(known, sold)
    const key = JSON.stringify(filter)
    if (found.has(key)) continue
    found.set(key, { facet: meaning.facet, name: nameOf(meaning, language), filter, total: count(filter) })
  }
  return [...found.values()].toSorted((one, other) => other.total - one.total).slice(0, most.labels)
}

const wineriesFor = ({ wineries }: Cellar, typed: string): Suggested[] =>
  beginning(wineries, typed, most.wineries).map(({ id, name, total }) => ({
    ...{ facet: 'winery_id', name, total },
    filter: { winery_id: [String(id)] },
  }))

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
    wines: beginning(cellar.wines, typed, most.wines).map(({ id, name, path_segment, vintage, winery }) => ({
      ...{ id, name, path_segment, vintage, winery },
    })),
  }
}
