import fc from 'fast-check'
import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/orders.ts'
import { PackagingQuestion } from '../../shared/contract/packaging.ts'
import { previewOrder } from '../../shared/orders/placing/place.ts'
import { findPackaging } from '../../shared/packaging/find.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct, setMerchant, setPackages } from '../support/checkout.ts'
import { newClient } from '../support/harness.ts'

const shop = await newCellar('Kellerei Versand')
const { id: billing_id } = await newClient(shop)
const glasses = await newProduct(shop, { gross: '39.90', net: '33.53', tax: '6.37', package_quantity: 3 })
const corkscrew = await newProduct(shop, { gross: '12.50', net: '10.50', tax: '2.00', package_quantity: 0 })
const goods = [
  { item_type: 'wine', item_id: shop.wine.riesling, gross: 890, bottles: 1 },
  { item_type: 'wine', item_id: shop.wine.juice, gross: 249, bottles: 1 },
  { item_type: 'product', item_id: glasses.id, gross: 3990, bottles: 3 },
  { item_type: 'product', item_id: corkscrew.id, gross: 1250, bottles: 0 },
]

const baskets = fc.uniqueArray(
  fc.record({ which: fc.constantFrom(...goods), quantity: fc.integer({ min: 1, max: 40 }) }),
  {
    selector: ({ which }) => which.item_id,
    minLength: 1,
    maxLength: 4,
  },
)
const limits = fc.constantFrom(null, '0.00', '59.40', '150.00', '8.90')

const previewed = async (items: object[]) => {
  const data = v.parse(NewOrder, { billing_id, payment_type: 'invoice', items })
  const placer = { merchant: shop.id, user: { id: 1, name: 'test' } }
  return (await previewOrder(placer, { data, idempotencyKey: null })).data.package
}

test('a page that asks for the packaging of its basket shows what the order will have', async () => {
  const ranges = [{}, { max_bottles: 12 }, { taxrate: 7 }]
  for (const [n, range] of ranges.entries()) {
    await setPackages(shop, range)
    await fc.assert(
      fc.asyncProperty(baskets, limits, async (basket, freight_free_from) => {
        await setMerchant(shop, { freight_free_from })
        const items = basket.map(({ which: { item_type, item_id }, quantity }) => ({ item_type, item_id, quantity }))
        const bottles = basket.reduce((sum, { which, quantity }) => sum + which.bottles * quantity, 0)
        // As shops reckon: floats, with their noise.
        const gross = basket.reduce((sum, { which, quantity }) => sum + (which.gross / 100) * quantity, 0)
        const parcel = await previewed(items)
        const asked = findPackaging(shop.id, v.parse(PackagingQuestion, { type: 'bottles', bottles, gross }))
        if (!parcel) return expect(asked).rejects.toMatchObject({ word: 'package_not_found' })
        const { data } = await asked
        const { item_id: id, name, quantity, taxrate } = parcel
        expect(data).toMatchObject({ id, name, quantity, taxrate, gross: parcel.gross })
        // Net and tax of an order's lines are spread so that they add up: a cent more or less than alone.
        expect(Math.abs(Number(data.net) - Number(parcel.net))).toBeLessThan(0.011)
        expect((Number(data.net) + Number(data.tax)).toFixed(2)).toBe(data.gross)
      }),
      { numRuns: n === 0 ? 40 : 15 },
    )
  }
})

test('more packages than amounts can be written for are none at all', async () => {
  await setPackages(shop, { max_bottles: 1, gross: '20000.00', net: '16806.72', tax: '3193.28' })
  await setMerchant(shop, { freight_free_from: null })
  const question = (bottles: number) => v.parse(PackagingQuestion, { bottles })
  expect((await findPackaging(shop.id, question(3))).data).toMatchObject({ quantity: 3, gross: '60000.00' })
  const most = findPackaging(shop.id, question(50 * 9999 * 9999))
  await expect(most).rejects.toMatchObject({ word: 'package_not_found' })
})

test('a merchant that charges no tax shows none in packagings', async () => {
  await setPackages(shop)
  await setMerchant(shop, { tax_free: 1, freight_free_from: null })
  const { data } = await findPackaging(shop.id, v.parse(PackagingQuestion, { bottles: 3 }))
  expect(data).toMatchObject({ net: '5.00', tax: '0.00', gross: '5.00', taxrate: 0 })
  await setMerchant(shop, { tax_free: 0 })
})
