import { createHash } from 'node:crypto'
import { demoWines, demoWinesOf } from '../../lib/tool/demo/cellar.ts'
import { styleOf } from '../../lib/tool/demo/style.ts'
import { description, soldOut } from '../../lib/tool/demo/words.ts'
import { type XWine, xwines } from '../../lib/tool/demo/xwines.ts'
import type { WineRow } from '../../lib/tool/imports/wine-writes.ts'
import { wines as wineKind } from '../../lib/tool/imports/wines.ts'
import {
  grapeIdOf,
  type Labels,
  type Language,
  labelOf,
  labels,
  languages,
  regionBlocks,
  regionIdOf,
  regionName,
} from '../../shared/contract/labels/labels.ts'
import { catalogueOf } from '../support/imported-wines.ts'

const wines = demoWines()
const byNumber = new Map(wines.map(wine => [wine.articlenumber, wine]))
const wineOf = (id: number) => byNumber.get(`X-${id}`) as WineRow
const share = (holds: (wine: WineRow) => boolean) => wines.filter(holds).length

test('every wine of the data set becomes a valid row that an import takes unchanged', () => {
  const parsed = wines.map((wine, index) => wineKind.format.parseJsonRow(wine, index + 1))
  expect(parsed.flatMap(({ problems }) => problems)).toEqual([])
  expect(parsed.map(({ row }) => row)).toEqual(wines)
  expect(wines).toHaveLength(1007)
})

test('the cellar can be imported as a whole: its article numbers are unique and its wineries agree', () => {
  const { additions, refusals } = wineKind.plan(catalogueOf([]), wines)
  expect(refusals).toEqual([])
  expect(additions).toHaveLength(1007)
  expect(byNumber.size).toBe(1007)
})

test('every call returns the same rows', () => {
  const digest = () => createHash('sha256').update(JSON.stringify(demoWines())).digest('hex')
  expect(digest()).toBe(digest())
})

test('the cellar has wines that are hidden for each possible reason', () => {
  expect(share(wine => wine.active === 0)).toBe(30)
  expect(share(wine => wine.public === 0)).toBe(165)
  expect(share(wine => wine.shop === 0)).toBe(111)
  expect(share(wine => wine.active === 1 && wine.public === 1)).toBe(813)
  expect(share(wine => wine.nostock === 1)).toBe(28)
  expect(share(wine => wine.stock === null)).toBe(195)
  expect(share(wine => wine.vintage === null)).toBe(98)
  expect(share(wine => wine.winesearch !== wine.public)).toBe(0)
})

test('the top sellers are eight bottles of several kinds, all of them for sale', () => {
  const top = wines.filter(({ topseller }) => topseller === 1)
  expect(top).toHaveLength(8)
  for (const wine of top) expect(wine).toMatchObject({ active: 1, public: 1, shop: 1, nostock: 0 })
  expect(new Set(top.map(({ type }) => type))).toEqual(new Set(['red', 'white', 'rose', 'sparkling']))
  expect(new Set(top.map(({ countrycode }) => countrycode))).toEqual(new Set(['de', 'fr', 'it', 'es', 'pt']))
})

const medianOf = (prices: number[]): number => prices.toSorted((a, b) => a - b)[prices.length >> 1] ?? Number.NaN

const middleOf = (country: string, pattern: RegExp): number => {
  const prices = wines
    .filter(({ countrycode, name, place }) => countrycode === country && pattern.test(`${name} · ${place}`))
    .map(({ gross }) => Number(gross))
  return medianOf(prices)
}

