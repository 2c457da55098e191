import * as v from 'valibot'
import { fields } from '../wines/import-fields.ts'
import { Id, list, optionalText } from './wire.ts'

const { categories, prices, stock, ...settable } = fields

/** A price for a price range; its tax rate is the wine's unless it says otherwise. */
const RangePrice = v.strictObject({
  price_range_id: Id,
  gross: v.optional(fields.gross),
  net: v.optional(fields.net),
  tax: v.optional(fields.tax),
  taxrate: v.optional(fields.taxrate),
  // Sent back by clients that read a wine, change it and write it whole; they follow from the price range.
  wine_id: v.optional(v.unknown()),
  priceRangeName: v.optional(v.unknown()),
})

const wineFields = {
  ...settable,
  articlenumber: optionalText(),
  origin_id: v.nullable(Id),
  winery_id: v.nullable(Id),
  image: optionalText(),
  categoryIds: list(Id, 100),
  prices: list(RangePrice, 100),
}

const { name, type, countrycode, region, ...optional } = wineFields

/** The data of wines/add. */
export const NewWine = v.strictObject({ name, type, countrycode, region, ...v.partial(v.object(optional)).entries })

/** The data of wines/edit: only what changes. `version` guards against lost updates. */
export const WineChange = v.strictObject({ ...v.partial(v.object(wineFields)).entries, version: v.optional(Id) })

export type NewWine = v.InferOutput<typeof NewWine>
export type WineChange = v.InferOutput<typeof WineChange>
