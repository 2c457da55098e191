import { type BadField, fieldsProblem, validationProblem } from '../../contract/errors.ts'
import {
  isQualityOf,
  isRegionOf,
  nearRegionsAsText,
  qualities,
  regionIn,
  regionsAsText,
} from '../../contract/labels.ts'
import { givenOnly } from '../../contract/records/fields.ts'
import type { NewWine, Wine, WineChange, WinePrice, WineTranslation } from '../../contract/records/wine.ts'
import type { Winery } from '../../contract/records/winery.ts'
import { type Amounts, completeAmounts, type GivenAmounts } from '../../values/money.ts'
import { slug } from '../../values/slug.ts'
import { isPublic, type StoredWine, withLinks } from './stored.ts'

type Data = Partial<NewWine> & WineChange

/** The records that a change refers to, by id. */
export type ReferencedRecords = {
  winery: Winery | null
  priceRanges: ReadonlyMap<number, string>
}

/** All amounts of a price of `record`; `path` leads to it in the request. */
const amountsOf = (given: GivenAmounts, taxrate: number, record: string, path: string): Amounts => {
  const amounts = completeAmounts(given, taxrate, record)
  if (amounts !== 'inconsistent') return amounts
  const expected = 'consistent with net, tax and taxrate, or the only amount given'
  throw fieldsProblem('price_inconsistent', [{ path: `${path}gross`, rule: 'price_inconsistent', expected }])
}

const isPriced = ({ gross, net, tax }: GivenAmounts): boolean => (gross ?? net ?? tax) !== undefined

const ownPrice = (wine: Wine, data: Data) => {
  const taxrate = data.taxrate ?? wine.taxrate
  return { taxrate, ...amountsOf(isPriced(data) ? data : { gross: wine.gross }, taxrate, `wine ${wine.id}`, 'data.') }
}

const rangePrices = (wine: Wine, data: Data, { priceRanges }: ReferencedRecords): WinePrice[] => {
  const taxrate = data.taxrate ?? wine.taxrate
  // Prices that stay keep their gross amount at the wine's new tax rate.
  const kept = wine.prices.map(({ price_range_id, gross, taxrate: own }) => ({
    price_range_id,
    gross,
    taxrate: own === wine.taxrate ? taxrate : own,
  }))
  return (data.prices ?? kept).map((price, n) => ({
    wine_id: wine.id,
    price_range_id: price.price_range_id,
    priceRangeName:
      priceRanges.get(price.price_range_id) ??
      wine.prices.find(one => one.price_range_id === price.price_range_id)?.priceRangeName ??
      '',
    taxrate: price.taxrate ?? taxrate,
    ...amountsOf(
      price,
      price.taxrate ?? taxrate,
      `wine ${wine.id} for the price range ${price.price_range_id}`,
      `data.prices.${n}.`,
    ),
  }))
}

/** Validates region and quality against the country, if one of the two changes; stored values may stay. */
const checkCountry = ({ countrycode, region, quality }: Wine, data: Data): void => {
  const fields: BadField[] = []
  const isMoved = data.countrycode !== undefined
  const asked = data.region ?? (isMoved ? region : undefined)
  const meant = asked === undefined ? undefined : regionIn(countrycode, asked)
  if (asked !== undefined && (meant === undefined || !isRegionOf(countrycode, meant))) {
    const expected = typeof asked === 'string' ? nearRegionsAsText(countrycode, asked) : regionsAsText(countrycode)
    fields.push({ path: 'data.region', rule: 'region_of_country', expected })
  }
  if ((isMoved || data.quality !== undefined) && quality !== null && !isQualityOf(countrycode, quality)) {
    const expected = `one of ${qualities.get(countrycode)?.join(', ')}`
    fields.push({ path: 'data.quality', rule: 'quality_of_country', expected })
  }
  if (fields.length > 0) throw validationProblem(fields)
}

const checkLists = ({ prices, categoryIds }: Data): void => {
  const lists: [string, readonly number[]][] = [
    ['data.prices', prices?.map(price => price.price_range_id) ?? []],
    ['data.categoryIds', categoryIds ?? []],
  ]
  const fields = lists
    .filter(([, ids]) => new Set(ids).size !== ids.length)
    .map(([path]) => ({ path, rule: 'unique', expected: 'free of duplicates' }))
  if (fields.length > 0) throw validationProblem(fields)
}

/**
 * A wine with the given fields; others stay. The path_segment follows a new name unless one is given; `free` replaces it
 * where another wine has it. Throws validation_failed or price_inconsistent.
 */
export const withData = (wine: StoredWine, data: Data, named: ReferencedRecords, free?: string): StoredWine => {
  const { version, prices, gross, net, tax, taxrate, region, ...fields } = data
  const countrycode = data.countrycode ?? wine.countrycode
  checkLists(data)
  const isRenamed = fields.name !== undefined && slug(fields.name) !== slug(wine.name)
  const isDerived = isRenamed || wine.path_segment === ''
  const merged: StoredWine = {
    ...wine,
    ...givenOnly(fields),
    region: (region === undefined ? undefined : regionIn(countrycode, region)) ?? wine.region,
    ...ownPrice(wine, data),
    prices: rangePrices(wine, data, named),
    winery: data.winery_id === undefined ? wine.winery : named.winery,
    path_segment: fields.path_segment ?? (isDerived ? (free ?? slug(fields.name ?? wine.name)) : wine.path_segment),
  }
  checkCountry(merged, data)
  return withLinks(merged)
}

/** An original without a translation in its list. */
export const withoutTranslation = (original: StoredWine, id: number): StoredWine => ({
  ...original,
  translations: original.translations.filter(one => one.id !== id),
  publicTranslations: (original.publicTranslations ?? []).filter(one => one !== id),
})

/** An original with the present state of a translation in its list; the same object if nothing changes. */
export const withTranslation = (original: StoredWine, translation: StoredWine): StoredWine => {
  const { id, language, name, path_segment } = translation
  const entry: WineTranslation = { id, language, name, path_segment }
  const others = withoutTranslation(original, id)
  const shown = others.publicTranslations ?? []
  const translations = [...others.translations, entry].sort((a, b) => a.id - b.id)
  const publicTranslations = isPublic(translation) ? [...shown, id].sort((a, b) => a - b) : shown
  const before = JSON.stringify([original.translations, original.publicTranslations ?? []])
  if (JSON.stringify([translations, publicTranslations]) === before) return original
  return { ...original, translations, publicTranslations }
}
