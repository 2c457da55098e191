import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import type { PaymentType } from '../../shared/contract/vocabulary.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { newShop, type Shop } from './harness.ts'

const german = { type: 'white', countrycode: 'de', region: 1003 } as const

/** A small cellar of two tax rates; net prices are 7.48, 10.08 and 2.33, `gone` and `hidden` are not for sale. */
export const rows: readonly WineRow[] = [
  {
    ...german,
    articlenumber: 'riesling',
    name: 'Riesling Kabinett',
    gross: '8.90',
    taxrate: 19,
    prices: [{ priceRange: 'Gastronomie', gross: '7.50' }],
  },
  { ...german, articlenumber: 'secco', name: 'Secco weiß', gross: '12.00', taxrate: 19 },
  { ...german, articlenumber: 'juice', name: 'Traubensaft', type: 'grapeJuice', gross: '2.49', taxrate: 7 },
  { ...german, articlenumber: 'gone', name: 'Ausverkauft', gross: '5.00', taxrate: 19, nostock: 1 },
  { ...german, articlenumber: 'hidden', name: 'Stillgelegt', gross: '5.00', taxrate: 19, active: 0 },
]

/** A shop with the small cellar: the ids of its wines and of the price range Gastronomie. */
export type Cellar = Shop & { wine: Record<string, number>; gastronomy: number }

/** Creates a shop and fills its cellar. */
export const newCellar = async (name?: string, paymentTypes?: PaymentType[]): Promise<Cellar> => {
  const shop = await newShop(name, paymentTypes)
  await importWines(shop.id, rows)
  const wines = (await query({ pk: partition('wine', { merchant: shop.id }) })).map(wineOf)
  const wine = Object.fromEntries(wines.map(({ articlenumber, id }) => [articlenumber, id]))
  const gastronomy = wines.flatMap(({ prices }) => prices)[0]?.price_range_id ?? 0
  return { ...shop, wine, gastronomy }
}

/** Items of an order: articles of the cellar and how many of each. */
export const itemsOf = ({ wine }: Pick<Cellar, 'wine'>, quantities: Record<string, unknown>): object[] =>
  Object.entries(quantities).map(([article, quantity]) => ({ item_type: 'wine', item_id: wine[article], quantity }))
