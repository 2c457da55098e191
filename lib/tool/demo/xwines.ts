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
  regionId: number
  regionName: string
  winery: string
  website: string | null
  /** Years, newest first. */
  vintages: number[]
  /** Whether it is also, or only, sold without a year. */
  isNonVintage: boolean
}

const file = new URL('data/xwines-slim-1007.csv', import.meta.url)

// The lists are Python literals: single quotes, or double ones around a text with an apostrophe.
const quoted = /'([^']*)'|"([^"]*)"/g
const texts = (literal = ''): string[] =>
  [...literal.matchAll(quoted)].map(([, single, double]) => single ?? double ?? '')

const placeIn = (scale: readonly string[], word: string | undefined): number => {
  const place = scale.indexOf(word ?? '')
  if (place < 0) throw new RangeError(`the scale ${scale.join(', ')} has no ${word}`)
  return place
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
  body: placeIn(body, record.Body),
  acidity: placeIn(acidity, record.Acidity),
  countrycode: countrycodeOf(record.Code),
  regionId: Number(record.RegionID),
  regionName: record.RegionName ?? '',
  winery: record.WineryName ?? '',
  website: record.Website || null,
  vintages: (record.Vintages?.match(/\d{4}/g) ?? []).map(Number).toSorted((a, b) => b - a),
  isNonVintage: record.Vintages?.includes('N.V.') ?? false,
})

/** The 1,007 wines of the file, in its order. Throws where the file is missing or a scale has an unknown word. */
export const xwines = (): XWine[] => {
  const records: Record<string, string>[] = parse(readFileSync(file, 'utf8').normalize('NFC'), {
    columns: true,
    trim: true,
  })
  return records.map(xwine)
}
