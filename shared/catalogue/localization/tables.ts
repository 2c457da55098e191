import de from '../../contract/labels/elabel/de.json' with { type: 'json' }
import en from '../../contract/labels/elabel/en.json' with { type: 'json' }
import { ingredientClasses } from '../../contract/labels/label-tables.ts'
import { type Labels, type Language, labelIn, labels } from '../../contract/labels/labels.ts'

type Names = Record<string, string>

const mapValues = <From, To>(table: Readonly<Record<string, From>>, change: (one: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(table).map(([key, one]) => [key, change(one)]))

const namesIn = (table: Labels, language: Language): Names => mapValues(table, label => labelIn(language, label))

const byCountry = (table: Readonly<Record<string, Labels>>, language: Language): Record<string, Names> =>
  mapValues(table, ofCountry => namesIn(ofCountry, language))

const asRecords = (table: Labels, language: Language): Record<string, { name: string }> =>
  mapValues(table, label => ({ name: labelIn(language, label) }))

const elabelTerms = { de, en }

/** The tables of a language, each in the shape that shops read. */
export const localizationIn = (language: Language) => ({
  countries: namesIn(labels.countries, language),
  wineregions: byCountry(labels.wineregions, language),
  tastes: namesIn(labels.tastes, language),
  winetypes: namesIn(labels.winetypes, language),
  qualitytypes: byCountry(labels.qualitytypes, language),
  grapetypes: asRecords(labels.grapetypes, language),
  units: namesIn(labels.units, language),
  bottlingtypes: namesIn(labels.bottlingtypes, language),
  allergens: asRecords(labels.allergens, language),
  ingredients: asRecords(elabelTerms[language].ingredients, language),
  ingredientclasses: mapValues(ingredientClasses, ({ name }) => ({ name: labelIn(language, name) })),
  packaging: elabelTerms[language].parts,
})
