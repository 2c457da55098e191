import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { assert, constantFrom, integer, property, record, uniqueArray } from 'fast-check'
import { attemptFor } from '../../lib/shop/pages/checkout-storage.js'
import { fieldSentences, itemsSentence, sentenceOf, stillWrong } from '../../lib/shop/pages/errors.js'
import { ingredientGroups, nutritionOf } from '../../lib/shop/pages/food.js'
import { createFormats } from '../../lib/shop/pages/formats.js'
import { countriesOf } from '../../lib/shop/pages/names.js'
import { amountOf, centsOf, missingForFree, sumOf, taxLinesOf, times } from '../../lib/shop/pages/price.js'
import { facetNames, pageNumbers, readQuery, sorts, toggleValue, writeQuery } from '../../lib/shop/pages/query.js'
import { pathOf, paths, routeOf } from '../../lib/shop/pages/router.js'
import de from '../../lib/shop/pages/texts/de.js'
import en from '../../lib/shop/pages/texts/en.js'
import { ingredientClasses } from '../../shared/contract/labels/label-tables.ts'
import { filterFields } from '../../shared/contract/records/wine-fields.ts'
import { errorsOf } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { factRows } from '../../shared/documents/elabels/rows.ts'
import { cartTotals } from '../../shared/orders/placing/totals.ts'
import { formatMoney, parseMoney } from '../../shared/values/money.ts'

const folder = join(import.meta.dirname, '../../lib/shop/pages')
const files = globSync('**/*.js', { cwd: folder }).map(file => file.replaceAll('\\', '/'))
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

describe('the facts of a wine', () => {
  const rows = factRows(
    {
      ingredients: [
        { key: 'grapes' },
        { key: 'tartaric_acid', and_or: 1 },
        { key: 'malic_acid', and_or: 1 },
        { key: 'lactic_acid' },
        { key: 'sulphites' },
        { key: 'ascorbic_acid' },
        { key: 'bottled_in_protective_atmosphere' },
      ],
      nutrition: {
        ...{ kj: 294, kcal: 71, computed: 1, fat: null, saturates: null, carbohydrate: '1.0', sugars: '0.3' },
        ...{ protein: null, salt: '0.01', negligible: ['fat', 'saturates', 'protein'] },
      },
      packaging: [{ part: 'bottle', material: 'GL 71' }],
    },
    'de',
  )

  test('list ingredients by class, alternatives and statements apart', () => {
    const groups = ingredientGroups(rows).map(({ subgroup, isEither, members }) => [
      subgroup,
      isEither,
      members.map(({ name }) => name),
    ])
    expect(groups).toEqual([
      ['general', false, ['Trauben']],
      ['acidityregulator', true, ['Weinsäure', 'Äpfelsäure']],
      ['acidityregulator', false, ['Milchsäure']],
      ['preservatices', false, ['Sulfite', 'L-Ascorbinsäure']],
      ['', false, ['unter Schutzatmosphäre abgefüllt']],
    ])
  })

  test('list energy, amounts and negligible amounts', () => {
    expect(nutritionOf(rows)).toMatchObject({
      name: 'Brennwert',
      energy: { kj: '294', kcal: '71' },
      amounts: [{ key: 'carbohydrate', quantity: '1.0' }, { key: 'sugars' }, { key: 'salt', quantity: '0.01' }],
      negligible: [{ key: 'fat' }, { key: 'saturates' }, { key: 'protein' }],
    })
  })

  test('have no nutrition without an energy in both units', () => {
    expect(nutritionOf(rows.filter(({ unit }) => unit !== 'kcal'))).toBeUndefined()
    expect(nutritionOf([])).toBeUndefined()
  })

  test('name each subgroup whose class a label prints', () => {
    const printed = Object.values(ingredientClasses).filter(({ prefix }) => prefix)
    for (const { food } of [de, en])
      expect(new Set(Object.keys(food.subgroups))).toEqual(new Set(printed.map(({ subgroup }) => subgroup)))
  })
})

