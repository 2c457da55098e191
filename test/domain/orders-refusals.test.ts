import { counterKeys } from '../../shared/orders/numbering/numbers.ts'
import { getItems } from '../../shared/platform/table/table.ts'
import { badIds } from '../support/bad-values.ts'
import { itemsOf, newCellar } from '../support/cellar.ts'
import { type Answer, type Json, newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'

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
  expect([json.data.id, json.data.documents.invoices[0].number]).toEqual([first.id + 1, '2'])
})

describe('an order', () => {
  test.each([undefined, null, 7, 'order', [], [good]])('is refused with %j for its data', async data => {
    expect((await send(data)).status).toBe(400)
  })

  test.each([
    ['billing_type', ['person', '', 1, 'Client', 'none']],
    ['billing_id', badIds],
    ['delivery_type', ['person', '', 1]],
    ['delivery_id', badIds],
    ['payment_type', ['gold', '', 'PayPal', 7]],
    ['payment_period', [-1, 366, 1.5, 'x', '']],
    ['invoice_type', ['brutto', '', 7]],
    ['source', [7, 'x'.repeat(256), 'a\u0000', 'a\nb', '\ud800']],
    ['net', ['x', '1', '1.5', 1.234, '1e2', true, [], 1e15]],
    ['tax', ['x', '1', '1.5', 1.234, '1e2', true, [], 1e15]],
    ['gross', ['x', '1', '1.5', 1.234, '1e2', true, [], 1e15]],
    ['client_remark', [7, 'x'.repeat(4001), 'a\u0000', '\ud800']],
    ['invoice_remark', [7, 'x'.repeat(4001), 'a\u0000', '\u202e']],
    ['delivery_note_remark', [7, 'x'.repeat(4001), 'a\u0000']],
    ['note', [7, 'x'.repeat(4001), 'a\u0000', {}]],
  ])('with a bad %s is refused by its path', async (field, values) => {
    for (const value of values) {
      const answer = await add({ [field]: value })
      expect([value, ...refusal(answer)]).toEqual([value, 400, 'validation_failed', `data.${field}`])
      expect(answer.text).not.toContain('xxxx')
    }
  })

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

test('all bad and missing fields of an order are listed together', async () => {
  const { json } = await send({ payment_type: 'gold', items: 7, delivery: { zip: '', countrycode: 'xyz' } })
  expect(json.fields.map(({ path, rule }: Json) => `${path} ${rule}`).sort()).toEqual([
    'data billing',
    'data.delivery named',
    'data.delivery.address required',
    'data.delivery.city required',
    'data.delivery.countrycode country_code',
    'data.delivery.zip required',
    'data.items type',
    'data.payment_type one_of',
  ])
})

describe('the items of an order', () => {
  test.each([7, 'wine', {}])('must be a list, not %j', async items => {
    expect(refusal(await add({ items }))).toEqual([400, 'validation_failed', 'data.items'])
  })

  test.each([undefined, null, []])('must not be empty (%j)', async items => {
    expect(refusal(await add({ items }))).toEqual([422, 'empty_order'])
  })

  test('are 50 at most', async () => {
    const items = Array.from({ length: 51 }, () => item)
    expect(refusal(await add({ items }))).toEqual([400, 'validation_failed', 'data.items'])
    const many = Array.from({ length: 5000 }, () => ({}))
    expect(refusal(await add({ items: many }))).toEqual([400, 'validation_failed', 'data.items'])
  })

  test.each([null, 7, 'wine', [], {}])('must be items, not %j', async one => {
    const answer = await add({ items: [item, one] })
    expect([answer.status, answer.json.error]).toEqual([400, 'validation_failed'])
    for (const path of pathsOf(answer)) expect(path).toMatch(/^data\.items\.1/)
  })

  test.each([
    ['item_type', [undefined, null, '', 'bottle', 'Wine', 7]],
    ['item_id', [undefined, null, ...badIds]],
    ['quantity', [undefined, null, 0, -1, 1.5, 10_000, '10000', '1e3', '', ' 1', true, '６', 2 ** 53]],
  ])('need a good %s', async (field, values) => {
    for (const value of values) {
      const answer = await addItem({ [field]: value })
      expect([value, answer.status, answer.json.error]).toEqual([value, 400, 'validation_failed'])
      expect(pathsOf(answer)[0]).toMatch(new RegExp(`^data\\.items\\.1\\.(item_type|${field})$`))
    }
  })

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

describe('naming an order', () => {
  const get = (body: object) => shop.call('orders/get', body)

  test('takes an id or a uuid', async () => {
    for (const named of [{}, { id: null, uuid: null }]) {
      expect(refusal(await get(named))).toEqual([400, 'missing_identifier'])
    }
    for (const id of badIds) expect([id, ...refusal(await get({ id }))]).toEqual([id, 400, 'validation_failed', 'id'])
    for (const uuid of ['', 'x', first.uuid.slice(1), `${first.uuid}0`, `{${first.uuid}}`, 7, [], true]) {
      expect([uuid, ...refusal(await get({ uuid }))]).toEqual([uuid, 400, 'validation_failed', 'uuid'])
    }
  })

  test('accepts both only if they name the same one', async () => {
    expect(refusal(await get({ id: first.id + 7, uuid: first.uuid }))).toEqual([400, 'identifier_conflict'])
  })

  test('finds no missing order', async () => {
    const uuid = '00000000-0000-4000-8000-000000000000'
    for (const named of [{ id: unknown }, { id: first.id + 7 }, { uuid }, { id: first.id, uuid }]) {
      expect(refusal(await get(named))).toEqual([404, 'order_not_found'])
    }
  })

  test.each(['get', 'getAll'])('orders/%s refuses unknown relations', async route => {
    for (const include of ['positions', 'client,bill', 'Client', ['client', 'x'], [['client']], 7, {}, '__proto__']) {
      const answer = await shop.call(`orders/${route}`, { id: first.id, include })
      expect([include, answer.status, answer.json.error]).toEqual([include, 400, 'validation_failed'])
      expect(pathsOf(answer)[0]).toMatch(/^include/)
    }
    const { status } = await shop.call(`orders/${route}`, { id: first.id, include: Array(21).fill('client') })
    expect(status).toBe(400)
  })

  test.each(['page', 'pageSize'])('a bad %s of the list is refused by its path', async field => {
    for (const value of badIds) {
      const answer = await shop.call('orders/getAll', { [field]: value })
      expect([value, ...refusal(answer)]).toEqual([value, 400, 'validation_failed', field])
    }
  })
})
