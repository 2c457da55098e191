import { writeFile } from 'node:fs/promises'
import { clients } from '../../lib/tool/imports/clients.ts'
import { grapes } from '../../lib/tool/imports/grapes.ts'
import { type FileKind, fileKinds } from '../../lib/tool/imports/kinds.ts'
import { packages } from '../../lib/tool/imports/packages.ts'
import { planLines } from '../../lib/tool/imports/plan.ts'
import { priceRanges } from '../../lib/tool/imports/price-ranges.ts'
import { products } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { newClient, newShop, type Shop } from '../support/harness.ts'
import { newFolder, patience, tool } from '../support/tool.ts'

const folder = await newFolder()

/** The files of each kind: a header, its rows, and the first row once more with one value changed. */
const samples = {
  'price-ranges': { header: 'name', rows: ['Gastronomie', '"Groß, Handel"'], changed: null },
  grapes: { header: 'id,name', rows: ['1,Riesling', '2,Silvaner'], changed: '1,Rheinriesling' },
  clients: {
    header: 'number,type,company,last_name,price_range,rebate,tax_free,mail',
    rows: ['K-1,gastronomy,Zum Anker GmbH,,Gastronomie,5,0,Anker@Example.org', 'K-2,private,,Weiß,,,1,'],
    changed: 'K-1,gastronomy,Zum Anker GmbH,,Gastronomie,7,0,Anker@Example.org',
  },
  products: {
    header: 'articlenumber,name,gross,taxrate,package_quantity,prices,stock',
    rows: ['P-1,Probierpaket,49.90,19,6,Gastronomie=44.90|Freunde=40.00,25', 'P-2,Olivenöl,14.90,7,1,,'],
    changed: 'P-1,Probierpaket,45.90,19,6,Gastronomie=44.90|Freunde=40.00,25',
  },
  packages: {
    header: 'min_bottles,max_bottles,gross,taxrate',
    rows: ['1,6,5.90,19', '7,,8.90,19'],
    changed: '1,6,6.90,19',
  },
} as const

type Name = keyof typeof samples
const names = Object.keys(samples) as Name[]
const kinds = { 'price-ranges': priceRanges, grapes, clients, products, packages }

const fileKind = (name: Name) => fileKinds.find(kind => kind.name === name) as FileKind
const stateOf = ({ id }: Shop, name: Name): Promise<unknown> => kinds[name].read(id)
const sampleFile = (name: Name) => folder.lines(samples[name].header, ...samples[name].rows)
const linesOf = (name: Name, rows: readonly string[]) => folder.lines(samples[name].header, ...rows)

/** Shows the plan of an import, then executes it. Returns the output of the plan. */
const imported = async (shop: Shop, name: Name, file: string): Promise<string> => {
  const { view, apply } = await fileKind(name).prepare(shop.id, file)
  if (view.refusals.length === 0) await apply(() => {})
  return planLines(view).join('\n')
}

const exported = async (shop: Shop, name: Name, ending: 'csv' | 'json'): Promise<string> => {
  const path = folder.path(ending)
  await writeFile(path, (await fileKind(name).write(shop.id, path)).text)
  return path
}

/** A shop that has the price ranges the samples name. */
const newMarket = async (): Promise<Shop> => {
  const shop = await newShop()
  await importRecords(shop.id, priceRanges, [{ name: 'Gastronomie' }, { name: 'Groß, Handel' }])
  return shop
}

/** A shop without records of a kind, but with the records that the kind's sample names. */
const newShopFor = (name: Name): Promise<Shop> => (name === 'price-ranges' ? newShop() : newMarket())

