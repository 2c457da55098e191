import { products as productFile } from '../../lib/tool/imports/products.ts'
import { importMissing } from '../../lib/tool/imports/run.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query } from '../../shared/platform/table/table.ts'
import { newProduct } from '../support/checkout.ts'
import { type Answer, type Json, newShop, recordOf } from '../support/harness.ts'
import { patience } from '../support/tool.ts'

const shop = await newShop('Kellerei Gedränge')
const price = { gross: '5.95', taxrate: 19 }

const adding =
  (route: string) =>
  (data: Json, idempotencyKey: string): Promise<Answer> =>
    shop.call(route, { data }, { headers: { 'idempotency-key': idempotencyKey } })
const editing =
  (route: string) =>
  (id: number, data: Json): Promise<Answer> =>
    shop.call(route, { id, data })

const [addProduct, addCategory, addPackage] = [adding('products/add'), adding('categories/add'), adding('packages/add')]
const [editProduct, editPackage] = [editing('products/edit'), editing('packages/edit')]
const times = <T>(count: number, act: (n: number) => T): Promise<Awaited<T>[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

/** Repeats a request that the busy service refuses: it may have done it. */
const untilDone = async (ask: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}

describe('64 concurrent requests lose nothing and leave no half record', () => {
  test(
    'to add products of one name: each has a path_segment of its own',
    async () => {
      const answers = await times(64, n =>
        untilDone(() => addProduct({ name: 'Gedränge', gross: '1.19' }, `gedraenge ${n}`)),
      )
      const added = answers.map(recordOf)
      const stored = await query({ pk: partition('product', { merchant: shop.id }) })
      const crowd = stored.map(({ doc }) => JSON.parse(doc)).filter(({ name }) => name === 'Gedränge')
      expect(crowd.map(({ id }) => id).sort()).toEqual(added.map(({ id }) => id).sort())
      expect(new Set(crowd.map(({ path_segment }) => path_segment)).size).toBe(64)
    },
    patience,
  )

  test(
    'to edit different fields of one product',
    async () => {
      const { id } = await newProduct(shop, { id: 805, path_segment: 'umkaempft' })
      const fields = ['description', 'articlenumber', 'pdf', 'nostocktext']
      const answers = await times(64, n => untilDone(() => editProduct(id, { [fields[n % 4] ?? '']: String(n) })))
      expect(answers.map(recordOf)).toHaveLength(64)
      const after = (await shop.call('products/get', { id })).json.data
      expect(fields.map(name => Number(after[name]) % 4)).toEqual([0, 1, 2, 3])
    },
    patience,
  )

  test(
    'to add categories, while a file imports some: each id and name exists once',
    async () => {
      const answers = times(64, n => untilDone(() => addCategory({ name: `Menge ${n % 32}` }, `menge ${n}`)))
      const row = { name: 'Aus der Datei', articlenumber: 'D-1', gross: '1.00', categories: ['Menge 3', 'Menge 40'] }
      await importMissing(shop.id, productFile, [row])
      const statuses = (await answers).map(({ status }) => status)
      const all = (await shop.call('categories/getAll')).json.data.map(({ name }: Json) => name)
      expect(all.toSorted()).toEqual([...new Set(all)].toSorted())
      expect(all).toHaveLength(33)
      const isWon = statuses.filter(status => status === 200).length
      expect(isWon === 32 || isWon === 31).toBe(true)
      expect(new Set(statuses)).toEqual(new Set([200, 409]))
      const ids = (await query({ pk: partition('category', { merchant: shop.id }) })).map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    },
    patience,
  )

  test(
    'to add and edit packages: no two ranges overlap',
    async () => {
      const answers = await times(64, n =>
        untilDone(() => addPackage({ min_bottles: 10 * (n % 48), max_bottles: 10 * (n % 48) + 9, ...price }, `${n}`)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(48)
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(16)
      const stored = (await getItem(key('packages', { merchant: shop.id })))?.packages ?? []
      expect(new Set(stored.map(({ id }) => id)).size).toBe(48)
      expect(new Set(stored.map(({ min_bottles }) => min_bottles)).size).toBe(48)
      const edited = await times(64, n =>
        untilDone(() => editPackage(stored[n % 48]?.id ?? 0, n < 48 ? { gross: '1.19' } : { max_weight: 7 })),
      )
      expect(new Set(edited.map(({ status }) => status))).toEqual(new Set([200]))
      const after = (await shop.call('packaging/getAll')).json.data
      expect(after.map(({ gross }: Json) => gross)).toEqual(Array(48).fill('1.19'))
      expect(after.filter(({ max_weight }: Json) => max_weight === 7)).toHaveLength(16)
    },
    patience,
  )
})
