import type { CategoryRow } from '../imports/categories.ts'
import type { PackageRow } from '../imports/packages.ts'
import type { PriceRangeRow } from '../imports/price-ranges.ts'
import type { ProductRow } from '../imports/products.ts'
import type { Settings } from '../settings.ts'
import type { DemoMerchant } from './cellar.ts'

/** What all demo merchants have set: every payment type, and free freight from 150.00. */
const common: Settings = {
  payment_types: ['paypal', 'prepaid', 'invoice', 'cash', 'debit', 'card', 'bank'],
  default_payment_type: 'invoice',
  payment_provider: 'sandbox',
  freight_free_from: '150.00',
  redirect_hosts: [],
}

// Companies, numbers and accounts are made up; the IBAN is the one that the standard's own example has.
const profiles: Record<DemoMerchant, Partial<Settings>> = {
  elbufer: {
    company: 'Weinkontor Elbufer GmbH',
    address: 'Große Elbstraße 7',
    zip: '22767',
    city: 'Hamburg',
    countrycode: 'de',
    phone: '+49 40 5550123',
    mail: 'kontor@elbufer.example',
    www: 'https://elbufer.example',
    taxid: '47/000/00000',
    vatid: 'DE000000000',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    bankname: 'Bank am Hafen',
    bank_owner: 'Weinkontor Elbufer GmbH',
  },
  sonnenhang: {
    company: 'Weingut Sonnenhang',
    address: 'Am Sonnenhang 1',
    zip: '54470',
    city: 'Bernkastel-Kues',
    countrycode: 'de',
    phone: '+49 6531 555012',
    mail: 'weingut@sonnenhang.example',
    www: 'https://sonnenhang.example',
    taxid: '43/000/00000',
    vatid: 'DE000000001',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    bankname: 'Bank an der Mosel',
    bank_owner: 'Weingut Sonnenhang',
  },
}

/** What a demo merchant has set. */
export const demoSettingsOf = (merchant: DemoMerchant): Settings => ({ ...common, ...profiles[merchant] })

const shelf: readonly (readonly [name: string, description: string])[] = [
  ['Rotwein', 'Vom leichten Trollinger bis zum Barolo.'],
  ['Weißwein', 'Trocken, feinherb und alles dazwischen.'],
  ['Roséwein', 'Für die Terrasse, und für den Rest des Jahres.'],
  ['Schaumwein', 'Sekt, Crémant, Champagner, Prosecco und Cava.'],
  ['Süßwein', 'Port, Sherry und edelsüße Auslesen.'],
  ['Destillate', 'Gebranntes aus Trester.'],
  ['Bio', 'Weine aus ökologischem Anbau.'],
  ['Unter 10 Euro', 'Gute Flaschen für jeden Tag.'],
  ['Besondere Flaschen', 'Für besondere Abende.'],
  ['Zubehör', 'Was zum Wein gehört.'],
  ['Pakete und Feinkost', 'Zum Probieren und Verschenken.'],
]

/** The categories of the demo cellar, in the order in which a shop shows them. */
export const demoCategories: readonly CategoryRow[] = shelf.map(([name, description], n) => ({
  name,
  description,
  sorting: 10 * (n + 1),
}))

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
  categories: ['Zubehör'],
  sorting: 10,
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
  categories: ['Zubehör'],
  sorting: 20,
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
  categories: ['Pakete und Feinkost'],
  topseller: 1,
  sorting: 30,
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
  categories: ['Pakete und Feinkost'],
  sorting: 40,
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
