import { clients } from '../../lib/tool/imports/clients.ts'
import { packages } from '../../lib/tool/imports/packages.ts'
import { products } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { newShop, type Shop } from '../support/harness.ts'
import { newFolder, patience, tool } from '../support/tool.ts'

const folder = await newFolder()

describe('concurrent imports', () => {
  const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)
  const clientRows = (numbers: readonly number[]) => numbers.map(n => ({ number: `K-${n}`, company: `Gasthaus ${n}` }))
  const numbersOf = async ({ id }: Shop) => (await clients.read(id)).clients.map(({ number }) => number).toSorted()

  test(
    'never add a client twice, from processes of their own',
    async () => {
      const shop = await newShop()
      const rows = clientRows(upTo(150)).map(({ number, company }) => `${number},${company}`)
      const parts = [rows, rows.slice(50).toReversed()]
      const files = await Promise.all(parts.map(part => folder.lines('number,company', ...part)))
      const runs = await Promise.all(files.map(file => tool('import', 'clients', file, '--merchant', String(shop.id))))
      expect(runs.map(({ code, errors }) => [code, errors])).toEqual(runs.map(() => [0, '']))
      expect(await numbersOf(shop)).toEqual(
        clientRows(upTo(150))
          .map(({ number }) => number)
          .toSorted(),
      )
    },
    patience,
  )

  test(
    'never add a client twice, however their files overlap',
    async () => {
      const shop = await newShop()
      const parts = [upTo(150), upTo(150), upTo(150).slice(70).toReversed(), upTo(100), upTo(60)]
      await Promise.all(parts.map(part => importRecords(shop.id, clients, clientRows(part))))
      expect(await numbersOf(shop)).toEqual(
        clientRows(upTo(150))
          .map(({ number }) => number)
          .toSorted(),
      )
    },
    patience,
  )

  test(
    'never add a product or the price range it names twice',
    async () => {
      const shop = await newShop()
      const rows = upTo(60).map(n => ({
        articlenumber: `P-${n}`,
        name: `Ware ${n}`,
        gross: '1.00',
        prices: [{ priceRange: `Range ${n % 3}`, gross: '0.90' }],
      }))
      await Promise.all(upTo(4).map(() => importRecords(shop.id, products, rows)))
      const state = await products.read(shop.id)
      const numbers = state.products.map(({ articlenumber }) => articlenumber)
      expect(numbers.toSorted()).toEqual(rows.map(({ articlenumber }) => articlenumber).toSorted())
      expect(state.priceRanges.map(({ name }) => name).toSorted()).toEqual(['Range 0', 'Range 1', 'Range 2'])
    },
    patience,
  )

  test(
    'store one of the lists of packages as a whole',
    async () => {
      const shop = await newShop()
      const lists = upTo(4).map(n =>
        upTo(3).map(m => ({ min_bottles: m * n, max_bottles: m * n, gross: `${n}.00`, taxrate: 19 })),
      )
      await Promise.all(lists.map(list => importRecords(shop.id, packages, list)))
      const { packages: kept } = await packages.read(shop.id)
      expect(new Set(kept.map(({ gross }) => gross)).size).toBe(1)
      expect(kept).toHaveLength(3)
    },
    patience,
  )
})
