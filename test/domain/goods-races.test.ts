import { randomUUID } from 'node:crypto'
import { products as productFile } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { addCategory, editCategory, readCategories } from '../../shared/catalogue/category-edit.ts'
import { addPriceRange, readPriceRanges, renamePriceRange } from '../../shared/catalogue/price-ranges.ts'
import { addProduct, editProduct, readProducts } from '../../shared/catalogue/products/edit.ts'
import { changeStock } from '../../shared/catalogue/stock.ts'
import { addPackage, readPackages } from '../../shared/orders/shipping/packages.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { type Answer, type Json, recordOf } from '../support/harness.ts'
import { deaths, mortalRequests } from '../support/mortal-requests.ts'
import { counted } from '../support/partitions.ts'
import { fewerInFastLane, sampleInFastLane } from '../support/sampling.ts'
import { weakTable } from '../support/weak-table.ts'

// Concurrent requests of a desk, on a database that shows a transaction item by item, as DynamoDB may.

await weakTable()
const shop = await newCellar('Kellerei Regalsturm')
const crowd = fewerInFastLane(4, 32)

/** Repeats a request that the busy service refuses: it may have done it. */
const call = async (route: string, body: Json, idempotencyKey?: string): Promise<Answer> => {
  const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}
  for (;;) {
    const answer = await shop.call(route, body, { headers })
    if (answer.status !== 503) return answer
  }
}
/** Adds records at once, each by a key of its own. */
const addAll = (route: string, dataOf: (n: number) => Json): Promise<Answer[]> =>
  Promise.all(counted(crowd).map(n => call(route, { data: dataOf(n) }, randomUUID())))
const editAll = (route: string, edits: readonly Json[]): Promise<Json[]> =>
  Promise.all(edits.map(async edit => recordOf(await call(route, edit))))
const duplicates = (values: readonly unknown[]): unknown[] => values.filter((value, n) => values.indexOf(value) !== n)

describe('of concurrent requests', () => {
  test('no package or edit of one is lost, and no two ranges overlap', async () => {
    const ranges = (crowd * 3) / 4
    const answers = await addAll('packages/add', n => ({
      ...{ min_bottles: 10 * (n % ranges), max_bottles: 10 * (n % ranges) + 9 },
      ...{ gross: '5.95', taxrate: 19 },
    }))
    const [added, refused] = [200, 400].map(expected => answers.filter(({ status }) => status === expected))
    const stored = (await getItem(key('packages', { merchant: shop.id })))?.packages ?? []
    expect(stored.map(({ id }) => id).toSorted()).toEqual(added?.map(answer => recordOf(answer).id).toSorted())
    expect([stored.length, refused?.length]).toEqual([ranges, crowd - ranges])
    expect(duplicates(stored.map(({ min_bottles }) => min_bottles))).toEqual([])
    const edits = [{ gross: '1.19' }, { max_weight: 7 }]
    await editAll(
      'packages/edit',
      stored.flatMap(({ id }) => edits.map(data => ({ id, data }))),
    )
    const after = (await shop.call('packaging/getAll')).json.data
    expect(after.map(({ gross, max_weight }: Json) => ({ gross, max_weight }))).toEqual(
      Array(ranges).fill(Object.assign({}, ...edits)),
    )
  })

  test('no two products have one path_segment', async () => {
    const answers = await addAll('products/add', () => ({ name: 'Glas', gross: '1.00' }))
    expect(duplicates(answers.map(answer => recordOf(answer).path_segment))).toEqual([])
  })

  test('no edit of one product is lost, each of another field', async () => {
    const { id } = recordOf(await call('products/add', { data: { name: 'Umkämpft', gross: '1.00' } }))
    const fields = ['description', 'articlenumber', 'pdf', 'nostocktext']
    const edits = counted(crowd).map(n => ({ id, data: { [fields[n % 4] ?? '']: String(n) } }))
    await editAll('products/edit', edits)
    const after = recordOf(await shop.call('products/get', { id }))
    expect(fields.map(name => Number(after[name]) % 4)).toEqual([0, 1, 2, 3])
  })

  test('a category that a file imports meanwhile has its name alone', async () => {
    const answers = addAll('categories/add', n => ({ name: `Menge ${n % (crowd / 2)}` }))
    const row = { name: 'Aus der Datei', articlenumber: 'D-1', gross: '1.00', categories: ['Menge 1', 'Menge neu'] }
    await importRecords(shop.id, productFile, [row])
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200, 409]))
    const stored = await query({ pk: partition('category', { merchant: shop.id }) })
    expect(duplicates(stored.map(({ name }) => name))).toEqual([])
    expect(duplicates(stored.map(({ id }) => id))).toEqual([])
    expect(stored.filter(({ name }) => name.startsWith('Menge '))).toHaveLength(crowd / 2 + 1)
  })

  test.each([
    ['categories/add', 'category'],
    ['priceRanges/edit', 'priceRange'],
  ] as const)(
    '%s gives no name twice',
    async (route, kind) => {
      const answers = await addAll(route, n => ({ name: `Name ${n % (crowd / 2)}` }))
      const names = (await query({ pk: partition(kind as 'category', { merchant: shop.id }) })).map(({ name }) => name)
      expect(duplicates(names)).toEqual([])
      expect(answers.map(({ status }) => status).toSorted()).toEqual(
        counted(crowd).map(n => (n <= crowd / 2 ? 200 : 409)),
      )
    },
    60_000,
  )

  test('no edit of a category is lost, and lists show the last edit', async () => {
    const { id } = recordOf(await call('categories/add', { data: { name: 'Sammelbecken' } }))
    const last = { description: '3', sorting: 3, path_segment: 's3', name: 'Becken 3' }
    const editing = async (name: string, valueAt: (n: number) => unknown) => {
      for (const n of counted(last.sorting)) {
        recordOf(await call('categories/edit', { id, data: { [name]: valueAt(n) } }))
        await shop.call('categories/getAll')
      }
    }
    await Promise.all([
      editing('description', String),
      editing('sorting', n => n),
      editing('path_segment', n => `s${n}`),
      editing('name', n => `Becken ${n}`),
    ])
    const shown = (await shop.call('categories/getAll')).json.data.find((one: Json) => one.id === id)
    expect(shown).toMatchObject(last)
    expect((await shop.call('categories/get', { id })).json.data).toEqual(shown)
  })

  test.each([
    'wines/edit',
    'products/edit',
  ])('a price by %s has the name that its range has after a rename', async route => {
    const owner =
      route === 'wines/edit'
        ? shop.wine.secco
        : recordOf(await call('products/add', { data: { name: 'Korb', gross: '1.00' } })).id
    for (const n of counted(fewerInFastLane(1, 8))) {
      const { id } = recordOf(await call('priceRanges/edit', { data: { name: `${route} ${n}` } }))
      const data = { prices: [{ price_range_id: id, gross: '8.00' }] }
      const [edited, renamed] = await Promise.all([
        call(route, { id: owner, data }),
        call('priceRanges/edit', { id, data: { name: `Neu, ${route} ${n}` } }),
      ])
      expect([200, 409]).toContain(renamed.status)
      const { name } = (await getItem(key('priceRange', { merchant: shop.id, id }))) ?? {}
      expect(recordOf(edited).prices[0].priceRangeName).toBe(name)
    }
  })
})

