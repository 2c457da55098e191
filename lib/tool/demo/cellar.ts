import { type BottlingType, type Cap, grapeIdOf } from '../../../shared/contract/labels/labels.ts'
import type { FiledWinery } from '../../../shared/contract/records/winery.ts'
import { divideRounded, formatMoney } from '../../../shared/values/money.ts'
import { drawnWord } from '../../../shared/values/picture-name.ts'
import type { WineRow } from '../imports/wine-writes.ts'
import type { DemoMerchant } from './credentials.ts'
import { demoFacts } from './facts.ts'
import { grossOf } from './prices.ts'
import { qualityOf } from './qualities.ts'
import { regionOf } from './regions.ts'
import { acidOf, isCuvee, type Style, styleOf, sweetnessOf, tasteOf, temperatureOf } from './style.ts'
import { description, soldOut } from './words.ts'
import { lot, type XWine, xwines } from './xwines.ts'

const flag = (isSet: boolean): 0 | 1 => (isSet ? 1 : 0)

const below = (gross: number, percent: number): string => formatMoney(divideRounded(gross * (100 - percent), 100))

const capOf = ({ id, countrycode, body }: XWine, { type, category }: Style): Cap => {
  if (type === 'destilate' || category === 'Schaumwein' || category === 'Süßwein') return 'cork'
  if (countrycode === 'nz' || countrycode === 'au') return 'screw'
  if (type === 'red') return body > 2 || lot(id, 199) < 0.7 ? 'cork' : 'screw'
  return (countrycode === 'de' || countrycode === 'at') && lot(id, 199) >= 0.75 ? 'glas' : 'screw'
}

const houses: readonly (readonly [RegExp, BottlingType])[] = [
  [/^(Château|Chateau|Schloss|Castello|Burg)\b/, 'castle'],
  [/^(Weingut|Domaine|Domäne|Quinta|Bodegas?|Tenuta|Cascina|Viña|Estate)\b/, 'estate'],
  [/^(Lidl|Club des Sommeliers|Tussock Jumper)\b/, 'bottler'],
]
const bottlingOf = ({ winery }: XWine): BottlingType => houses.find(([name]) => name.test(winery))?.[1] ?? 'producer'

const categoriesOf = (gross: number, isBio: boolean, { category }: Style): string[] => [
  category,
  ...(gross < 1000 ? ['Unter 10 Euro'] : []),
  ...(gross >= 4000 ? ['Besondere Flaschen'] : []),
  ...(isBio ? ['Bio'] : []),
]

// One record a name: some wineries have wines in several countries, and wines without a web address.
const wineriesOf = (wines: readonly XWine[]): ReadonlyMap<string, FiledWinery> => {
  const byName = Map.groupBy(wines, ({ winery }) => winery)
  const record = (name: string, own: readonly XWine[]): FiledWinery => ({
    name,
    countrycode: own[0]?.countrycode ?? null,
    www: own.find(({ website }) => website)?.website ?? null,
  })
  return new Map([...byName].map(([name, own]) => [name, record(name, own)]))
}

// The eight on the start page of a shop, chosen among those that are for sale.
const topSellers = new Set([107023, 111648, 135871, 155350, 111461, 114265, 101660, 106669])

const visibility = ({ id }: XWine) => {
  const isPublic = lot(id, 113) >= 0.15
  const isSoldOut = lot(id, 457) < 0.02
  return {
    active: flag(lot(id, 71) >= 0.03),
    public: flag(isPublic),
    shop: flag(lot(id, 239) >= 0.1),
    winesearch: flag(isPublic),
    topseller: flag(topSellers.has(id)),
    nostock: flag(isSoldOut),
    nostocktext: isSoldOut ? soldOut.de : null,
  }
}

const stockOf = ({ id }: XWine, isSoldOut: 0 | 1): number | null => {
  if (isSoldOut) return 0
  return lot(id, 587) < 0.2 ? null : Math.floor(6 + 354 * lot(id, 523))
}

const grapeOf = (name: string): number => {
  const id = grapeIdOf(name)
  if (id === undefined) throw new RangeError(`no grape is called ${name}`)
  return id
}

/** The article number of a demo wine. */
export const articleNumberOf = ({ id }: XWine): string => `X-${id}`

const demoWine = (wine: XWine, winery: FiledWinery | undefined): WineRow => {
  const style = styleOf(wine)
  const taste = tasteOf(wine, style)
  const gross = grossOf(wine)
  const isBio = /\borgani/i.test(wine.name) || lot(wine.id, 727) < 0.12
  const visible = visibility(wine)
  const row: WineRow = {
    articlenumber: articleNumberOf(wine),
    name: wine.name,
    type: style.type,
    countrycode: wine.countrycode,
    region: regionOf(wine),
    place: wine.regionName,
    vintage: wine.isNonVintage ? null : (wine.vintages[0] ?? null),
    quality: qualityOf(wine, style),
    taste_id: taste,
    alcohol: wine.abv.toFixed(1),
    sweetness: sweetnessOf(wine, taste),
    acid: acidOf(wine, style),
    drinktemperature: temperatureOf(wine, style),
    bottlesize: '0.750',
    gross: formatMoney(gross),
    taxrate: 19,
    description: description(wine, style, 'de'),
    bottling_type: bottlingOf(wine),
    cap: capOf(wine, style),
    cuvee: flag(isCuvee(wine)),
    bio: flag(isBio),
    vegan: flag(isBio || lot(wine.id, 809) < 0.25),
    ...visible,
    language: 'de',
    image: drawnWord,
    allergenIds: lot(wine.id, 389) < 0.97 ? [12] : [],
    grapetypeIds: [...new Set(wine.grapes.map(grapeOf))],
    categories: categoriesOf(gross, isBio, style),
    prices: [
      { priceRange: 'Gastronomie', gross: below(gross, 10) },
      { priceRange: 'Großhandel', gross: below(gross, 20) },
    ],
    stock: stockOf(wine, visible.nostock),
    ...(winery && { winery }),
  }
  const facts = demoFacts(wine, row)
  return facts ? { ...row, facts } : row
}

/** The demo cellar: 1,007 real wines as import rows, the same at every call; README.md lists the rules. */
export const demoWines = (): WineRow[] => {
  const wines = xwines()
  const wineries = wineriesOf(wines)
  return wines.map(wine => demoWine(wine, wineries.get(wine.winery)))
}

/** The wines of one demo merchant: all of them, or for Weingut Sonnenhang the German and Austrian ones. */
export const demoWinesOf = (merchant: DemoMerchant): WineRow[] => {
  const wines = demoWines()
  return merchant === 'elbufer'
    ? wines
    : wines.filter(({ countrycode }) => countrycode === 'de' || countrycode === 'at')
}
