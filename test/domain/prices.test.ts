import { newProduct, setMerchant, setPackages } from '../support/checkout.ts'
import { newClient } from '../support/harness.ts'
import { newPayer } from '../support/payer.ts'

const { shop, place } = await newPayer('Kellerei Preise')

test('a price range has a tax rate of its own', async () => {
  const price = {
    price_range_id: 3,
    priceRangeName: 'Gastronomie',
    product_id: 1,
    net: '10.00',
    tax: '0.70',
    gross: '10.70',
    taxrate: 7,
  }
  const { id: item_id } = await newProduct(shop, { prices: [price] })
  const { id } = await newClient(shop, { price_range_id: 3 })
  const { data } = await place({
    billing_id: id,
    payment_type: 'invoice',
    items: [{ item_type: 'product', item_id, quantity: 3 }],
  })
  const amounts = { net: '30.00', tax: '2.10', gross: '32.10' }
  expect(data).toMatchObject({ ...amounts, taxrates: { 7: amounts }, positions: [{ ...amounts, taxrate: 7 }] })
})

describe('free shipping', () => {
  const shippingOf = async (limit: string | null, invoice_type: 'gross' | 'net') => {
    await setPackages(shop)
    await setMerchant(shop, { freight_free_from: limit })
    const { data } = await place({ payment_type: 'invoice', invoice_type })
    return data.package?.gross
  }

  // Two bottles are 24.00 gross; in a net order 20.16 net, which is 23.99 gross.
  test.each([
    ['24.00', 'gross', '0.00'],
    ['24.01', 'gross', '5.95'],
    ['23.99', 'net', '0.00'],
    ['24.00', 'net', '5.95'],
    [null, 'gross', '5.95'],
  ] as const)('from %s on, in a %s order: the package costs %s', async (limit, mode, gross) => {
    expect(await shippingOf(limit, mode)).toBe(gross)
  })
})
