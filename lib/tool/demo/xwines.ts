import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

const body = ['Very light-bodied', 'Light-bodied', 'Medium-bodied', 'Full-bodied', 'Very full-bodied'] as const
const acidity = ['Low', 'Medium', 'High'] as const

/** A wine of the X-Wines data set. */
export type XWine = {
  id: number
  name: string
  type: string
  elaborate: string
  grapes: string[]
  harmonize: string[]
  /** Percent by volume. */
  abv: number
  /** From 0 (very light) to 4 (very full). */
  body: number
  /** From 0 (low) to 2 (high). */
  acidity: number
  /** ISO 3166-1 alpha-2, lower case. */
  countrycode: string
  regionName: string
  winery: string
  website: string | null
  /** Years, newest first. */
  vintages: number[]
  /** True if it is also, or only, sold without a year. */
  isNonVintage: boolean
}

/** The records of a CSV file of the demo's data. Throws if the file is missing. */
export const readTable = (name: string): Record<string, string>[] => {
  const text = readFileSync(new URL(`data/${name}`, import.meta.url), 'utf8')
  return parse(text.normalize('NFC'), { columns: true, trim: true })
}

/**
 * A number from 0 to below 1 that looks random but follows from the id: (factor × (id + factor) mod 997) / 997. Use
 * another factor for each property, so that properties are independent.
 */
export const lot = (id: number, factor: number): number => ((factor * (id + factor)) % 997) / 997

// The lists are Python literals: single quotes, or double ones around a text with an apostrophe.
const quoted = /'([^']*)'|"([^"]*)"/g
const texts = (literal = ''): string[] =>
  [...literal.matchAll(quoted)].map(([, single, double]) => single ?? double ?? '')

const indexIn = (scale: readonly string[], word = ''): number => {
  const index = scale.indexOf(word)
  if (index < 0) throw new RangeError(`the scale ${scale.join(', ')} has no ${word}`)
  return index
}

// The data set writes UK, which ISO 3166-1 calls gb.
const countrycodeOf = (code = ''): string => (code === 'UK' ? 'gb' : code.toLowerCase())

const xwine = (record: Record<string, string>): XWine => ({
  id: Number(record.WineID),
  name: record.WineName ?? '',
  type: record.Type ?? '',
  elaborate: record.Elaborate ?? '',
  grapes: texts(record.Grapes),
  harmonize: texts(record.Harmonize),
  abv: Number(record.ABV),
  body: indexIn(body, record.Body),
  acidity: indexIn(acidity, record.Acidity),
  countrycode: countrycodeOf(record.Code),
  regionName: record.RegionName ?? '',
  winery: record.WineryName ?? '',
  website: record.Website || null,
  vintages: (record.Vintages?.match(/\d{4}/g) ?? []).map(Number).toSorted((a, b) => b - a),
  isNonVintage: record.Vintages?.includes('N.V.') ?? false,
})

/** The 1,007 wines of the data set, in its order. Throws RangeError for a word that is not on its scale. */
export const xwines = (): XWine[] => readTable('xwines-slim-1007.csv').map(xwine)
