import synonyms from '../../../shared/contract/labels/grape-synonyms.json' with { type: 'json' }
import { type Label, type Labels, labelIn, labels, languages, type Synonyms } from '../../../shared/contract/labels.ts'
import { plain } from './plain.ts'
import words from './words.json' with { type: 'json' }

/** The facets that words are understood as. Of two that a word may mean, the one that is named first. */
export const wordFacets = [
  ...(['countrycode', 'type', 'taste_id', 'region', 'grapetypeIds', 'bio', 'vegan', 'quality'] as const),
] as const
export type WordFacet = (typeof wordFacets)[number]

/**
 * A value that something is called by, and the name as it is written. Regions and qualities are those of a country. `isPart` where it is only a part of a
 * name, such as "trocken" of "sec (trocken)": another value with that very name goes before.
 */
export type Meaning = { facet: WordFacet; value: string; name: string; country?: string; isPart: boolean }

const namesOf = (label: Label): string[] => [...new Set(languages.map(language => labelIn(language, label)))]

// A shorter part is a word of some language, such as "DO".
const shortestPart = 3

/** The parts of a name that are names themselves: "brut" and "herb" of "brut (herb)", "Kamptal" of "Kamptal DAC". */
const partsOf = (name: string): string[] =>
  [...name.split(/[(),/]/), name.replace(/ DAC$/, '')]
    .map(part => part.trim())
    .filter(part => part.length >= shortestPart && part !== name)

type Named = { facet: WordFacet; value: string; names: readonly string[]; country?: string }

const ofTable = (facet: WordFacet, table: Labels, country?: string): Named[] =>
  Object.entries(table).map(([value, label]) => ({ facet, value, names: namesOf(label), ...(country && { country }) }))

const ofCountries = (facet: WordFacet, tables: Readonly<Record<string, Labels>>): Named[] =>
  Object.entries(tables).flatMap(([country, table]) => ofTable(facet, table, country))

const grapesOfManyNames: readonly Synonyms[] = synonyms

/** Every id of a grape has all the names of the grape. */
const grapes = (): Named[] =>
  grapesOfManyNames.flatMap(ids => {
    const names = Object.values(ids).flatMap(own => own ?? [])
    return Object.keys(ids).map(value => ({ facet: 'grapetypeIds' as const, value, names }))
  })

const countryOfRegion = (region: string): string | undefined =>
  Object.entries<Labels>(labels.wineregions).find(([, regions]) => region in regions)?.[0]

const further = (): Named[] => {
  const { fillers: _, ...byFacet } = words
  return Object.entries(byFacet).flatMap(([facet, values]) =>
    Object.entries<readonly string[]>(values).map(([value, names]) => {
      const country = facet === 'region' ? countryOfRegion(value) : undefined
      return { facet: facet as WordFacet, value, names, ...(country && { country }) }
    }),
  )
}

const allNamed = (): Named[] => [
  ...ofTable('countrycode', labels.countries),
  ...ofTable('type', labels.winetypes),
  ...ofTable('taste_id', labels.tastes),
  ...ofCountries('region', labels.wineregions),
  ...grapes(),
  ...ofTable('grapetypeIds', labels.grapetypes),
  ...ofCountries('quality', labels.qualitytypes),
  ...further(),
]

const made = (): Map<string, Meaning[]> => {
  const lexicon = new Map<string, Meaning[]>()
  const add = (name: string, meaning: Omit<Meaning, 'name'>) => {
    const key = plain(name)
    if (key) lexicon.set(key, [...(lexicon.get(key) ?? []), { ...meaning, name }])
  }
  for (const { names, ...value } of allNamed())
    for (const name of names) {
      add(name, { ...value, isPart: false })
      for (const part of partsOf(name)) add(part, { ...value, isPart: true })
    }
  return lexicon
}

/** What each name means, in plain form: labels in all languages, synonyms of grapes, and further words of buyers. */
export const lexicon: ReadonlyMap<string, readonly Meaning[]> = made()

/** The number of words of the longest name. */
export const longestName = Math.max(...[...lexicon.keys()].map(name => name.split(' ').length))

/** Words that say nothing beside words that were understood: "Wein aus Italien" is what "Italien" is. */
export const fillers: ReadonlySet<string> = new Set(words.fillers.map(plain))
