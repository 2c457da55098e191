import { type BadField, validationProblem } from '../../contract/errors.ts'
import {
  isQualityOf,
  isRegionOf,
  nearRegionsAsText,
  qualities,
  regionIn,
  regionsAsText,
} from '../../contract/labels/labels.ts'
import type { NewWine, Wine, WineChange, WineTranslation } from '../../contract/records/wine.ts'
import type { Winery } from '../../contract/records/winery.ts'
import { givenOnly } from '../../contract/schema/fields.ts'
import type { TaxFree } from '../../values/money.ts'
import { slug } from '../../values/slug.ts'
import { checkLists, pricesAfter, typedPrices } from '../goods-data.ts'
import { isPublic, type StoredWine, withLinks } from './stored.ts'

type Data = Partial<NewWine> & WineChange

/** The records that a change refers to, by id. */
export type ReferencedRecords = {
  winery: Winery | null
  priceRanges: ReadonlyMap<number, string>
  /** Charges tax if it is left out. */
  seller?: TaxFree
}

/** Validates region and quality against the country, if either changes; stored values may stay. */
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

/**
 * A wine with the given fields; others stay. The path_segment follows a new name unless it is given itself; `free`
 * replaces it where another wine has it. Throws validation_failed or price_inconsistent.
 */
export const withData = (wine: StoredWine, data: Data, named: ReferencedRecords, free?: string): StoredWine => {
  const { version, prices: _, gross, net, tax, taxrate, region, ...fields } = data
  const countrycode = data.countrycode ?? wine.countrycode
  checkLists(data)
  const { prices, ...sale } = pricesAfter(
    wine,
    typedPrices(named.seller ?? {}, data),
    named.priceRanges,
    `wine ${wine.id}`,
  )
  const isRenamed = fields.name !== undefined && slug(fields.name) !== slug(wine.name)
  const isDerived = isRenamed || wine.path_segment === ''
  const merged: StoredWine = {
    ...wine,
    ...givenOnly(fields),
    region: (region === undefined ? undefined : regionIn(countrycode, region)) ?? wine.region,
    ...sale,
    prices: prices.map(one => ({ wine_id: wine.id, ...one })),
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
