import type { PackageRow } from '../imports/packages.ts'
import type { PriceRangeRow } from '../imports/price-ranges.ts'
import type { ProductRow } from '../imports/products.ts'
import type { Settings } from '../settings.ts'
import type { DemoMerchant } from './cellar.ts'

/** What the demo merchants have set: every payment type, and free freight from 150.00. */
export const demoSettings: Settings = {
  payment_types: ['paypal', 'prepaid', 'invoice', 'cash', 'debit', 'card', 'bank'],
  default_payment_type: 'invoice',
  payment_provider: 'sandbox',
  freight_free_from: '150.00',
  redirect_hosts: [],
}

/** The price ranges that demo wines, products and clients name. */
export const demoPriceRanges: readonly PriceRangeRow[] = [{ name: 'Gastronomie' }, { name: 'Großhandel' }]

const parcel = (min_bottles: number, max_bottles: number | null, gross: string): PackageRow => ({
  type: 'bottles',
  min_bottles,
  max_bottles,
  gross,
  taxrate: 19,
})

/** What the demo merchants charge for sending, by the number of bottles. */
export const demoPackages: readonly PackageRow[] = [
  parcel(1, 3, '5.90'),
  parcel(4, 6, '6.90'),
  parcel(7, 12, '8.90'),
  parcel(13, 18, '11.90'),
  parcel(19, null, '19.90'),
]

const onSale = { language: 'de', active: 1, public: 1, shop: 1, nostock: 0 } as const

const glasses: ProductRow = {
  ...onSale,
  articlenumber: 'P-1',
  name: 'Weißweingläser, 6 Stück',
  gross: '39.90',
  taxrate: 19,
  package_quantity: 3,
  description: 'Sechs mundgeblasene Gläser mit 38 cl Inhalt, einzeln im Karton.',
  stock: 40,
  prices: [
    { priceRange: 'Gastronomie', gross: '35.90' },
    { priceRange: 'Großhandel', gross: '31.90' },
  ],
}

const corkscrew: ProductRow = {
  ...onSale,
  articlenumber: 'P-2',
  name: 'Kellnermesser',
  gross: '12.50',
  taxrate: 19,
  package_quantity: 0,
  description: 'Zweistufig, mit gezahnter Klinge und Griff aus Olivenholz.',
  stock: null,
  prices: [{ priceRange: 'Gastronomie', gross: '9.90' }],
}

const tasting: ProductRow = {
  ...onSale,
  articlenumber: 'P-3',
  name: 'Probierpaket, 6 Flaschen',
  gross: '49.90',
  taxrate: 19,
  package_quantity: 6,
  description: 'Drei Weißweine und drei Rotweine zum Kennenlernen, 0,75 l.',
  stock: 25,
  prices: [],
}

const oliveOil: ProductRow = {
  ...onSale,
  articlenumber: 'P-4',
  name: 'Olivenöl nativ extra, 0,5 l',
  gross: '14.90',
  taxrate: 7,
  package_quantity: 1,
  description: 'Aus der ersten Kaltpressung, ungefiltert.',
  stock: 60,
  prices: [
    { priceRange: 'Gastronomie', gross: '13.40' },
    { priceRange: 'Großhandel', gross: '11.90' },
  ],
}

const products = { elbufer: [glasses, corkscrew, tasting, oliveOil], sonnenhang: [glasses, corkscrew, tasting] }

/** What a demo merchant sells beside wine. */
export const demoProductsOf = (merchant: DemoMerchant): readonly ProductRow[] => products[merchant]
