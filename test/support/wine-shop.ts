import type { WineRow } from '../../lib/tool/imports/wine-catalogue.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { type Answer, call, type Json, newShop, type Shop } from './harness.ts'

const first: WineRow = {
  articlenumber: 'first',
  name: 'Erster',
  type: 'white',
  countrycode: 'de',
  region: 1005,
  winery: { name: 'Gut Sonne', www: 'https://example.org' },
  categories: ['Weißwein', 'Bio'],
  prices: [
    { priceRange: 'Gastronomie', gross: '7.50' },
    { priceRange: 'Großhandel', gross: '6.00' },
  ],
}

/** A shop with two categories, two price ranges and a winery. */
export type WineShop = Shop & {
  winery: number
  categories: number[]
  ranges: number[]
  /** The required fields of a new wine, with a unique name. */
  least: () => { name: string; type: string; countrycode: string; region: number }
  add: (data: unknown) => Promise<Answer>
  edit: (id: unknown, data: unknown) => Promise<Answer>
  get: (id: number) => Promise<Json>
  /** Adds a wine with the required fields and `data`; returns its record. */
  added: (data?: object) => Promise<Json>
}

/** The fields of responses that follow from others: repeated under the names of existing clients, or calculated. */
export const answerNames: readonly string[] = [...['price', 'categories', 'expertiseStatus', 'base_price', 'min_age']]

/** A wine of a response without them. */
export const recordOf = (wine: Json): Json =>
  Object.fromEntries(Object.entries(wine).filter(([name]) => !answerNames.includes(name)))

/** Creates a shop with one wine, whose import creates the referenced records. */
export const newWineShop = async (name?: string): Promise<WineShop> => {
  const shop = await newShop(name)
  await importWines(shop.id, [first])
  const idsOf = async (kind: 'winery' | 'category' | 'priceRange'): Promise<number[]> =>
    (await query<{ id: number }>({ pk: partition(kind, { merchant: shop.id }) })).map(({ id }) => id)
  let count = 0
  // Named after its shop, for path_segments of public wines are looked up over all merchants.
  const least = () => ({ name: `Wein ${++count} von ${shop.id}`, type: 'white', countrycode: 'de', region: 1005 })
  const add = (data: unknown) => shop.call('wines/add', { data })
  return {
    ...shop,
    winery: (await idsOf('winery'))[0] ?? 0,
    categories: await idsOf('category'),
    ranges: await idsOf('priceRange'),
    least,
    add,
    edit: (id, data) => shop.call('wines/edit', { id, data }),
    get: async id => recordOf((await shop.call('wines/get', { id })).json.data),
    added: async data => {
      const { status, json } = await add({ ...least(), ...data })
      expect([status, json.details]).toEqual([200, undefined])
      return recordOf(json.data)
    },
  }
}

/** The status, the error word and the first bad field's path. */
export const refusal = ({ status, json }: Answer): unknown[] => [status, json.error, json.fields?.[0]?.path]

/** Calls a public route by GET. */
export const getPublic = (path: string, parameters: object = {}): Promise<Answer> => {
  const pairs = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return call(`${path}?${new URLSearchParams(pairs)}`, undefined, { method: 'GET' })
}

/** Calls a public route by POST and by GET. */
export const askPublic = async (path: string, parameters: object): Promise<Answer[]> => [
  await call(path, parameters),
  await getPublic(path, parameters),
]
