import { type Language, regionName } from '../../contract/labels/labels.ts'
import type { Wine } from '../../contract/records/wine.ts'
import type { Winery } from '../../contract/records/winery.ts'
import type { ShownFacts } from '../elabels/rows.ts'
import { foodText, grapeText, regionText } from './background.ts'
import { type FactTexts, factTexts } from './facts.ts'
import type { Labels } from './labels.ts'
import { labelsFor, languageOf, localeOf } from './labels.ts'
import { measure, price, temperature, writtenDay } from './numbers.ts'
import { allergenWord, bottlingWord, capWord, countryName, qualityWord, tasteWord, typeWord } from './terms.ts'

/** The issuer of the sheet, for its footer and the day on it. */
export type Merchant = { name: string } & {
  [Field in 'company' | 'address' | 'zip' | 'city' | 'phone' | 'mail' | 'www' | 'timezone']?: string | null | undefined
}

/** The data besides the wine record. */
export type Details = {
  merchant?: Merchant
  grapeNames?: readonly string[]
  /** Replaces the region's name; needed for regions without a label. */
  regionName?: string
  labels?: Partial<Labels>
  facts?: ShownFacts
  /** The address of the published electronic label. */
  labelUrl?: string | undefined
}

/** A headed part of the sheet; `strong` is the larger type of a price, `note` is small below. */
export type Item = { label: string; value: string; strong?: boolean; note?: string }

/** The contents of the sheet in order; no text or list is empty. */
export type SheetContent = {
  language: Language
  eyebrow: string
  marks: string[]
  name: string
  vintage: string | null
  producer: string
  analysis: Item[]
  facts: Item[]
  description: string | null
  chapters: Item[]
  /** Optional entries, where they fit. */
  more: Item[]
  factTexts: FactTexts | null
  labelUrl: string | null
  merchant: { name: string; contact: string } | null
  asOf: string
}

type Part = string | null | undefined

const present = (parts: readonly Part[]) => parts.map(part => part?.trim() ?? '').filter(part => part !== '')
const joinParts = (separator: string, ...parts: Part[]) => [...new Set(present(parts))].join(separator)

