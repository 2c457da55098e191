/** 0 or 1, as flags travel on the wire. */
export type Flag = 0 | 1

/** A wine's price for one price range; amounts are strings with two decimals. */
export type WinePrice = {
  wine_id: number
  price_range_id: number
  priceRangeName: string
  gross: string
  net: string
  tax: string
  taxrate: number
}

/** The winery embedded in a wine (interface document 2.5). */
export type Winery = {
  id: number
  name: string
  company: string | null
  taxid: string | null
  address: string | null
  zip: string | null
  city: string | null
  region: number | null
  countrycode: string | null
  mail: string | null
  phone: string | null
  image: string | null
  freetext: string | null
  fax: string | null
  www: string | null
  vineyard: string | null
  harvest: string | null
  bestplaces: string | null
  memberof: string | null
  charindex: string | null
  sorting: number
  customers_id: number
  crstamp: string
  cruser_id: number
  chstamp: string
  active: Flag
  network: Flag
  internal: Flag
  public: Flag
}

/** Another language's record of the same wine, as `translations` lists it. */
export type WineTranslation = { id: number; language: string; name: string; path_segment: string }

/**
 * The expertise PDF of a wine. `key` names its object by its content; `date` is unix seconds; `wine` and `template` are
 * the wine's version and the template's date that a drawn sheet shows; links keep working by all `names` it ever had.
 */
export type ExpertiseFile = {
  key: string
  bytes: number
  date: number
  supplied: boolean
  wine: number
  template: number
  names: string[]
}

/** The wine record (interface document 2.5): money and decimals are strings, timestamps UTC. */
export type Wine = {
  id: number
  name: string
  articlenumber: string | null
  taste_id: number | null
  vintage: number | null
  alcohol: string | null
  sweetness: string | null
  acid: string | null
  bottlesize: string
  drinktemperature: string | null
  gross: string
  net: string
  tax: string
  taxrate: number
  place: string | null
  description: string | null
  image: string | null
  pdf: string | null
  active: Flag
  type: string
  region: number
  countrycode: string
  cuvee: Flag
  nostock: Flag
  nostocktext: string | null
  quality: string | null
  quality_note: string | null
  bottling_type: string | null
  path_segment: string
  customers_id: number
  origin_id: number | null
  language: string
  cruser_id: number
  crstamp: string
  chstamp: string
  winery_id: number | null
  weight: number
  gtin: string | null
  terroir: string | null
  maturation: string | null
  cap: string | null
  bio: Flag
  vegan: Flag
  sorting: number
  topseller: Flag
  network: Flag
  internal: Flag
  public: Flag
  shop: Flag
  winesearch: Flag
  expertisePdf: string | null
  hash: string
  version: number
  translations: WineTranslation[]
  prices: WinePrice[]
  winery: Winery | null
  categoryIds: number[]
  allergenIds: number[]
  grapetypeIds: number[]
}

/** A wine as it is kept; its PDF and the ids of those translations that everybody may see are in no answer. */
export type StoredWine = Wine & { expertise?: ExpertiseFile; publicTranslations?: number[] }
