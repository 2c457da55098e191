import fc from 'fast-check'
import type { Catalogue } from '../../lib/tool/imports/wine-catalogue.ts'
import type { StoredWine } from '../../shared/catalogue/wines/stored.ts'
import { bottlingTypes, caps, tasteIds, wineTypes } from '../../shared/contract/labels/labels.ts'
import { completeCategory } from '../../shared/contract/records/category.ts'
import { completeWine, type Wine } from '../../shared/contract/records/wine.ts'
import { completeWinery, type Winery } from '../../shared/contract/records/winery.ts'

/** A catalogue of wines, otherwise empty. */
export const catalogueOf = (wines: readonly Wine[], parts: Partial<Catalogue> = {}): Catalogue => ({
  wines: [...wines],
  ...{ wineries: [], categories: [], priceRanges: [], rangesVersion: 0, stocks: new Map(), facts: new Map() },
  versions: { catalogue: 0, amounts: null },
  ...parts,
})

/** The categories of the wines below. */
export const categories = [
  completeCategory({ id: 1, name: 'Weißwein', path_segment: 'weisswein' }),
  completeCategory({ id: 2, name: 'Bio | Vegan', path_segment: 'bio-vegan' }),
  completeCategory({ id: 3, name: 'Back\\slash\\', path_segment: 'back-slash' }),
]

const plain = completeWine({
  id: 1,
  name: 'Riesling',
  articlenumber: 'A-1',
  type: 'white',
  region: 1005,
  countrycode: 'de',
  path_segment: 'riesling',
  customers_id: 7,
  cruser_id: 1,
  crstamp: '2026-01-01 00:00:00',
  chstamp: '2026-01-01 00:00:00',
  hash: '0123456789abcdef0123456789abcdef',
})

/** A wine record with the given fields, otherwise plain. */
export const wineWith = (fields: Partial<StoredWine>): StoredWine => ({ ...plain, priced: 1, ...fields })

// Characters that CSV, the list separator and Unicode forms stumble over.
const unit = fc.constantFrom('a', 'B', 'ß', 'u\u0308', 'é', '|', '\\', '=', ';', '"', "'", ',', ' ', '#', '🍷', 'Ω')
const text = fc.string({ unit, minLength: 1, maxLength: 12 }).map(raw => raw.normalize('NFC').trim() || 'x')
const optionalText = fc.option(text)
const manyLines = fc.option(fc.array(text, { minLength: 1, maxLength: 3 }).map(lines => lines.join('\n')))
const flag = fc.constantFrom<0 | 1>(0, 1)
const decimal = (places: number, max: number) => fc.nat(max).map(n => (n / 10 ** places).toFixed(places))
const money = fc.nat(99_999).map(cents => (cents / 100).toFixed(2))

const wineryOf = (name: string, www: string | null, freetext: string | null, region: number | null): Winery =>
  completeWinery({ id: 1, name, www, freetext, region, countrycode: 'de', customers_id: 7, crstamp: '', chstamp: '' })

// Few names, so that wineries of one name and different details meet.
const winery = fc
  .tuple(
    fc.constantFrom('Gut', 'Gut | Hof', 'Schloß'),
    optionalText,
    manyLines,
    fc.option(fc.integer({ min: 1, max: 9 })),
  )
  .map(parts => wineryOf(...parts))

const price = fc.tuple(text, money).map(([priceRangeName, gross]) => ({
  ...{ wine_id: 1, price_range_id: 1, priceRangeName, gross, net: gross, tax: '0.00', taxrate: 19 },
}))

const ofCountry = fc.constantFrom<Pick<Wine, 'countrycode' | 'region' | 'quality'>>(
  { countrycode: 'de', region: 1005, quality: 'cabinet' },
  { countrycode: 'fr', region: 2021, quality: null },
  { countrycode: 'ch', region: 2251, quality: 'Grand Cru | 1' },
)

const fields = fc.record<Partial<Wine>>({
  name: text,
  taste_id: fc.option(fc.constantFrom(...tasteIds)),
  vintage: fc.option(fc.integer({ min: 1900, max: 2100 })),
  alcohol: fc.option(decimal(1, 1000)),
  sweetness: fc.option(decimal(1, 3000)),
  acid: fc.option(decimal(1, 150)),
  bottlesize: decimal(3, 9000).map(litres => (litres === '0.000' ? '0.750' : litres)),
  drinktemperature: optionalText,
  gross: money,
  taxrate: fc.constantFrom(0, 7, 19),
  place: optionalText,
  description: manyLines,
  type: fc.constantFrom(...wineTypes),
  quality_note: optionalText,
  bottling_type: fc.option(fc.constantFrom(...bottlingTypes)),
  cap: fc.option(fc.constantFrom(...caps)),
  language: fc.constantFrom('de', 'en'),
  weight: fc.nat(5000),
  gtin: fc.option(fc.constant('4006381333931')),
  terroir: optionalText,
  maturation: optionalText,
  nostocktext: optionalText,
  sorting: fc.nat(100),
  bio: flag,
  active: flag,
  public: flag,
  winery: fc.option(winery),
  prices: fc.uniqueArray(price, { selector: ({ priceRangeName }) => priceRangeName, maxLength: 3 }),
  categoryIds: fc.uniqueArray(fc.constantFrom(1, 2, 3, 404), { maxLength: 4 }),
  allergenIds: fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 4 }),
  grapetypeIds: fc.uniqueArray(fc.integer({ min: 1, max: 630 }), { maxLength: 4 }),
})

// The third of the originals has no article number.
const named = (articlenumbers: readonly string[], parts: readonly Partial<Wine>[]): Wine[] =>
  articlenumbers.map((articlenumber, index) =>
    wineWith({
      ...parts[index],
      id: index + 1,
      articlenumber: index === 2 ? null : articlenumber,
      path_segment: `wine-${index}`,
    }),
  )

const translationOf = (wine: Wine, part: Partial<Wine> = {}): Wine =>
  wineWith({ ...part, id: wine.id + 10, origin_id: wine.id, language: 'fr', path_segment: `${wine.path_segment}-fr` })

/** Up to six valid wine records, named by article numbers of their own or by their ids, and translations of the first. */
export const arbitraryWines = fc
  .tuple(
    fc.uniqueArray(text, { maxLength: 6 }),
    fc.array(
      fc.tuple(fields, ofCountry).map(([own, place]) => ({ ...own, ...place })),
      { minLength: 6, maxLength: 6 },
    ),
  )
  .map(([articlenumbers, parts]) => {
    const wines = named(articlenumbers, parts)
    return [...wines, ...wines.slice(0, 3).map((wine, n) => translationOf(wine, parts[5 - n]))]
  })