describe('prices', () => {
  const cents = integer({ min: -10_000_000, max: 10_000_000 })

  test('are read and written as the service does', () => {
    assert(
      property(cents, n => amountOf(n) === formatMoney(n) && centsOf(formatMoney(n)) === parseMoney(formatMoney(n))),
    )
    for (const text of ['', '1', '1.5', '1,50', '1.500', ' 1.00', 'NaN'])
      expect(() => centsOf(text)).toThrow(RangeError)
    expect([sumOf(['0.10', '0.20', '-0.05']), times('12.90', 6), sumOf([])]).toEqual(['0.25', '77.40', '0.00'])
  })

  test('contain the same tax as an order of the same lines', () => {
    const line = record({ gross: integer({ min: 1, max: 100_000 }), taxrate: constantFrom(7, 19) })
    assert(
      property(uniqueArray(line, { minLength: 1, maxLength: 8 }), lines => {
        const goods = lines.map(({ gross, taxrate }) => ({
          kind: 'goods' as const,
          quantity: 1,
          taxrate,
          unit: { gross, net: gross },
        }))
        const { taxrates } = cartTotals({ lines: goods, mode: 'gross', taxFree: false, cashback: 0 })
        const shown = taxLinesOf(lines.map(({ gross, taxrate }) => ({ gross: amountOf(gross), taxrate })))
        for (const { taxrate, tax, net, gross } of shown) {
          const right = taxrates[taxrate]
          expect([net, tax, gross].map(centsOf)).toEqual([right?.net, right?.tax, right?.gross])
        }
        expect(shown.length).toBe(new Set(lines.map(({ taxrate }) => taxrate)).size)
      }),
    )
  })

  test('that are free of shipping have no tax line of it', () => {
    expect(taxLinesOf([{ gross: '0.00', taxrate: 19 }])).toEqual([])
    expect(taxLinesOf([])).toEqual([])
  })

  test('show the amount missing for free shipping', () => {
    expect(missingForFree('100.00', '150.00')).toBe('50.00')
    expect(missingForFree('150.00', '150.00')).toBeUndefined()
    expect(missingForFree('1.00', null)).toBeUndefined()
  })

  test('and dates are written as each language does', () => {
    expect(createFormats('de').money('1234.50')).toBe('1.234,50\u00a0€')
    expect(createFormats('en').money('1234.50')).toBe('€1,234.50')
    expect(createFormats('de').number('0.750')).toBe('0,75')
    expect(createFormats('de').date('2026-11-22 12:00:00')).toBe('22. November 2026')
    expect(createFormats('de', 'Europe/Berlin').date('2026-12-31 23:05:00')).toBe('1. Januar 2027')
    expect(createFormats('de', 'UTC').date('2026-12-31 23:05:00')).toBe('31. Dezember 2026')
  })
})

describe('addresses of pages', () => {
  test('lead to their page and back', () => {
    const params = { id: '7', slug: 'weissburgunder', uuid: 'a-b' }
    for (const name of Object.keys(paths) as (keyof typeof paths)[]) {
      const place = routeOf(pathOf(name, params))
      expect(place?.name).toBe(name)
      for (const [key, value] of Object.entries(place?.params ?? {})) expect(value).toBe(params[key as 'id'])
    }
    expect(pathOf('wine', { id: 7 })).toBe('/shop/wine/7')
    expect(routeOf('/shop/wine/7')).toEqual({ name: 'wine', params: { id: '7' } })
    expect(routeOf('/shop/wine/7/a%2Fb')).toEqual({ name: 'wine', params: { id: '7', slug: 'a/b' } })
    expect(routeOf('/shop/wines/')).toEqual({ name: 'wines', params: {} })
  })

  test.each([
    '',
    '/x',
    '/shop',
    '/shop/',
    '/shop/wine',
    '/shop/wines/1',
    '/shop/wine/1/2/3',
    '/service/login',
  ])('%j is none', path => expect(routeOf(path)).toBeUndefined())

  test('of lists contain the query without defaults', () => {
    const chosen = { type: ['red', 'white'], grapetypeIds: ['71'] }
    const query = { q: 'barolo & co', sort: 'cheap', page: 3, chosen }
    expect(readQuery(writeQuery(query))).toEqual(query)
    expect(writeQuery({})).toBe('')
    expect(readQuery('?sort=nonsense&page=-1&type=&type=red&type=red&colour=blue')).toEqual({
      q: '',
      sort: 'popular',
      page: 1,
      chosen: { type: ['red'] },
    })
    expect(facetNames.filter(name => !filterFields.some(field => field === name))).toEqual(['priceBand'])
  })

  test('of lists begin at page 1 when a facet changes, and drop a region with its country', () => {
    const query = readQuery('?countrycode=de&region=1005&page=4')
    expect(toggleValue(query, 'type', 'red')).toMatchObject({ page: 1, chosen: { region: ['1005'], type: ['red'] } })
    expect(toggleValue(query, 'countrycode', 'de').chosen).toEqual({})
    expect(toggleValue(query, 'countrycode', 'fr').chosen).toEqual({ countrycode: ['de', 'fr'] })
  })

  test('link to the pages around the current one, to the first and to the last', () => {
    expect(pageNumbers(1, 1)).toEqual([1])
    expect(pageNumbers(1, 30)).toEqual([1, 2, 0, 30])
    expect(pageNumbers(15, 30)).toEqual([1, 0, 14, 15, 16, 0, 30])
    expect(pageNumbers(3, 4)).toEqual([1, 2, 3, 4])
  })
})