describe('the tool', () => {
  test.each(names)(
    'plans, imports and exports %s',
    async name => {
      const shop = await newShopFor(name)
      const to = ['--merchant', String(shop.id)]
      const [file, copy] = [await sampleFile(name), folder.path('csv')]
      const before = await stateOf(shop, name)
      const plan = await tool('import', name, file, ...to, '--plan')
      expect([plan.code, plan.errors]).toEqual([0, ''])
      expect(plan.out).toMatch(/^2 to add\n( {2}\+ .+\n){2}0 to change\n(0 to remove\n)?0 unchanged\n0 refused\n$/)
      expect(await stateOf(shop, name)).toEqual(before)

      const first = await tool('import', name, file, ...to)
      expect([first.code, first.errors]).toEqual([0, ''])
      expect(first.out).toMatch(new RegExp(`^2 ${name} added, 0 changed(, 0 removed)?, 0 unchanged$`, 'm'))
      expect((await tool('export', name, copy, ...to)).out).toBe(`2 ${name} in ${copy}\n`)
      const again = await tool('import', name, copy, ...to)
      expect(again.out).toMatch(new RegExp(`^0 ${name} added, 0 changed(, 0 removed)?, 2 unchanged$`, 'm'))
    },
    patience,
  )

  test(
    'refuses a file with line and column, and writes nothing of it',
    async () => {
      const shop = await newMarket()
      const file = await folder.lines(
        'number,company,rebate,colour',
        'K-1,Anker,5,red',
        'K-2,Riff,101,red',
        'K-3,,1,red',
      )
      const { code, out, errors } = await tool('import', 'clients', file, '--merchant', String(shop.id))
      expect([code, out]).toEqual([1, ''])
      expect(errors.split('\n')).toEqual([
        '0 to add',
        '0 to change',
        '0 unchanged',
        '2 refused',
        '  line 1, colour: must be a column of the import',
        '  line 3, rebate: must be 100',
        '',
      ])
      expect((await clients.read(shop.id)).clients).toEqual([])
    },
    patience,
  )

  test(
    'warns of grapes that only the merchant has, in a plan and after an import',
    async () => {
      const shop = await newMarket()
      const file = await folder.lines('id,name', '129,Riesling', '200001,Hagebutte')
      const warning = expect.stringMatching(/^warning: .* show grapetypes\.200001\.name for Hagebutte$/)
      for (const flags of [['--plan'], []]) {
        const { code, out } = await tool('import', 'grapes', file, '--merchant', String(shop.id), ...flags)
        expect([code, out.split('\n').filter(line => line.startsWith('warning'))]).toEqual([0, [warning]])
      }
    },
    patience,
  )

  test(
    'leaves out clients that share a number, says how many, and ends with 1',
    async () => {
      const shop = await newMarket()
      await imported(shop, 'clients', await sampleFile('clients'))
      for (const number of ['K-3', 'K-3', null]) await newClient(shop, { number })
      const path = folder.path('json')
      const { code, out, errors } = await tool('export', 'clients', path, '--merchant', String(shop.id))
      expect([code, out]).toEqual([1, `3 clients in ${path}\n`])
      expect(errors).toBe('2 are left out: they share a number, by which a row names one record\n')
    },
    patience,
  )

  test(
    'refuses an empty file, so that no list is lost',
    async () => {
      const shop = await newShop()
      await imported(shop, 'packages', await sampleFile('packages'))
      const path = folder.path('csv')
      await writeFile(path, '')
      const { code, errors } = await tool('import', 'packages', path, '--merchant', String(shop.id))
      expect([code, errors]).toEqual([1, `${path}: the file is empty; it needs a header line\n`])
      expect((await packages.read(shop.id)).packages).toHaveLength(2)
    },
    patience,
  )
})

describe.each(names)('importing %s', name => {
  test('again changes nothing, and neither does importing an export', async () => {
    const shop = await newShopFor(name)
    const file = await sampleFile(name)
    await imported(shop, name, file)
    const state = await stateOf(shop, name)
    for (const again of [file, await exported(shop, name, 'csv'), await exported(shop, name, 'json')]) {
      const report = await imported(shop, name, again)
      expect(report).toMatch(/^0 to add\n0 to change\n(0 to remove\n)?2 unchanged\n0 refused$/)
    }
    expect(await stateOf(shop, name)).toEqual(state)
  })

  const { rows, changed } = samples[name]

  test('changes only the changed rows of a changed file', async () => {
    if (!changed) return
    const shop = await newMarket()
    await imported(shop, name, await sampleFile(name))
    const file = await linesOf(name, [changed, ...rows.slice(1)])
    const report = await imported(shop, name, file)
    expect(report).toMatch(/^0 to add\n1 to change\n {2}~ .+\n {4}\w+: .+ → .+\n(0 to remove\n)?1 unchanged\n/)
    expect(await imported(shop, name, file)).toContain('2 unchanged')
  })

  test('imports no row if one is refused', async () => {
    const shop = await newShopFor(name)
    const before = await stateOf(shop, name)
    const report = await imported(shop, name, await linesOf(name, [...rows, rows[0]]))
    expect(report).toMatch(/^1 refused\n {2}line 4, \w+: must be /m)
    expect(await stateOf(shop, name)).toEqual(before)
  })
})

