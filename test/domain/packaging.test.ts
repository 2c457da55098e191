import fc from 'fast-check'
import * as v from 'valibot'
import type { Client } from '../../shared/contract/records/client.ts'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { PackagingQuestion } from '../../shared/contract/routes/packaging.ts'
import { basketView } from '../../shared/orders/baskets/view.ts'
import { previewOrder } from '../../shared/orders/placing/place.ts'
import { findPackaging } from '../../shared/orders/shipping/quote.ts'
import { percentOf } from '../../shared/values/money.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct, setMerchant, setPackages } from '../support/checkout.ts'
import { newClient } from '../support/harness.ts'
import { runsAllCases } from '../support/sampling.ts'

const shop = await newCellar('Kellerei Versand')
const merchant = shop.id
const ranged = (net: string, tax: string, gross: string, taxrate: number) => [
  { product_id: 0, price_range_id: shop.gastronomy, priceRangeName: 'Gastronomie', net, tax, gross, taxrate },
]
const glasses = await newProduct(shop, {
  ...{ gross: '39.90', net: '33.53', tax: '6.37', package_quantity: 3 },
  prices: ranged('30.01', '2.10', '32.11', 7),
})
const corkscrew = await newProduct(shop, { gross: '12.50', net: '10.50', tax: '2.00', package_quantity: 0 })
const goods = [
  ...['riesling', 'secco', 'juice'].map(name => ({ item_type: 'wine' as const, item_id: shop.wine[name] ?? 0 })),
  ...[glasses, corkscrew].map(({ id }) => ({ item_type: 'product' as const, item_id: id })),
]
const buyers = await Promise.all(
  [null, shop.gastronomy].flatMap(price_range_id =>
    ([0, 1] as const).map(tax_free => newClient(shop, { price_range_id, tax_free })),
  ),
)

const carts = fc.record({
  items: fc.uniqueArray(fc.record({ which: fc.constantFrom(...goods), quantity: fc.integer({ min: 1, max: 40 }) }), {
    selector: ({ which }) => JSON.stringify(which),
    minLength: 1,
    maxLength: 5,
  }),
  buyer: fc.constantFrom(...buyers),
  invoice_type: fc.constantFrom(...(['gross', 'net'] as const)),
})

type Shown = { net: string; gross: string; taxrate: number; package_quantity?: number }

/** The items of a basket as a signed-in buyer is shown them. */
const shownTo = async (buyer: Client, items: readonly { which: (typeof goods)[number]; quantity: number }[]) => {
  const stored = items.map(({ which, quantity }, n) => ({ id: n + 1, ...which, quantity }))
  const basket = { uuid: '', items: stored, version: 1, crstamp: '', expires: 0 }
  const { basketItems } = await basketView(merchant, basket, buyer)
  return basketItems.map(({ item, quantity }) => ({ ...(item as Shown), quantity }))
}

/** The sums that a shop sends for packaging: floats with their noise, or net shops' tax by rate. */
const addedUp = (items: readonly (Shown & { quantity: number })[], invoice_type: 'gross' | 'net') => {
  const sum = (column: 'net' | 'gross', of = items) =>
    of.reduce((total, item) => total + Number(item[column]) * item.quantity, 0)
  const bottles = items.reduce((total, { quantity, package_quantity = 1 }) => total + quantity * package_quantity, 0)
  const byRate = [...Map.groupBy(items, ({ taxrate }) => taxrate)]
  const tax = byRate.reduce((total, [rate, of]) => total + percentOf(Math.round(sum('net', of) * 100), rate), 0)
  const amounts = invoice_type === 'net' ? { net: sum('net'), tax: tax / 100 } : { gross: sum('gross') }
  return { sum: sum(invoice_type), question: { type: 'bottles', bottles, invoice_type, ...amounts } }
}

const ordered = async (buyer: Client, invoice_type: 'gross' | 'net', items: object[]) => {
  const data = v.parse(NewOrder, { billing_id: buyer.id, payment_type: 'invoice', invoice_type, items })
  return (await previewOrder({ merchant, user: { id: 1, name: 'test' } }, { data, idempotencyKey: null })).data
}

