import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { demoPackages, demoProductsOf, demoSettingsOf } from '../../lib/tool/demo/records.ts'
import { setUpDemo } from '../../lib/tool/demo/setup.ts'
import { packages } from '../../lib/tool/imports/packages.ts'
import { products } from '../../lib/tool/imports/products.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { findMerchant } from '../../lib/tool/merchants.ts'
import { setStock } from '../../lib/tool/stock.ts'
import { readStocks } from '../../shared/catalogue/stock.ts'
import { changeMerchant } from '../../shared/merchants/edit.ts'
import type { Merchant } from '../../shared/platform/table/items.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { deleteItem, updateItem } from '../../shared/platform/table/table.ts'
import { rows } from '../support/cellar.ts'
import { newShop } from '../support/harness.ts'
import { patience, tool } from '../support/tool.ts'

const accountOf = ({ id }: { id: number }) => findMerchant(String(id))

describe('changing a merchant’s settings', () => {
  test(
    'changes the named settings, shows all, and leaves the others',
    async () => {
      const shop = await newShop()
      const { code, out, errors } = await tool(
        'set',
        String(shop.id),
        ...['--payment-types', 'paypal,invoice,cash', '--freight-free-from', '150.00'],
        ...['--redirect-hosts', 'shop.example.org,localhost', '--payment-provider', 'paypal', '--ships-to', 'de,at'],
      )
      expect([code, errors]).toEqual([0, ''])
      expect(out.split('\n').slice(1)).toEqual([
        '  payment types         paypal, invoice, cash',
        '  default payment type  invoice',
        '  payment provider      paypal',
        '  freight free from     150.00',
        '  redirect hosts        shop.example.org, localhost',
        '  ships to              de, at',
        '  timezone              Europe/Berlin',
        '',
      ])
      const set = {
        payment_types: ['paypal', 'invoice', 'cash'],
        default_payment_type: 'invoice',
        payment_provider: 'paypal',
        freight_free_from: '150.00',
        redirect_hosts: ['shop.example.org', 'localhost'],
        ships_to: ['de', 'at'],
        authid: shop.authid,
      }
      expect(await accountOf(shop)).toMatchObject(set)
      await tool('set', String(shop.id), '--freight-free-from', 'none', '--redirect-hosts', 'none')
      expect(await accountOf(shop)).toMatchObject({ ...set, freight_free_from: null, redirect_hosts: [] })
    },
    patience,
  )

  test.each([
    [['--payment-types', 'barter'], /^`payment_types.0` must be one of paypal, /],
    [
      ['--payment-types', 'cash'],
      /^`data.default_payment_type` must be one of the payment types that are offered: cash.$/m,
    ],
    [[], /^The request has no field to change.$/m],
  ])(
    'is refused for %j',
    async (options, message) => {
      const shop = await newShop()
      const before = await accountOf(shop)
      const { code, out, errors } = await tool('set', String(shop.id), ...options)
      expect([code, out]).toEqual([1, ''])
      expect(errors).toMatch(message)
      expect(await accountOf(shop)).toEqual(before)
    },
    patience,
  )

  test(
    'of an unknown merchant is refused',
    async () => {
      const run = await tool('set', 'Weingut Nirgendwo', '--freight-free-from', 'none')
      expect(run).toEqual({ code: 1, out: '', errors: 'there is no merchant Weingut Nirgendwo\n' })
    },
    patience,
  )

  test('concurrently never leaves a default that is not offered', async () => {
    const shop = await newShop('Testkellerei', ['invoice', 'cash'])
    const changes = Array.from({ length: 10 }, (_, n) =>
      changeMerchant(
        shop.id,
        n % 2 ? { payment_types: ['cash'], default_payment_type: 'cash' } : { payment_types: ['invoice'] },
      ),
    )
    await Promise.allSettled(changes)
    const { payment_types, default_payment_type } = await accountOf(shop)
    expect(payment_types).toContain(default_payment_type)
  })
})

