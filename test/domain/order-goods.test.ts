import type { Client } from '../../shared/contract/records/client.ts'
import { newBuyer, refusal } from '../support/buyer.ts'
import { newProduct, setMerchant, setPackages, setStock } from '../support/checkout.ts'
import { type Json, newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'

const { shop, add, placed, wines } = await newBuyer('Kellerei Warenkunde')
const stranger = await newBuyer('Kellerei Nachbar')
await setPackages(shop)
const merchant = shop.id
const glasses = await newProduct(shop, { name: 'Gläser', package_quantity: 3 })
const book = await newProduct(shop, { gross: '10.70', net: '10.00', tax: '0.70', taxrate: 7, package_quantity: 0 })
const soldOut = await newProduct(shop, { nostock: 1 })
const hidden = await newProduct(shop, { active: 0 })
const foreign = await newProduct(stranger.shop)

const products = (id: number, quantity: number) => ({ item_type: 'product', item_id: id, quantity })
const parcel = (id: number) => ({ item_type: 'package', item_id: id })
const rebate = (name: string, gross: string, net: string, tax: string, more: object = {}) => ({
  item_type: 'rebate',
  name,
  gross,
  net,
  tax,
  ...more,
})

afterAll(async () => expect(await violations(merchant)).toEqual([]))

describe('packing', () => {
  test.each([
    [{ riesling: 1 }, 1, '5.95'],
    [{ riesling: 6 }, 1, '5.95'],
    [{ riesling: 4, juice: 3 }, 2, '8.33'],
    [{ riesling: 13 }, 3, '11.90'],
  ])('the bottles of %j are shipped in package %i', async (quantities, id, gross) => {
    const order = await placed({ items: wines(quantities) })
    expect(order.package).toMatchObject({ item_type: 'package', item_id: id, quantity: 1, gross, taxrate: 19 })
    expect(order.package.item).toMatchObject({ id, type: 'bottles', gross })
    expect(order.positions).toHaveLength(Object.keys(quantities).length)
    expect(Number(order.gross)).toBeCloseTo(Number(order.item_gross) + Number(gross), 9)
  })

  test('a product takes the space of its package quantity', async () => {
    const items = [...wines({ riesling: 1 }), products(glasses.id, 2), products(book.id, 50)]
    expect((await placed({ items })).package).toMatchObject({ item_id: 2 })
    expect((await placed({ items: items.slice(0, 1) })).package).toMatchObject({ item_id: 1 })
  })

  test('with two named packages is refused', async () => {
    for (const second of [3, 2]) {
      const answer = await add({ items: [parcel(3), ...wines({ riesling: 1 }), parcel(second)] })
      expect(refusal(answer)).toEqual([400, 'validation_failed', 'data.items.2'])
    }
  })

  test('is not needed for collected goods, but a named package must exist', async () => {
    const collected = { delivery_type: 'none' }
    const order = await placed({ ...collected, items: [...wines({ riesling: 1 }), parcel(3)] })
    expect(order).toMatchObject({ package: null, gross: '8.90' })
    const answer = await add({ ...collected, items: [...wines({ riesling: 1 }), parcel(9)] })
    expect(refusal(answer)).toEqual([422, 'item_not_found', 'data.items.1.item_id'])
    const two = await add({ ...collected, items: [...wines({ riesling: 1 }), parcel(1), parcel(2)] })
    expect(refusal(two)).toEqual([400, 'validation_failed', 'data.items.2'])
  })

  test('is free from the limit on', async () => {
    await setMerchant(shop, { freight_free_from: '89.00' })
    const free = await placed({ items: wines({ riesling: 10 }) })
    expect(free.package).toMatchObject({ item_id: 2, net: '0.00', tax: '0.00', gross: '0.00' })
    expect(free.gross).toBe('89.00')
    expect((await placed({ items: wines({ riesling: 9 }) })).package.gross).toBe('8.33')
    await setMerchant(shop, { freight_free_from: null })
    const collected = await placed({ delivery_type: 'none', items: wines({ riesling: 1 }) })
    expect(collected).toMatchObject({ package: null, delivery: null, delivery_id: null, gross: '8.90' })
  })

  test('has its own tax rate', async () => {
    const { taxrates, gross } = await placed({ items: wines({ juice: 1 }) })
    expect({ taxrates, gross }).toEqual({
      taxrates: {
        7: { net: '2.33', tax: '0.16', gross: '2.49' },
        19: { net: '5.00', tax: '0.95', gross: '5.95' },
      },
      gross: '8.44',
    })
  })
})

describe('products', () => {
  test('are sold like wine, with their record', async () => {
    const { positions, taxrates } = await placed({ items: [products(glasses.id, 2), products(book.id, 1)] })
    expect(positions[0]).toMatchObject({ item_type: 'product', item_id: glasses.id, name: 'Gläser', gross: '23.80' })
    expect(positions[0].item).toEqual({ ...glasses, quantity: 0 })
    expect(positions[1]).toMatchObject({ gross: '10.70', net: '10.00', taxrate: 7 })
    expect(Object.keys(taxrates)).toEqual(['7', '19'])
  })

  test.each([
    ['an unknown one', 2 ** 50, 'item_not_found'],
    ["another merchant's", foreign.id, 'item_not_found'],
    ['a sold out one', soldOut.id, 'item_unavailable'],
    ['an inactive one', hidden.id, 'item_unavailable'],
  ])('cannot be %s', async (_, id, word) => {
    const answer = await add({ items: [...wines({ juice: 1 }), products(id, 1)] })
    expect(refusal(answer)).toEqual([422, word, 'data.items.1.item_id'])
  })

  test('are counted in stock over all lines of an order', async () => {
    const { id } = await newProduct(shop)
    await setStock(shop, 'product', id, 5)
    const tooMany = await add({ items: [products(id, 3), ...wines({ juice: 1 }), products(id, 3)] })
    expect(refusal(tooMany)).toEqual([422, 'insufficient_stock', 'data.items.0.quantity', 'data.items.2.quantity'])
    expect(tooMany.json.fields[0].expected).toBe('at most 5 in this order')
    const order = await placed({ items: [products(id, 3), products(id, 2)] })
    expect(order.positions.map(({ item }: Json) => item.quantity)).toEqual([0, 0])
    expect(refusal(await add({ items: [products(id, 1)] }))[1]).toBe('insufficient_stock')
    await shop.call('orders/checkout/cancel', { uuid: order.uuid })
    expect((await placed({ items: [products(id, 5)] })).item_gross).toBe('59.50')
    expect(await violations(merchant, { [`product#${id}`]: 5 })).toEqual([])
  })
})

describe('rebates', () => {
  const collected = { delivery_type: 'none' }

  test('apply as often as their quantity, up to the whole sum', async () => {
    const items = [...wines({ secco: 2 }), rebate('Gratis', '-12.00', '-10.08', '-1.92', { quantity: '2' })]
    const order = await placed({ ...collected, items })
    expect(order).toMatchObject({ net: '0.00', tax: '0.00', gross: '0.00', gross_cashback: '0.00' })
    expect(order.rebates[0]).toMatchObject({ gross: '-24.00', quantity: 2 })
  })

  test.each([
    ['that contradict themselves', rebate('?', '-5.00', '-5.00', '-1.00'), 'rebate_invalid'],
    ['that fit no tax rate', rebate('?', '-5.00', '-3.00', '-2.00'), 'rebate_invalid'],
    ['that are worth more than the goods', rebate('?', '-11.90', '-10.00', '-1.90'), 'rebate_exceeds_total'],
  ])('%s are refused by their index', async (_, wrong, word) => {
    const answer = await add({ ...collected, items: [...wines({ riesling: 1 }), wrong] })
    expect(refusal(answer)).toEqual([422, word, 'data.items.1'])
  })

  test('are never positive, and no order without goods', async () => {
    const more = await add({ items: [...wines({ riesling: 1 }), rebate('?', '1.19', '1.00', '0.19')] })
    expect(refusal(more).slice(0, 3)).toEqual([400, 'validation_failed', 'data.items.1.net'])
    expect(refusal(await add({ items: [rebate('?', '0.00', '0.00', '0.00')] }))).toEqual([422, 'empty_order'])
    expect(refusal(await add({ items: [parcel(1)] }))).toEqual([422, 'empty_order'])
  })

  test('of client, order, package, net prices and no tax add up together', async () => {
    const terms: Partial<Client> = { rebate: 15, cashback: 2, cashback_period: 10 }
    const items = [
      ...wines({ riesling: 7, juice: 5 }),
      products(glasses.id, 3),
      products(book.id, 2),
      rebate('Treue', '-1.19', '-1.00', '-0.19', { quantity: 3 }),
    ]
    for (const fields of [terms, { ...terms, tax_free: 1 as const }]) {
      const { id: billing_id } = await newClient(shop, fields)
      for (const invoice_type of ['gross', 'net']) {
        const taxless = { ...items.at(-1), gross: '-1.00', tax: '0.00' }
        const data = { billing_id, invoice_type, items: fields === terms ? items : [...items.slice(0, -1), taxless] }
        const order = await placed(data)
        expect(order).toMatchObject({ rebate: 15, cashback: 2, invoice_type, package: { item_id: 3 } })
        expect(order.rebates).toHaveLength(2)
        expect(await placed({ ...data, net: order.net, tax: order.tax, gross: order.gross })).toBeTruthy()
      }
    }
    expect(await violations(merchant)).toEqual([])
  })
})

describe('more bottles than any package takes', () => {
  test('are sent in the largest one, as often as needed, at that price each', async () => {
    const seller = await newBuyer('Kellerei Kleine Pakete')
    await setPackages(seller.shop, { max_bottles: 12 })
    const order = await seller.placed({ items: seller.wines({ riesling: 25 }) })
    expect(order.package).toMatchObject({ quantity: 3, item: { max_bottles: 12 } })
    const each = Number(order.package.item.gross)
    expect(Number(order.package.gross)).toBeCloseTo(3 * each, 2)
    expect(await violations(seller.shop.id)).toEqual([])
  })

  test('are sent without one if the merchant has no packages', async () => {
    const seller = await newBuyer('Kellerei Ohne Pakete')
    expect((await seller.placed({ items: seller.wines({ riesling: 25 }) })).package).toBeNull()
  })
})

describe('a malformed price', () => {
  const broken = (amount: string) => [
    { gross: amount, net: amount },
    { gross: '11.90', net: amount },
  ]

  test.each(['', '11,90', 'NaN', '11.9', '1e2'].flatMap(broken))('of a product (%j) is refused', async prices => {
    const { id } = await newProduct(shop, prices)
    const answer = await add({ items: [products(id, 1)] })
    expect(refusal(answer)).toEqual([422, 'price_inconsistent', 'data.items.0.item_id'])
  })

  test('of the client’s price range is refused, even if the record’s price is valid', async () => {
    const price = { price_range_id: 9, priceRangeName: 'X', gross: 'x', net: '1.00', tax: '0.19', taxrate: 19 }
    const { id } = await newProduct(shop, { prices: [{ ...price, product_id: 1 }] })
    const { id: billing_id } = await newClient(shop, { price_range_id: 9 })
    expect(refusal(await add({ billing_id, items: [products(id, 1)] }))[1]).toBe('price_inconsistent')
    expect((await add({ items: [products(id, 1)] })).status).toBe(200)
  })

  test('of a package is refused', async () => {
    const seller = await newBuyer('Kellerei Paket ohne Preis')
    await setPackages(seller.shop, { gross: 'gratis' })
    const answer = await seller.add({ items: seller.wines({ riesling: 1 }) })
    expect([answer.status, answer.json.error]).toEqual([422, 'price_inconsistent'])
  })
})
