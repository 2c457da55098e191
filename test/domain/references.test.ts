import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { leaderKey } from '../../shared/orders/numbering/queue.ts'
import { type References, readReferences, withStock } from '../../shared/orders/placing/references.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { getItem, putItem } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct, setPackages, setStock } from '../support/checkout.ts'
import { newClient } from '../support/harness.ts'

// Everything that an order refers to, as it is read.

const shop = await newCellar('Kellerei Bezug')
const merchant = shop.id
const { riesling = 0, secco = 0 } = shop.wine
const anna = await newClient(shop)
const { id: carafe } = await newProduct(shop)
await setStock(shop, 'wine', secco, 5)
await setStock(shop, 'product', carafe, 7)
const items = [
  { item_type: 'wine', item_id: secco, quantity: 1 },
  { item_type: 'product', item_id: carafe, quantity: 1 },
  { item_type: 'wine', item_id: secco, quantity: 2 },
  { item_type: 'wine', item_id: riesling, quantity: 1 },
  { item_type: 'wine', item_id: 4711, quantity: 1 },
] as const

const read = (data: object = {}, idempotencyKey: string | null = null, of: MerchantId = merchant) =>
  readReferences({
    merchant: of,
    user: { id: 1 },
    data: v.parse(NewOrder, { billing_id: anna.id, payment_type: 'invoice', ...data }),
    items,
    idempotencyKey,
  })
const stockOf = ({ stock }: References) => [[...stock.wine], [...stock.product]]

test('goods are read with their stock, if they exist and are counted', async () => {
  const references = await read()
  expect([...references.wines.keys()]).toEqual([secco, riesling])
  expect([...references.products.keys()]).toEqual([carafe])
  expect(references.wines.get(secco)).toMatchObject({ name: 'Secco weiß' })
  expect(stockOf(references)).toEqual([[[secco, 5]], [[carafe, 7]]])
  expect(references).toMatchObject({ packages: [], used: null, client: { id: anna.id }, buyer: { id: anna.id } })
  await setPackages(shop)
  expect((await read()).packages).toHaveLength(3)
})

test('returned stock is added if the stock is counted', async () => {
  const references = await read()
  const given = withStock(references, [
    { type: 'wine', id: secco, quantity: 2 },
    { type: 'product', id: carafe, quantity: 1 },
    { type: 'wine', id: riesling, quantity: 9 },
  ])
  expect(stockOf(given)).toEqual([[[secco, 7]], [[carafe, 8]]])
  expect(stockOf(references)).toEqual([[[secco, 5]], [[carafe, 7]]])
})

test('the order of an Idempotency-Key is read, and nothing without a key', async () => {
  const used = { uuid: 'an order', hash: 'x', expires: 2 ** 40 }
  await putItem(key('idempotency', { merchant, key: 'once' }), used)
  expect((await read({}, 'once')).used).toEqual(used)
  expect((await read({}, 'twice')).used).toBe(null)
  expect((await read()).used).toBe(null)
})

test('for a merchant without settings or numbers nothing is read', async () => {
  const nobody = 4_711_000 as MerchantId
  await expect(read({}, null, nobody)).rejects.toThrow('lacks its settings or its numbers')
  const settings = await getItem(key('merchant', { merchant }))
  if (!settings) throw new Error('the shop has no settings')
  await putItem(key('merchant', { merchant: nobody }), settings)
  await putItem(key('client', { merchant: nobody, id: anna.id }), anna)
  await expect(read({}, null, nobody)).rejects.toThrow('lacks its settings or its numbers')
})

test.each([
  ['before its lease is over', 1499, true],
  ['once its lease is over', 1500, false],
])('a leader is seen as one %s', async (_, passed, hasLeader) => {
  const { now } = Date
  await putItem(leaderKey(merchant), { owner: 'one', until: 1_001_500 })
  Date.now = () => 1_000_000 + passed
  const references = await read().finally(() => {
    Date.now = now
  })
  expect(references.hasLeader).toBe(hasLeader)
})

describe('the client or address that an order names', () => {
  const typed = { last_name: 'Kanne', address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de' }
  const missing = (path: string) => ({ word: 'reference_not_found', fields: [{ path: `data.${path}` }] })

  test('must exist and not be deleted', async () => {
    const { id: deleted } = await newClient(shop, { deleted: 1 })
    for (const id of [4711, deleted]) {
      await expect(read({ billing_id: id })).rejects.toMatchObject(missing('billing_id'))
      await expect(read({ delivery_id: id })).rejects.toMatchObject(missing('delivery_id'))
      await expect(read({ billing_id: null, billing: typed, client_id: id })).rejects.toMatchObject(
        missing('client_id'),
      )
    }
    const address = { billing_type: 'address', billing_id: anna.id }
    await expect(read(address)).rejects.toMatchObject(missing('billing_id'))
  })

  test('is, for an order to another address, the client with its terms', async () => {
    const { billing, client, buyer } = await read({ billing_id: null, billing: typed, client_id: anna.id })
    expect([billing.type, client?.id, buyer?.id]).toEqual(['address', anna.id, anna.id])
  })

  test('must not differ from the typed one next to the id', async () => {
    const conflict = (path: string) => ({ word: 'identifier_conflict', fields: [{ path: `data.${path}.last_name` }] })
    await expect(read({ billing: typed })).rejects.toMatchObject(conflict('billing'))
    await expect(read({ delivery_id: anna.id, delivery: typed })).rejects.toMatchObject(conflict('delivery'))
  })

  test('has no delivery if the buyer collects the goods', async () => {
    expect(await read({ delivery_type: 'none', delivery_id: anna.id })).toMatchObject({ delivery: null })
    expect(await read({ delivery: typed })).toMatchObject({ delivery: { type: 'address', record: typed } })
  })
})
