import synonyms from '../../../shared/contract/labels/grape-synonyms.json' with { type: 'json' }
import { type Labels, labelIn, labels, languages, type Synonyms } from '../../../shared/contract/labels/labels.ts'
import { normalize } from './normalize.ts'
import words from './words.json' with { type: 'json' }

/** The facets that words can name. If a word names two, the first applies. */
export const wordFacets = [
  ...(['countrycode', 'type', 'taste_id', 'region', 'grapetypeIds', 'bio', 'vegan', 'quality'] as const),
] as const
export type WordFacet = (typeof wordFacets)[number]

/**
 * A facet value with one of its names. Regions and qualities have a country. `isPart` for a part of a longer name, such as
 * "trocken" of "sec (trocken)": a value with exactly that name comes first.
 */
export type Meaning = { facet: WordFacet; value: string; name: string; country?: string; isPart: boolean }

// A shorter part is a word of some language, such as "DO".
const minPart = 3

/** The parts of a name that are names themselves: "brut" and "herb" of "brut (herb)", "Kamptal" of "Kamptal DAC". */
const partsOf = (name: string): string[] =>
  [...name.split(/[(),/]/), name.replace(/ DAC$/, '')]
    .map(part => part.trim())
    .filter(part => part.length >= minPart && part !== name)

type NamedValue = { facet: WordFacet; value: string; names: readonly string[]; country?: string }

const namedValuesOf = (facet: WordFacet, table: Labels, country?: string): NamedValue[] =>
  Object.entries(table).map(([value, label]) => ({
    ...{ facet, value, names: [...new Set(languages.map(language => labelIn(language, label)))] },
    ...(country && { country }),
  }))

const byCountry = (facet: WordFacet, tables: Readonly<Record<string, Labels>>): NamedValue[] =>
  Object.entries(tables).flatMap(([country, table]) => namedValuesOf(facet, table, country))

/** Every id of a grape has all the names of the grape. */
const grapes = (): NamedValue[] =>
  (synonyms as readonly Synonyms[]).flatMap(ids => {
    const names = Object.values(ids).flatMap(own => own ?? [])
    return Object.keys(ids).map(value => ({ facet: 'grapetypeIds' as const, value, names }))
  })

const countryOfRegion = (region: string): string | undefined =>
  Object.entries<Labels>(labels.wineregions).find(([, regions]) => region in regions)?.[0]

const { fillers: fillerWords, ...wordsByFacet } = words

const furtherWords = (): NamedValue[] =>
  Object.entries(wordsByFacet).flatMap(([facet, values]) =>
    Object.entries<readonly string[]>(values).map(([value, names]) => {
      const country = facet === 'region' ? countryOfRegion(value) : undefined
      return { facet: facet as WordFacet, value, names, ...(country && { country }) }
    }),
  )

const buildLexicon = (): Map<string, Meaning[]> => {
  const lexicon = new Map<string, Meaning[]>()
  const add = (name: string, meaning: Omit<Meaning, 'name'>) => {
    const key = normalize(name)
    if (key) lexicon.set(key, [...(lexicon.get(key) ?? []), { ...meaning, name }])
  }
  const values = [
    ...namedValuesOf('countrycode', labels.countries),
    ...namedValuesOf('type', labels.winetypes),
    ...namedValuesOf('taste_id', labels.tastes),
    ...byCountry('region', labels.wineregions),
    ...grapes(),
    ...namedValuesOf('grapetypeIds', labels.grapetypes),
    ...byCountry('quality', labels.qualitytypes),
    ...furtherWords(),
  ]
  for (const { names, ...value } of values)
    for (const name of names) {
      add(name, { ...value, isPart: false })
      for (const part of partsOf(name)) add(part, { ...value, isPart: true })
    }
  return lexicon
}

/** The meanings of each normalized name: labels in all languages, synonyms of grapes, and further words of buyers. */
export const lexicon: ReadonlyMap<string, readonly Meaning[]> = buildLexicon()

/** In words. */
export const longestName = Math.max(...[...lexicon.keys()].map(name => name.split(' ').length))

/** Words to ignore next to words that became filters: "Wein aus Italien" means "Italien". */
export const fillers: ReadonlySet<string> = new Set(fillerWords.map(normalize))
