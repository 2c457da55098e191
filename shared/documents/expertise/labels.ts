import type { Language } from '../../contract/labels/labels.ts'
import type { Wine } from '../../contract/records/wine.ts'

const german = {
  alcohol: 'Alkohol',
  sugar: 'Restzucker',
  acid: 'Säure',
  bottle: 'Inhalt',
  temperature: 'Trinktemperatur',
  taste: 'Geschmack',
  quality: 'Qualität',
  grapes: 'Rebsorten',
  cuvee: 'Cuvée',
  origin: 'Herkunft',
  producer: 'Erzeuger',
  bottling: 'Abfüllung',
  cap: 'Verschluss',
  allergens: 'Allergene',
  articlenumber: 'Artikelnummer',
  gtin: 'GTIN',
  price: 'Preis',
  perLitre: 'je Liter',
  taxIncluded: 'inkl. {rate} % MwSt.',
  terroir: 'Terroir',
  maturation: 'Ausbau',
  winery: 'Das Weingut',
  food: 'Dazu passt',
  grapeText: 'Die Rebsorte',
  region: 'Die Region',
  bio: 'Bio',
  vegan: 'Vegan',
  asOf: 'Stand',
  wine: 'Wein',
}

/** The fixed words of the sheet, one per heading or remark; `taxIncluded` contains the placeholder `{rate}`. */
export type Labels = Record<keyof typeof german, string>

const english: Labels = {
  alcohol: 'Alcohol',
  sugar: 'Residual sugar',
  acid: 'Acidity',
  bottle: 'Bottle size',
  temperature: 'Serve at',
  taste: 'Taste',
  quality: 'Quality',
  grapes: 'Grapes',
  cuvee: 'Blend',
  origin: 'Origin',
  producer: 'Producer',
  bottling: 'Bottling',
  cap: 'Closure',
  allergens: 'Allergens',
  articlenumber: 'Item number',
  gtin: 'GTIN',
  price: 'Price',
  perLitre: 'per litre',
  taxIncluded: 'incl. {rate} % VAT',
  terroir: 'Terroir',
  maturation: 'Maturation',
  winery: 'The winery',
  food: 'Goes well with',
  grapeText: 'The grape',
  region: 'The region',
  bio: 'Organic',
  vegan: 'Vegan',
  asOf: 'As of',
  wine: 'Wine',
}

/** English for an English record, German (the service's default language) for every other. */
export const languageOf = (wine: Pick<Wine, 'language'>): Language => (wine.language === 'en' ? 'en' : 'de')

/** The locale for numbers, money and dates of a language. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : 'de-DE')

/** The sheet's words in a language; a caller's own words replace single words. */
export const labelsFor = (language: Language, own: Partial<Labels> = {}): Labels => ({
  ...(language === 'en' ? english : german),
  ...own,
})