test('addresses may be in the countries that the merchant ships to, its own first; without a list in all with a name', () => {
  const labels = { countries: { at: 'Österreich', de: 'Deutschland', fr: 'Frankreich' } }
  const of = (shipsTo: string[], countrycode: string | null = 'de') =>
    countriesOf({ labels, language: 'de', session: { merchant: { shipsTo, countrycode } } })
  expect(of(['at', 'de'])).toEqual([
    ['de', 'Deutschland'],
    ['at', 'Österreich'],
  ])
  expect(of(['nl', 'at'])).toEqual([
    ['nl', 'Niederlande'],
    ['at', 'Österreich'],
  ])
  expect(of([], 'fr').map(([code]) => code)).toEqual(['fr', 'de', 'at'])
})

describe('texts', () => {
  type Leaf = [path: string, kind: string]
  const leavesOf = (texts: object, path = ''): Leaf[] =>
    Object.entries(texts).flatMap(([name, value]): Leaf[] => {
      const own = path ? `${path}.${name}` : name
      if (typeof value === 'object') return leavesOf(value, own)
      return [[own, typeof value === 'function' ? `function of ${value.length}` : typeof value]]
    })

  test('are complete in both languages', () => {
    expect(leavesOf(en).toSorted()).toEqual(leavesOf(de).toSorted())
    const empty = (texts: object) => JSON.stringify(texts).match(/"[^"]*":""/g)
    expect([empty(de), empty(en)]).toEqual([null, null])
  })

  test('are all used by some page', () => {
    const pages = files
      .filter(file => !file.startsWith('texts/'))
      .map(read)
      .join('\n')
    // Those are looked up by words of records, errors and rules, and by names of pages and fields.
    const byValue =
      /^(errors\.(words|items|rules)|order\.(statuses|steps)|checkout\.payment|types|form\.\w+$)|\.(amounts|caps|genders|sorts|subgroups|facets|bio|vegan)\b|^legal\.(\w+Text|imprint|terms|withdrawal|privacy)/
    const unused = leavesOf(de)
      .map(([path]) => path)
      .filter(path => !byValue.test(path))
      .filter(path => !RegExp(`(\\b|\\.)${path.split('.').slice(-2).join('\\.')}\\b`).test(pages))
    expect(unused).toEqual([])
  })

  test.each([de, en])('have a sentence for every refusal that a visitor can meet', texts => {
    // The merchant's own session, what only its staff does, what is fetched without this shop's pages, and their faults.
    const others =
      /^(token_|credentials_|login_throttled|webhook_|address_|expertise_|category_|winery_|product_|localization_|picture_|asset_|range_|version_|slug_|json_|invalid_json|identifier_|missing_identifier|field_not|nothing_to|unsupported_media|route_not|method_not|redirect_url|campaign_|rebate_|document_|label_|already_rolled_|payment_mismatch)/
    const words = routes.filter(({ role }) => !role).flatMap(errorsOf)
    expect(words.filter(word => !others.test(word) && !Object.hasOwn(texts.errors.words, word))).toEqual([])
    expect(sentenceOf({ word: 'constructor', status: 400 }, texts)).toBe(texts.errors.unknown)
    expect(sentenceOf({ status: 0 }, texts)).toBe(texts.errors.offline)
    expect(sentenceOf({ word: 'mail_taken', status: 400 }, texts)).toBe(texts.errors.words.mail_taken)
  })
})