const item = (label: string, value: Part): Item[] => {
  const text = value?.trim()
  return text ? [{ label, value: text }] : []
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const longestCellValue = 16

const analysisOf = (wine: Wine, labels: Labels, locale: string): Item[] => {
  const served = temperature(wine.drinktemperature, locale)
  return [
    ...item(labels.alcohol, measure(wine.alcohol, '% vol', locale, [1, 2])),
    ...item(labels.sugar, measure(wine.sweetness, 'g/l', locale, [1, 2])),
    ...item(labels.acid, measure(wine.acid, 'g/l', locale, [1, 2])),
    ...item(labels.bottle, measure(wine.bottlesize, 'l', locale, [0, 3])),
    ...item(labels.temperature, served && served.length <= longestCellValue ? served : null),
  ]
}

// A temperature in prose ("gut gekühlt, aber nicht eiskalt") is no figure for the analysis.
const servingAdvice = (wine: Wine, labels: Labels, locale: string) => {
  const served = temperature(wine.drinktemperature, locale)
  return item(labels.temperature, served && served.length > longestCellValue ? served : null)
}

const qualityOf = (wine: Wine, language: Language) =>
  joinParts('\n', wine.quality && qualityWord(wine.quality, wine.countrycode, language), wine.quality_note)

const grapesOf = (wine: Wine, names: readonly string[], labels: Labels) =>
  joinParts(': ', wine.cuvee === 1 ? labels.cuvee : null, present(names).join(', '))

const producerOf = (winery: Winery, wine: Wine, language: Language) => {
  const country = winery.countrycode || (winery.address ? wine.countrycode : null)
  return joinParts(
    '\n',
    winery.name,
    winery.company,
    winery.address,
    joinParts(' ', winery.zip, winery.city),
    country && countryName(country, language),
    winery.phone,
    winery.www?.replace(/^https?:\/\//, '').replace(/\/$/, ''),
  )
}

const allergenWords = (wine: Wine, language: Language) => {
  const known = wine.allergenIds.toSorted((a, b) => a - b).map(id => allergenWord(id, language))
  return capitalise(joinParts(', ', ...known))
}

const moreOf = (wine: Wine, language: Language, labels: Labels): Item[] => [
  ...item(labels.winery, wine.winery?.freetext),
  ...item(labels.food, foodText(wine, language)),
  ...item(labels.grapeText, grapeText(wine.grapetypeIds, language)),
  ...item(labels.region, regionText(wine.region, language)),
]

const priceOf = (wine: Wine, labels: Labels, locale: string): Item[] => {
  const shown = price(wine, labels, locale)
  return shown ? [{ label: labels.price, value: shown.amount, strong: true, note: shown.note }] : []
}

const merchantOf = ({ name, company, address, zip, city, phone, mail, www }: Merchant) => ({
  name: joinParts(', ', name, company),
  contact: joinParts(' · ', address, joinParts(' ', zip, city), phone, mail, www),
})

/** Puts a wine record into the words of its sheet: German, or English for an English record. */
export const sheetContent = (wine: Wine, details: Details = {}): SheetContent => {
  const language = languageOf(wine)
  const locale = localeOf(language)
  const labels = labelsFor(language, details.labels)
  const type = typeWord(wine.type, language)
  const region = details.regionName?.trim() || regionName(wine.countrycode, wine.region, language)
  const country = wine.countrycode && countryName(wine.countrycode, language)
  const { winery } = wine
  const figures = analysisOf(wine, labels, locale)
  // A single figure makes no table.
  const [analysis, loneFigure] = figures.length > 1 ? [figures, []] : [[], figures]
  return {
    language,
    eyebrow: joinParts(' · ', type, region ?? country),
    marks: [wine.bio === 1 ? labels.bio : null, wine.vegan === 1 ? labels.vegan : null].filter(mark => mark !== null),
    name: wine.name.trim() || type || labels.wine,
    vintage: wine.vintage ? String(wine.vintage) : null,
    producer: joinParts(', ', winery?.name || winery?.company, winery?.city || wine.place),
    analysis,
    facts: [
      ...loneFigure,
      ...item(labels.taste, tasteWord(wine.taste_id ?? 0, language)),
      ...item(labels.quality, qualityOf(wine, language)),
      ...item(labels.grapes, grapesOf(wine, details.grapeNames ?? [], labels)),
      ...item(
        labels.origin,
        joinParts('\n', wine.place === region ? null : wine.place, joinParts(', ', region, country)),
      ),
      ...item(labels.producer, winery && producerOf(winery, wine, language)),
      ...item(labels.bottling, wine.bottling_type && bottlingWord(wine.bottling_type, language)),
      ...item(labels.cap, wine.cap && capWord(wine.cap, language)),
      ...servingAdvice(wine, labels, locale),
      ...item(labels.allergens, allergenWords(wine, language)),
      ...item(labels.articlenumber, wine.articlenumber),
      ...item(labels.gtin, wine.gtin),
      ...priceOf(wine, labels, locale),
    ],
    description: wine.description?.trim() || null,
    chapters: [...item(labels.terroir, wine.terroir), ...item(labels.maturation, wine.maturation)],
    more: moreOf(wine, language, labels),
    factTexts: details.facts ? factTexts(details.facts, language) : null,
    labelUrl: details.labelUrl ?? null,
    merchant: details.merchant?.name.trim() ? merchantOf(details.merchant) : null,
    asOf: `${labels.asOf} ${writtenDay(wine.chstamp, details.merchant?.timezone ?? 'UTC', locale)}`,
  }
}

// For a wine whose texts exceed the limit of measuring: about a line each.
const fewLetters = 100

/** A sheet's content without the texts, and with shortened names of the wine and its producer. */
export const withoutTexts = ({ facts, merchant, ...content }: SheetContent): SheetContent => {
  const begin = (text: string) => text.slice(0, fewLetters).toWellFormed()
  return {
    ...content,
    name: begin(content.name),
    producer: begin(content.producer),
    eyebrow: begin(content.eyebrow),
    facts: facts.filter(({ value }) => value.length <= fewLetters),
    description: null,
    chapters: [],
    more: [],
    factTexts: null,
    labelUrl: null,
    merchant: merchant && { name: begin(merchant.name), contact: begin(merchant.contact) },
  }
}