test.each<[string, RegExp[]]>([
  ['de', [/Kabinett/, /Spätlese/, /Auslese/, /Beerenauslese/, /Eiswein/]],
  [
    'fr',
    [
      ...[/· Bordeaux$/, /· Bordeaux Supérieur/, /Haut-Médoc ·/, /^Saint-Émilion Grand Cru ·/],
      ...[/\(Grand Cru Classé\) · Saint-É/, /\(Grand Cru Classé\) · Pauillac/, /Premier Grand Cru Classé/],
    ],
  ],
  ['fr', [/· Bourgogne$/, /· Chablis$/, /1er Cru|Premier Cru' ?/, /· Corton-Charlemagne Grand Cru/]],
  ['fr', [/Crémant/, /Champagne ·/, /Grand Cru.*· Champagne/]],
  ['it', [/^Chianti ·/, /Chianti Riserva/, /Brunello/]],
  ['it', [/Valpolicella Classico Superiore/, /Ripasso/, /Amarone/]],
  ['es', [/Tempranillo · Rioja/, /^Crianza ·/, /Reserva · Rioja/, /Gran Reserva.* · Rioja/]],
  ['pt', [/· Vinho Verde/, /10 (Year|Anos)/, /20 (Year|Anos)/, /(?<!Bottled )Vintage Port/]],
  ['hu', [/Bikavér/, /3 Puttonyos/, /6 Puttonyos/]],
  ['us', [/· California/, /· Sonoma/, /· Napa Valley/]],
])('in %s a bottle of a higher tier costs more: %p', (country, tiers) => {
  const middles = tiers.map(tier => middleOf(country, tier))
  // A tier without wines has no middle.
  expect(middles.filter((middle, n) => !(middle > (middles[n - 1] ?? 0)))).toEqual([])
})

test.each([
  ['Château Lafite Rothschild', /^Pauillac/, 500, 800],
  ['Château Mouton Rothschild', /^Pauillac/, 500, 800],
  ['Barons de Rothschild (Lafite)', /^Réserve Spéciale/, 25, 60],
  ['Penfolds', /^Grange$/, 400, 800],
  ['Eisele Vineyard', /^Cabernet/, 300, 700],
  ['Michel Juillot', /^Mercurey Premier Cru/, 30, 50],
  ['Fritz Haag', /Juffer Riesling Auslese/, 20, 40],
  ['Karlsmühle', /Beerenauslese/, 50, 100],
  ['Renato Ratti', /^Barolo/, 33, 55],
  ['Mateus', /^The Original/, 4, 8],
  ['Bota Box', /^Nighthawk/, 4, 8],
  ['Freixenet', /^Chianti/, 8, 14],
])('a bottle of %s, %p, costs from %d to %d euros', (winery, name, least, most) => {
  const [bottle] = wines.filter(wine => wine.winery?.name === winery && name.test(wine.name))
  expect(Number(bottle?.gross)).toBeGreaterThanOrEqual(least)
  expect(Number(bottle?.gross)).toBeLessThanOrEqual(most)
})

test('prices end as a merchant writes them, gastronomy 10 % and wholesale 20 % below', () => {
  expect(share(({ gross }) => !/^\d{1,2}\.90$|^\d{2}[05]\.00$/.test(`${gross}`))).toBe(0)
  const median = medianOf(wines.map(({ gross }) => Number(gross)))
  expect(median).toBeGreaterThan(10)
  expect(median).toBeLessThan(18)
  const cheap = wines.find(({ gross }) => gross === '5.90')
  expect(cheap?.prices).toEqual([
    { priceRange: 'Gastronomie', gross: '5.31' },
    { priceRange: 'Großhandel', gross: '4.72' },
  ])
  expect(cheap?.categories).toContain('Unter 10 Euro')
})

test('a wine has the values of the data set', () => {
  const [riesling] = wines.filter(({ name }) => name === 'Ürziger Würzgarten Riesling Kabinett')
  expect(riesling).toMatchObject({
    type: 'white',
    countrycode: 'de',
    region: 1005,
    place: 'Mosel',
    quality: 'cabinet',
    taste_id: 11,
    alcohol: '10.5',
    winery: { name: 'Markus Molitor', countrycode: 'de' },
    categories: expect.arrayContaining(['Weißwein']),
  })
  expect(riesling?.description).toBe(
    'Leichter Weißwein aus Riesling mit lebhafter Säure. Passt zu Schweinefleisch, Krustentieren, würzigen Gerichten, Geflügel und luftgetrocknetem Schinken.',
  )
})

describe('a description', () => {
  const texts = xwines().map(wine => ({
    wine,
    german: description(wine, styleOf(wine), 'de'),
    english: description(wine, styleOf(wine), 'en'),
  }))

  test('in English contains the words of the German one', () => {
    const found = texts.find(({ wine }) => wine.name === 'Ürziger Würzgarten Riesling Kabinett')
    expect(found?.english).toBe(
      'Light white wine made from Riesling with lively acidity. Goes well with pork, shellfish, spicy dishes, poultry, and cured ham.',
    )
    expect(soldOut.en).not.toBe(soldOut.de)
  })

  test('says the same in both languages: each German word has one English word over all wines, and no German word remains', () => {
    // Without the grapes, which have their own names, and the pairings, which are lists.
    const factsOf = (text: string, { grapes }: XWine, made: string) => {
      const [first = '', pairing = ''] = text.split(/\. (?=Passt|Goes)/)
      const [kind = '', rest = ''] = first.split(` ${made} `)
      const last = grapes.at(-1) ?? ''
      const dishes = pairing.replace(/^(Passt zu|Goes well with) |\.$/g, '').split(/, and |, | und | and /)
      return [kind, rest.slice(rest.lastIndexOf(last) + last.length).replace(/\.$/, ''), ...dishes]
    }
    const english = new Map<string, string>()
    for (const { wine, german, english: text } of texts) {
      const facts = factsOf(german, wine, 'aus')
      const others = factsOf(text, wine, 'made from')
      expect(others).toHaveLength(facts.length)
      for (const [n, fact] of facts.entries()) {
        expect([wine.id, fact, others[n]]).toEqual([wine.id, fact, english.get(fact) ?? others[n]])
        english.set(fact, others[n] ?? '')
      }
      for (const grape of wine.grapes) expect(text).toContain(grape)
    }
    const kept = [...english].filter(([fact, other]) => fact === other).map(([fact]) => fact)
    expect(kept).toEqual([''])
    expect(new Set(english.values()).size).toBe(english.size)
    expect([...english.values()].filter(text => /[äöüß]| (mit|aus|und|zu)\b/i.test(text))).toEqual([])
  })
})

test("a grape has the interface's id of any of its names, or an id of its own if the interface has none", () => {
  const named = (...names: string[]) => names.map(name => grapeIdOf(name))
  expect(named('Riesling', 'Chardonnay', 'Merlot', 'Primitivo')).toEqual([129, 32, 71, 474])
  const ids = new Set(wines.flatMap(({ grapetypeIds = [] }) => grapetypeIds))
  expect([...ids].filter(id => id < 100_000)).toHaveLength(137)
  expect([...ids].filter(id => id >= 100_000)).toHaveLength(36)
  expect(share(({ grapetypeIds = [] }) => grapetypeIds.some(id => id >= 100_000))).toBe(65)
  expect(share(({ grapetypeIds = [] }) => new Set(grapetypeIds).size < grapetypeIds.length)).toBe(0)
  expect(wineOf(100005).grapetypeIds).toEqual(named('Cabernet Sauvignon', 'Merlot'))
  expect(wineOf(100005).cuvee).toBe(1)
})

test('a region has the interface’s id if the interface has regions of the country, else an id of its own', () => {
  const regionOf = (place: string) => wines.find(wine => wine.place === place)?.region
  expect(regionOf('Sauternes')).toBe(2002)
  expect(regionOf('Barolo')).toBe(6013)
  expect(regionOf('Wachau')).toBe(8000)
  expect(regionOf('Valais')).toBe(regionIdOf('Wallis'))
  expect(regionOf('Serra Gaúcha')).toBe(regionIdOf('Serra Gaúcha'))
  expect(regionOf('Willamette Valley')).toBe(regionIdOf('Oregon'))
  expect(regionOf('Napa Valley')).toBe(regionIdOf('Kalifornien'))
  const abroad = wines.filter(({ countrycode }) => !regionBlocks.has(countrycode))
  expect(abroad.length).toBeGreaterThan(100)
  for (const { region } of abroad) expect(region).toBeGreaterThanOrEqual(100_000)
  expect(wines.find(wine => wine.place === 'Kent')?.countrycode).toBe('gb')
})

test('every id and word of a wine has a label in every language', () => {
  const qualities: Readonly<Record<string, Labels>> = labels.qualitytypes
  const namesOf = (wine: WineRow, language: Language) => [
    labelOf(labels.countries, wine.countrycode, language),
    regionName(wine.countrycode, wine.region, language),
    labelOf(labels.winetypes, wine.type, language),
    ...(wine.quality ? [labelOf(qualities[wine.countrycode], wine.quality, language)] : []),
    ...(wine.taste_id ? [labelOf(labels.tastes, wine.taste_id, language)] : []),
    ...(wine.bottling_type ? [labelOf(labels.bottlingtypes, wine.bottling_type, language)] : []),
    ...(wine.grapetypeIds ?? []).map(id => labelOf(labels.grapetypes, id, language)),
    ...(wine.allergenIds ?? []).map(id => labelOf(labels.allergens, id, language)),
  ]
  const labelled = wines.filter(wine => languages.every(language => namesOf(wine, language).every(Boolean)))
  expect(labelled).toHaveLength(1007)
})

test('spirits have neither taste nor sugar nor acid', () => {
  const spirits = wines.filter(({ type }) => type === 'destilate')
  expect(spirits).toHaveLength(8)
  for (const spirit of spirits) expect(spirit).toMatchObject({ taste_id: null, sweetness: null, acid: null })
})

test('a winery with wines in several countries has one record', () => {
  const records = wines.filter(({ winery }) => winery?.name === 'Sandeman').map(({ winery }) => JSON.stringify(winery))
  expect(records.length).toBeGreaterThan(1)
  expect(new Set(records).size).toBe(1)
})

test('one merchant has the whole cellar, the other its German and Austrian wines', () => {
  expect(demoWinesOf('elbufer')).toEqual(wines)
  const own = demoWinesOf('sonnenhang')
  expect(own).toHaveLength(72)
  expect(new Set(own.map(({ countrycode }) => countrycode))).toEqual(new Set(['de', 'at']))
})