const limits = [null, '0.00', '8.90', '59.40', '150.00', '1000.00']
const runs = runsAllCases ? 1000 : 108

test('a buyer is billed the sum that a shop computes from basket and packaging', async () => {
  const packages = [{}, { max_bottles: 12 }, { taxrate: 7 }]
  const seen = { carts: 0, free: 0, parcels: 0 }
  for (const [range, freight_free_from] of packages.flatMap(one => limits.map(limit => [one, limit] as const))) {
    await setPackages(shop, range)
    await setMerchant(shop, { freight_free_from })
    const bills = fc.asyncProperty(carts, async ({ items, buyer, invoice_type }) => {
      const shown = await shownTo(buyer, items)
      const { sum, question } = addedUp(shown, invoice_type)
      const order = await ordered(
        buyer,
        invoice_type,
        items.map(({ which, quantity }) => ({ ...which, quantity })),
      )
      expect(sum.toFixed(2)).toBe(order[`item_${invoice_type}`])
      seen.carts++
      const parcel = order.package
      const asked = findPackaging(merchant, v.parse(PackagingQuestion, question), buyer)
      if (!parcel) return expect(asked).rejects.toMatchObject({ word: 'package_not_found' })
      const { data } = await asked
      const { item_id: id, name, quantity, taxrate } = parcel
      expect(data).toMatchObject({ id, name, quantity, taxrate, [invoice_type]: parcel[invoice_type] })
      expect((sum + Number(data[invoice_type])).toFixed(2)).toBe(order[invoice_type])
      // Net and tax of an order's lines are spread so that they add up: a cent more or less than alone.
      expect(Math.abs(Number(data.tax) - Number(parcel.tax))).toBeLessThan(0.011)
      expect((Number(data.net) + Number(data.tax)).toFixed(2)).toBe(data.gross)
      if (data.gross === '0.00') seen.free++
      if (quantity > 1) seen.parcels++
    })
    await fc.assert(bills, { numRuns: Math.ceil(runs / packages.length / limits.length) })
  }
  expect(seen.carts).toBeGreaterThanOrEqual(runs)
  expect(Math.min(seen.free, seen.parcels)).toBeGreaterThan(runs / 50)
})

test('baskets and packaging of a merchant without tax contain none: the typed gross amount is the price', async () => {
  await setPackages(shop)
  await setMerchant(shop, { tax_free: 1, freight_free_from: null })
  const untaxed = { tax: '0.00', taxrate: 0 }
  const { basketItems } = await basketView(merchant, {
    ...{ uuid: '', version: 1, crstamp: '', expires: 0 },
    items: [{ id: 1, item_type: 'product', item_id: glasses.id, quantity: 1 }],
  })
  expect(basketItems[0]?.item).toMatchObject({ net: '39.90', gross: '39.90', ...untaxed })
  expect((basketItems[0]?.item?.prices as object[])[0]).toMatchObject({ net: '32.11', gross: '32.11', ...untaxed })
  const { data } = await findPackaging(merchant, v.parse(PackagingQuestion, { bottles: 3 }))
  expect(data).toMatchObject({ net: '5.95', gross: '5.95', ...untaxed })
  await setMerchant(shop, { tax_free: 0 })
})

test('a package price that exceeds the limit of amounts is treated as no package', async () => {
  await setPackages(shop, { max_bottles: 1, gross: '20000.00', net: '16806.72', tax: '3193.28' })
  await setMerchant(shop, { freight_free_from: null })
  const question = (bottles: number) => v.parse(PackagingQuestion, { bottles })
  expect((await findPackaging(shop.id, question(3))).data).toMatchObject({ quantity: 3, gross: '60000.00' })
  const most = findPackaging(shop.id, question(50 * 9999 * 9999))
  await expect(most).rejects.toMatchObject({ word: 'package_not_found' })
})