test('errors of basket items have the name of the item and the remaining stock', () => {
  const items = [
    { item_type: 'wine', item_id: 1, name: 'Riesling 2019' },
    { item_type: 'product', item_id: 1, name: 'Kellnermesser' },
    { item_type: 'wine', item_id: 2, name: 'Secco' },
  ]
  const path = 'data.items.0'
  const fields = [
    { path, rule: 'insufficient_stock', expected: 'at most 12', item_type: 'product', item_id: 1 },
    { path, rule: 'item_unavailable', item_type: 'wine', item_id: 2 },
  ]
  const sentence = itemsSentence({ word: 'insufficient_stock', fields }, items, de)
  expect(sentence).toBe(['Von Kellnermesser haben wir noch 12.', de.errors.items.item_unavailable('Secco')].join(' '))
  const unnamed = { word: 'item_not_found', fields: [{ path, rule: 'item_not_found' }] }
  expect(itemsSentence(unnamed, items, de)).toBe(de.errors.words.item_not_found)
  expect(itemsSentence({ status: 0 }, items, de)).toBe(de.errors.offline)
})

describe('errors of a form', () => {
  const fields = [
    { path: 'data.billing.zip', rule: 'required' },
    { path: 'data.delivery.city', rule: 'max_length' },
    { path: 'data.billing', rule: 'named' },
    { path: 'data.mail', rule: 'mail' },
    { path: 'data.phone', rule: 'something_new' },
  ]

  test('are shown at their field, in the right address', () => {
    expect(fieldSentences({ fields }, de, 'billing')).toEqual({
      zip: de.errors.rules.required,
      last_name: de.errors.rules.named,
    })
    expect(fieldSentences({ fields }, de, 'delivery')).toEqual({ city: de.errors.rules.max_length })
    expect(fieldSentences({ fields: fields.slice(3) }, en)).toEqual({
      mail: en.errors.rules.mail,
      phone: en.errors.rules.other,
    })
  })

  test('disappear once the field has changed', () => {
    expect(stillWrong({ zip: 'x', city: 'y' }, { zip: '1', city: '' }, { zip: '12', city: '' })).toEqual({ city: 'y' })
  })
})

test('a checkout has the same key as long as the order is the same', () => {
  let made = 0
  const newKey = () => `key ${++made}`
  const first = attemptFor({ gross: '1.00' }, undefined, newKey)
  expect(attemptFor({ gross: '1.00' }, JSON.parse(JSON.stringify(first)), newKey)).toEqual(first)
  expect(attemptFor({ gross: '2.00' }, first, newKey).key).toBe('key 2')
})

describe('modules', () => {
  const importsOf = (file: string): string[] =>
    [...read(file).matchAll(/(?:from |import\()'([^']+)'/g)].map(([, target = '']) =>
      target.startsWith('.') ? posix.join(posix.dirname(file), target) : target,
    )

  test('import only existing files of the shop', () => {
    for (const file of files) {
      const missing = importsOf(file).filter(one => !files.includes(one) && one !== '/shop/vendor/preact.js')
      expect([file, missing]).toEqual([file, []])
    }
  })

  test('of the start page are preloaded in its head', () => {
    const loaded = new Set<string>()
    const visit = (file: string): void => {
      for (const target of importsOf(file).filter(one => !one.startsWith('views/'))) {
        if (loaded.has(target)) continue
        loaded.add(target)
        if (files.includes(target)) visit(target)
      }
    }
    visit('app.js')
    visit('views/start.js')
    const announced = [...read('index.html').matchAll(/modulepreload" href="([^"]+)"/g)].map(([, path = '']) => path)
    const wanted = [...loaded].map(file => (file.startsWith('/') ? file : `/shop/pages/${file}`))
    expect(announced.toSorted()).toEqual(wanted.toSorted())
  })

  test('have a view for every page', () => {
    const imports = read('app.js').matchAll(/\[([^\]]+)\],\s+\(\) => import\('\.\/(views\/[\w-]+\.js)'\)/g)
    const pages = [...imports].flatMap(([, names = '', file = '']) => {
      const [exported = ''] = /^export const views = .*/ms.exec(read(file)) ?? []
      const views = [...exported.matchAll(/(\w+): [A-Z]/g)].map(([, name]) => name)
      expect(views.toSorted()).toEqual(names.match(/\w+/g)?.toSorted())
      return views
    })
    expect(pages.toSorted()).toEqual([...Object.keys(paths), 'missing'].toSorted())
  })

  test('have neither inline scripts nor styles, which the policy would refuse', () => {
    const page = read('index.html')
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/)
    for (const file of files) expect([file, /innerHTML|\bstyle=/.test(read(file))]).toEqual([file, false])
  })
})

test('each order of the list has its name in both languages', () => {
  for (const { list } of [de, en]) expect(Object.keys(list.sorts)).toEqual(sorts)
})