test('a client’s price range is identified by its name, and must exist', async () => {
  const shop = await newMarket()
  const header = 'number,company,price_range'
  const refused = await imported(
    shop,
    'clients',
    await folder.lines(header, 'K-1,Anker,Gastronomie', 'K-2,Riff,Freunde'),
  )
  expect(refused).toContain('line 3, price_range: must be Gastronomie, Groß, Handel')
  await imported(shop, 'clients', await folder.lines(header, 'K-1,Anker,Gastronomie'))
  const { clients: stored, ranges } = await clients.read(shop.id)
  expect(ranges.find(({ id }) => id === stored[0]?.price_range_id)?.name).toBe('Gastronomie')
})

test('a stored product has all its columns and is counted where its file says so', async () => {
  const shop = await newMarket()
  await imported(shop, 'products', await sampleFile('products'))
  const state = await products.read(shop.id)
  const [tasting, oil] = state.products
  expect(tasting).toMatchObject({
    articlenumber: 'P-1',
    gross: '49.90',
    net: '41.93',
    tax: '7.97',
    package_quantity: 6,
  })
  expect(tasting?.prices).toMatchObject([
    { price_range_id: 1, priceRangeName: 'Gastronomie', gross: '44.90', product_id: tasting?.id },
    { price_range_id: 3, priceRangeName: 'Freunde', gross: '40.00', taxrate: 19 },
  ])
  expect(oil).toMatchObject({ articlenumber: 'P-2', gross: '14.90', net: '13.93', tax: '0.97', prices: [] })
  expect([...state.stocks]).toEqual([[tasting?.id, 25]])
  await imported(shop, 'products', await folder.lines('articlenumber,stock', 'P-1,', 'P-2,0'))
  expect([...(await products.read(shop.id)).stocks]).toEqual([[oil?.id, 0]])
})

test('packages that are missing in a file are deleted, and the others keep their ids', async () => {
  const shop = await newShop()
  await imported(shop, 'packages', await sampleFile('packages'))
  const report = await imported(shop, 'packages', await linesOf('packages', ['7,,8.90,19', '1,3,5.90,19']))
  expect(report).toMatch(
    /^1 to add\n {2}\+ 1 to 3 bottles\n0 to change\n1 to remove\n {2}- 1 to 6 bottles\n1 unchanged\n/,
  )
  const { packages: kept } = await packages.read(shop.id)
  expect(kept).toMatchObject([
    { id: 2, min_bottles: 7, max_bottles: null, customers_id: shop.id },
    { id: 3, min_bottles: 1, max_bottles: 3, gross: '5.90', net: '4.96', tax: '0.94' },
  ])
  const refused = await imported(shop, 'packages', await linesOf('packages', ['1,6,5.90,19', '6,,6.90,19']))
  expect(refused).toContain('line 3, min_bottles: must be outside the range of line 2')
  expect((await packages.read(shop.id)).packages).toEqual(kept)
})

test('one merchant’s file does not change another’s records', async () => {
  const [one, other] = [await newMarket(), await newMarket()]
  await imported(one, 'clients', await sampleFile('clients'))
  await imported(other, 'clients', await folder.lines('number,company', 'K-1,Ganz anders'))
  expect((await clients.read(one.id)).clients).toHaveLength(2)
  expect((await clients.read(other.id)).clients).toMatchObject([{ company: 'Ganz anders', customers_id: other.id }])
})
