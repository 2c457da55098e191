import { newShop } from './harness.ts'

const home = { address: 'Weinbergstraße 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Müller' }

test('an added address is answered with defaults and read back as it was answered', async () => {
  const shop = await newShop()
  const added = await shop.call('addresses/add', { data: home })
  expect(added.status).toBe(200)
  expect(added.json.data).toMatchObject({
    ...home,
    type: 'shipping',
    client_id: null,
    customers_id: shop.id,
    version: 1,
  })
  const read = await shop.call('addresses/get', { id: added.json.data.id })
  expect(read.json.data).toEqual(added.json.data)
})