describe('a request that dies at a call of the table is done by its repeat, once', () => {
  const request = mortalRequests()
  const { id: merchant } = shop
  const price = { gross: '1.00', taxrate: 19 }
  const named = (all: readonly { name: string }[], name: string) => all.filter(one => one.name === name).length

  const adding: Record<string, [add: (name: string) => Promise<unknown>, count: (name: string) => Promise<number>]> = {
    'products/add': [
      name => addProduct(merchant, 1, { change: { name, ...price }, idempotencyKey: name }),
      async name => named(await readProducts(merchant), name),
    ],
    'categories/add': [
      name => addCategory(merchant, { change: { name }, idempotencyKey: name }),
      async name => named(await readCategories(merchant), name),
    ],
    'priceRanges/edit': [
      name => addPriceRange(merchant, { change: { name }, idempotencyKey: name }),
      async name => named(await readPriceRanges(merchant), name),
    ],
    'packages/add': [
      name =>
        addPackage(merchant, {
          change: { min_bottles: bottlesOf(name), max_bottles: bottlesOf(name), ...price },
          idempotencyKey: name,
        }),
      async name => (await readPackages(merchant)).packages.filter(one => one.min_bottles === bottlesOf(name)).length,
    ],
  }
  const bottlesOf = (name: string): number => 10_000 + Number(name.split(' ').at(-1))

  test.each(Object.entries(adding))(
    '%s',
    async (route, [add, count]) => {
      for (const [n, death] of sampleInFastLane(deaths(7), 5).entries()) {
        const name = `Tod ${route} ${n}`
        await request(() => add(name), death)
        expect(await count(name)).toBeLessThanOrEqual(1)
        expect([await request(() => add(name)), await count(name)]).toEqual([true, 1])
      }
    },
    60_000,
  )

  test('categories/edit, products/edit, a rename and stocks/add', async () => {
    const { record: range } = await addPriceRange(merchant, { change: { name: 'Sterblich' }, idempotencyKey: null })
    const { record: category } = await addCategory(merchant, { change: { name: 'Sterblich' }, idempotencyKey: null })
    const { record: product } = await addProduct(merchant, 1, {
      change: { name: 'Sterblich', ...price },
      idempotencyKey: null,
    })
    const goods = { item_type: 'product', item_id: product.id } as const
    await changeStock(merchant, { change: { ...goods, stock: 100 }, idempotencyKey: null })
    for (const [n, death] of sampleInFastLane(deaths(6), 6).entries()) {
      const name = `Sterblich ${n}`
      const acts = [
        () => renamePriceRange(merchant, range.id, { name }),
        () => editCategory(merchant, category.id, { name }),
        () => editProduct(merchant, product.id, { name }),
        () => changeStock(merchant, { change: { ...goods, quantity: 1 }, idempotencyKey: name }),
      ]
      await Promise.all(acts.map(act => request(act, death)))
      expect(await Promise.all(acts.map(act => request(act)))).toEqual([true, true, true, true])
      const kinds = [readPriceRanges(merchant), readCategories(merchant), readProducts(merchant)]
      expect((await Promise.all(kinds)).map(all => named(all, name))).toEqual([1, 1, 1])
      expect((await getItem(key('stock', { merchant, type: 'product', id: product.id })))?.quantity).toBe(101 + n)
    }
  })
})
