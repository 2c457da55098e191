import { counterKeys } from '../../shared/orders/numbering/numbers.ts'
import { getItems } from '../../shared/platform/table/table.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { type Answer, type Json, newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'

// The rules of each field are tested in unit/order-schema, and by route in bad-input.txt.

const shop = await newCellar()
const stranger = await newCellar()
const client = await newClient(shop)
const deleted = await newClient(shop, { deleted: 1 })
const foreign = await newClient(stranger)
const home = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'de', name: 'Zum Krug' }
const foreignAddress = (await stranger.call('addresses/add', { data: home })).json.data
const goneAddress = (await shop.call('addresses/add', { data: home })).json.data
await shop.call('addresses/delete', { id: goneAddress.id })

const [item = {}] = itemsOf(shop, { riesling: 6 })
const good = { billing_id: client.id, items: [item] }
const unknown = 2 ** 52

const send = (data: unknown) => shop.call('orders/add', { data })
const add = (fields: object) => send({ ...good, ...fields })
const addItem = (fields: object) => add({ items: [item, { ...item, ...fields }] })
const pathsOf = ({ json }: Answer): string[] => (json.fields ?? []).map(({ path }: Json) => path)
const refusal = (answer: Answer) => [answer.status, answer.json.error, ...pathsOf(answer)]

afterAll(async () => expect(await violations(shop.id)).toEqual([]))

const first = (await send(good)).json.data
const stored = async () => ({
  numbers: await getItems(counterKeys(shop.id)),
  list: (await shop.call('orders/getAll', { include: 'items,documents' })).json,
})
const before = await stored()

// A refusal stores no order and takes no number: the next order has the next number.
afterAll(async () => {
  expect(await stored()).toEqual(before)
  const { json } = await send(good)
  expect([json.data.id, json.data.documents.invoices[0].number]).toEqual([first.id + 1, 'R-2'])
})

describe('an order', () => {
  test.each([
    ['an unknown client', { billing_id: unknown }, 'data.billing_id'],
    ["another merchant's client", { billing_id: foreign.id }, 'data.billing_id'],
    ['a deleted client', { billing_id: deleted.id }, 'data.billing_id'],
    ['an unknown address', { billing_type: 'address', billing_id: unknown }, 'data.billing_id'],
    ["another merchant's address", { billing_type: 'address', billing_id: foreignAddress.id }, 'data.billing_id'],
    ['a deleted address', { billing_type: 'address', billing_id: goneAddress.id }, 'data.billing_id'],
    ['delivery to an unknown client', { delivery_id: unknown }, 'data.delivery_id'],
    ["delivery to another merchant's client", { delivery_id: foreign.id }, 'data.delivery_id'],
    ['delivery to a deleted client', { delivery_id: deleted.id }, 'data.delivery_id'],
    [
      "delivery to another merchant's address",
      { delivery_type: 'address', delivery_id: foreignAddress.id },
      'data.delivery_id',
    ],
    ['delivery to the address of no one', { delivery_type: 'address' }, 'data.delivery_id'],
  ])('for %s is refused', async (_, fields, path) => {
    expect(refusal(await add(fields))).toEqual([422, 'reference_not_found', path])
  })

  test.each(['paypal', 'cash', 'bank'])('by %s, which the merchant does not offer, is refused', async payment_type => {
    const answer = await add({ payment_type })
    expect(refusal(answer)).toEqual([422, 'payment_type_not_allowed', 'data.payment_type'])
    expect(answer.json.fields[0].expected).toBe('invoice')
  })

  test('by a payment type that was agreed with its client but is not offered any more is refused', async () => {
    const { id: billing_id } = await newClient(shop, { payment_type: 'debit' })
    expect(refusal(await add({ billing_id }))).toEqual([422, 'payment_type_not_allowed', 'data.payment_type'])
  })
})

describe('the items of an order', () => {
  test('may be bad in many places, of which 20 are returned', async () => {
    const items = Array.from({ length: 50 }, () => ({ ...item, quantity: 0 }))
    const { json } = await add({ items, billing_id: 'x' })
    expect(json.fields).toHaveLength(20)
  })

  test.each([
    ['an unknown wine', unknown, 'item_not_found'],
    ["another merchant's wine", stranger.wine.riesling, 'item_not_found'],
    ['a sold out wine', shop.wine.gone, 'item_unavailable'],
    ['an inactive wine', shop.wine.hidden, 'item_unavailable'],
  ])('cannot be %s', async (_, item_id, word) => {
    expect(refusal(await addItem({ item_id }))).toEqual([422, word, 'data.items.1.item_id'])
  })
})

test('an order that is named by id and uuid must be the same one', async () => {
  const get = async (body: object) => refusal(await shop.call('orders/get', body))
  expect(await get({ id: first.id + 7, uuid: first.uuid })).toEqual([400, 'identifier_conflict'])
  const uuid = '00000000-0000-4000-8000-000000000000'
  expect(await get({ id: first.id, uuid })).toEqual([404, 'order_not_found'])
})