describe('setting a stock', () => {
  const newStore = async () => {
    const shop = await newShop()
    await importWines(shop.id, rows)
    await importRecords(shop.id, products, demoProductsOf('elbufer'))
    return shop
  }

  test('makes a wine or a product counted, or not counted any more', async () => {
    const { id } = await newStore()
    const stocks = async (type: 'wine' | 'product') => [...(await readStocks(id, type)).values()]
    expect(await setStock(id, 'wine', 'riesling', 12)).toBe('Riesling Kabinett')
    expect(await stocks('wine')).toEqual([12])
    await setStock(id, 'wine', 'riesling', 0)
    expect(await stocks('wine')).toEqual([0])
    await setStock(id, 'wine', 'riesling', null)
    expect(await stocks('wine')).toEqual([])
    await setStock(id, 'product', 'P-2', 7)
    expect((await stocks('product')).toSorted()).toEqual([25, 40, 60, 7].toSorted())
  })

  test(
    'is a command that prints the stock',
    async () => {
      const { id } = await newStore()
      const set = await tool('stock', String(id), 'product', 'P-2', '7')
      expect(set).toEqual({ code: 0, out: 'Kellnermesser: 7 in stock\n', errors: '' })
      const ended = await tool('stock', String(id), 'product', 'P-2', 'none')
      expect(ended.out).toBe('Kellnermesser: the stock is not counted\n')
      const unknown = await tool('stock', String(id), 'wine', 'P-2', '1')
      expect(unknown).toEqual({ code: 1, out: '', errors: 'there is no wine with the article number P-2\n' })
      const strange = await tool('stock', String(id), 'parcel', 'P-2', '1')
      expect([strange.code, strange.errors]).toEqual([1, expect.stringContaining('Allowed choices are wine, product.')])
    },
    patience,
  )
})

describe('a demo merchant', () => {
  // The second merchant: other tests change the first at the same time.
  const demo = 'sonnenhang'
  const demoId = async () => (await findMerchant(credentialsOf(demo).authid)).id
  const recordsOf = async (id: MerchantId) => {
    const { products: kept, stocks } = await products.read(id)
    return { kept, stocks, packages: await packages.read(id), account: await accountOf({ id }) }
  }

  test(
    'is set up for ordering, and a second start changes nothing',
    async () => {
      const id = await demoId()
      const before = await recordsOf(id)
      expect(before.account).toMatchObject(demoSettingsOf(demo))
      expect(before.kept.map(product => [product.id, product.articlenumber])).toEqual(
        demoProductsOf(demo).map(({ articlenumber }, n) => [n + 1, articlenumber]),
      )
      expect(before.packages.packages).toHaveLength(demoPackages().length)
      await setUpDemo()
      expect(await recordsOf(id)).toEqual(before)
    },
    patience,
  )

  test(
    'of an older version is completed; manual changes stay',
    async () => {
      const id = await demoId()
      const before = await recordsOf(id)
      await deleteItem(key('packages', { merchant: id }))
      await deleteItem(key('product', { merchant: id, id: 2 }))
      const older: Partial<Merchant> = {
        payment_types: ['invoice'],
        default_payment_type: 'invoice',
        freight_free_from: null,
      }
      await updateItem(key('merchant', { merchant: id }), { set: older, remove: ['payment_provider'] })
      await setStock(id, 'product', 'P-1', 3)
      await setUpDemo()
      const after = await recordsOf(id)
      expect(after.account).toEqual(before.account)
      // The repeated import raised the version of the list.
      expect({ ...after.packages, version: before.packages.version }).toEqual(before.packages)
      expect(after.kept.map(({ articlenumber }) => articlenumber)).toEqual(['P-1', 'P-2', 'P-3'])
      expect(after.stocks.get(1)).toBe(3)
    },
    patience,
  )
})
