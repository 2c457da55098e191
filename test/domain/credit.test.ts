import { randomUUID } from 'node:crypto'
import { eventsOf } from '../../shared/events/outbox.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import type { HistoryEntry } from '../../shared/orders/record.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import { sandbox } from '../../shared/payments/sandbox/sandbox.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { finishing, newCheckout, setMerchant, setPackages, setStock, visit } from '../support/checkout.ts'
import { type Answer, type Json, refusal } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'
import { hookedTable } from '../support/table-hook.ts'

// The provider is asked in this process, too.
process.env.ALLOW_SANDBOX = '1'

const { shop, add } = await newCheckout('Kellerei Gutschrift')
const { secco = 0, riesling = 0 } = shop.wine
const [bottles, whites] = [1000, 500]
await setStock(shop, 'wine', riesling, whites)
await setPackages(shop)
const table = hookedTable()
const check = () => violations(shop.id, { [`wine#${secco}`]: bottles, [`wine#${riesling}`]: whites })

afterEach(async () => expect(await check()).toEqual([]))

/** An order on account over six and three bottles with a rebate and a package, as orders/get shows it. */
const newOrder = async (more: object = {}): Promise<Json> => {
  const rebate = { item_type: 'rebate', name: 'Treue', net: '-1.00', tax: '-0.19', gross: '-1.19' }
  const items = [...itemsOf(shop, { secco: 6, riesling: 3 }), rebate]
  return (await add({ payment_type: 'invoice', items, ...more })).json.data
}
const credit = (order: Json, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  shop.call('orders/credit', { id: order.id, refund: 'none', ...more }, { headers })
const read = async ({ id }: Json): Promise<Json> => (await shop.call('orders/get', { id })).json.data
const advance = (order: Json, event: string, more: object = {}): Promise<Answer> =>
  shop.call('orders/advance', { id: order.id, event, ...more })
const stockOf = async (id: number): Promise<number> =>
  (await getItem(key('stock', { merchant: shop.id, type: 'wine', id })))?.quantity ?? Number.NaN

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const total = (credits: Json[], column: string): number => credits.reduce((sum, one) => sum + cents(one[column]), 0)

describe('a credit', () => {
  test('of two bottles has their cents less their share of the rebate, and lists them', async () => {
    const order = await newOrder()
    const [bubbles] = order.positions
    const { status, json } = await credit(order, { positions: [{ id: bubbles.id, quantity: 2 }], remark: 'Kork' })
    expect([status, json.refund]).toEqual([200, null])
    expect(json.credit).toMatchObject({
      ...{
        order_id: order.id,
        invoice_id: order.documents.invoices[0].id,
        remark: 'Kork',
        refund: 'none',
        restocked: 0,
      },
      item_gross: '24.00',
      lines: [{ position_id: bubbles.id, item_type: 'wine', item_id: secco, quantity: 2, gross: '24.00', taxrate: 19 }],
    })
    expect(cents(json.credit.gross)).toBe(2400 + cents(json.credit.rebate_gross))
    expect(cents(json.credit.rebate_gross)).toBeLessThan(0)
    expect(json.data).toMatchObject({ status: 'need_package', paid: false, credited: 'part' })
    expect(json.data.documents.creditAdvices).toEqual([json.credit])
    const named = [...json.data.positions, json.data.package].map(({ credit_advice_id }: Json) => credit_advice_id)
    expect(named).toEqual([json.credit.id, null, null])
    expect(await read(order)).toEqual(json.data)
  })

  test('in parts is the invoice to the cent, in every sum; the last part of an order that is not shipped cancels it', async () => {
    const order = await newOrder()
    const [bubbles, white] = order.positions
    const parts = [
      { positions: [{ id: bubbles.id, quantity: 1 }] },
      {
        positions: [
          { id: bubbles.id, quantity: 4 },
          { id: white.id, quantity: 1 },
        ],
      },
      { package: 1 },
      { positions: [{ id: white.id, quantity: 1 }] },
    ]
    for (const part of parts) expect((await credit(order, part)).json.data.status).toBe('need_package')
    const { json } = await credit(order)
    expect(json.credit.lines.map(({ quantity }: Json) => quantity)).toEqual([1, 1])
    expect(json.data).toMatchObject({ status: 'cancelled', paid: false, credited: 'whole' })
    const credits = json.data.documents.creditAdvices
    expect(credits).toHaveLength(5)
    const names = ['net', 'tax', 'gross', 'gross_cashback'].concat([
      'item_net',
      'item_tax',
      'item_gross',
      'rebate_net',
      'rebate_tax',
      'rebate_gross',
    ])
    for (const name of names) expect([name, total(credits, name)]).toEqual([name, cents(order[name])])
    expect(refusal(await credit(order))).toEqual([409, 'not_in_this_status'])
  })

  test('of a shipped and closed order, paid or not, leaves its status', async () => {
    const order = await newOrder()
    await advance(order, 'ship')
    const [bubbles] = order.positions
    const first = await credit(order, { positions: [{ id: bubbles.id, quantity: 1 }], refund: 'by_hand' })
    // Nothing can go back before the order is paid: the buyer owes less.
    expect(first.json).toMatchObject({ data: { status: 'in_delivery', credited: 'part' }, refund: null })
    const { json: paid } = await advance(order, 'paid')
    expect(cents(paid.data.documents.payments[0].amount)).toBe(cents(order.gross) - cents(first.json.credit.gross))
    await advance(order, 'close')
    const { json } = await credit(order, { refund: 'by_hand' })
    expect(json.data).toMatchObject({ status: 'closed', paid: true, credited: 'whole' })
    expect(json.refund).toEqual({ uuid: null, amount: `-${paid.data.documents.payments[0].amount}`, state: 'by_hand' })
    expect(refusal(await credit(order))).toEqual([422, 'credit_exceeds_invoice'])
  })

  test('of more than is left is refused with the position, and nothing is stored', async () => {
    const order = await newOrder()
    const [bubbles, white] = order.positions
    await credit(order, { positions: [{ id: bubbles.id, quantity: 4 }], package: 1 })
    const before = await read(order)
    const tooMany = await credit(order, {
      positions: [
        { id: white.id, quantity: 1 },
        { id: bubbles.id, quantity: 3 },
      ],
    })
    expect(refusal(tooMany)).toEqual([422, 'credit_exceeds_invoice'])
    expect(tooMany.json.fields).toEqual([{ path: 'positions.1.quantity', rule: 'max_value', expected: '2' }])
    const again = await credit(order, { package: 1 })
    expect([...refusal(again), again.json.fields[0].path]).toEqual([422, 'credit_exceeds_invoice', 'package'])
    expect(await read(order)).toEqual(before)
  })

  test('of a position that the order does not have is refused with the field', async () => {
    const order = await newOrder()
    const other = await newOrder()
    const foreign = await credit(order, { positions: [{ id: other.positions[0].id, quantity: 1 }] })
    expect([...refusal(foreign), foreign.json.fields[0].path]).toEqual([400, 'validation_failed', 'positions.0.id'])
    const parcel = await credit(order, { positions: [{ id: order.package.id, quantity: 1 }] })
    expect(refusal(parcel)).toEqual([400, 'validation_failed'])
    const collected = (await add({ payment_type: 'invoice', delivery_type: 'none' })).json.data
    const none = await credit(collected, { package: 1 })
    expect([...refusal(none), none.json.fields[0].path]).toEqual([400, 'validation_failed', 'package'])
  })

  test('of an order without an invoice is refused with its status', async () => {
    const unpaid = (await add()).json.data
    const answer = await credit(unpaid)
    expect([...refusal(answer), answer.json.status]).toEqual([409, 'not_in_this_status', 'new'])
    await shop.call('orders/checkout/cancel', { id: unpaid.id })
    expect((await credit(unpaid)).json).toMatchObject({ error: 'not_in_this_status', status: 'cancelled' })
    expect(refusal(await shop.call('orders/credit', { id: 4711, refund: 'none' }))).toEqual([404, 'order_not_found'])
  })

  test('returns stock only when asked, and a cancellation returns only what is left', async () => {
    const [before, whitesBefore] = [await stockOf(secco), await stockOf(riesling)]
    const order = await newOrder()
    const [bubbles] = order.positions
    await credit(order, { positions: [{ id: bubbles.id, quantity: 2 }], restock: 1 })
    expect(await stockOf(secco)).toBe(before - 4)
    await credit(order, { positions: [{ id: bubbles.id, quantity: 1 }] })
    expect(await stockOf(secco)).toBe(before - 4)
    await shop.call('orders/checkout/cancel', { id: order.id })
    // The bottle that was not returned stays sold.
    expect([await stockOf(secco), await stockOf(riesling)]).toEqual([before - 1, whitesBefore])
    const { documents } = await read(order)
    expect(total(documents.creditAdvices, 'gross')).toBe(cents(order.gross))
    await cancelById(shop.id, order.id, { event: 'cancel', actor: 'test' })
    expect(await stockOf(secco)).toBe(before - 1)
  })

  test('of a wine that is not counted any more is written without stock', async () => {
    const order = await newOrder()
    const rest = await stockOf(riesling)
    await shop.call('stocks/add', { item_type: 'wine', item_id: riesling, stock: null })
    expect((await credit(order, { restock: 1 })).json.data.status).toBe('cancelled')
    await setStock(shop, 'wine', riesling, rest + 3)
  })

  test('leaves room in the table for the steps that follow it', async () => {
    const order = await newOrder()
    const place = key('order', { merchant: shop.id, id: order.id })
    const item = await getItem(place)
    const doc = JSON.parse(item?.doc ?? '')
    doc.header.note = 'x'.repeat(380_000)
    await updateItem(place, { set: { doc: JSON.stringify(doc) } })
    expect(refusal(await credit(order))).toEqual([413, 'payload_too_large'])
    expect((await advance(order, 'ship')).status).toBe(200)
  })

  test('with dry_run shows its sums and stores nothing', async () => {
    const order = await newOrder()
    const before = await loadOrder(shop.id, order.id)
    const { json } = await credit(order, { dry_run: 1, restock: 1 })
    expect(json.credit).toMatchObject({ gross: order.gross, number: `K-${before.numbers.creditAdvices + 1}` })
    expect(json.data).toMatchObject({ status: 'cancelled', credited: 'whole' })
    expect(await loadOrder(shop.id, order.id)).toEqual(before)
  })

  test('is written once by its Idempotency-Key, and answered again', async () => {
    const order = await newOrder()
    const part = { positions: [{ id: order.positions[0].id, quantity: 1 }], refund: 'by_hand' }
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(Array.from({ length: 8 }, () => credit(order, part, headers)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(answer => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(7)
    const other = await credit(order, { ...part, package: 1 }, headers)
    expect(refusal(other)).toEqual([422, 'idempotency_key_reused'])
    expect((await read(order)).documents.creditAdvices).toHaveLength(1)
  })

  test('of all that is left is answered again to a repeat that looked for its key before the first had written', async () => {
    const order = await newOrder()
    const headers = { 'idempotency-key': randomUUID() }
    let first: Answer | undefined
    table.hook = async (name, text) => {
      if (name !== 'BatchGetItemCommand' || !text.includes('order')) return
      table.hook = undefined
      first = await credit(order, {}, headers)
    }
    const repeat = await credit(order, {}, headers)
    expect([first?.status, repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true'])
    expect(repeat.json).toEqual(first?.json)
  })

  test('of all that is left, with a package that was free, leaves nothing to credit', async () => {
    await setMerchant(shop, { freight_free_from: '1.00' })
    const order = await newOrder()
    await setMerchant(shop, { freight_free_from: null })
    expect(order.package.gross).toBe('0.00')
    await advance(order, 'ship')
    const positions = order.positions.map(({ id, quantity }: Json) => ({ id, quantity }))
    const { json } = await credit(order, { positions })
    expect(json.data.credited).toBe('whole')
    for (const more of [{}, { package: 1 }, { dry_run: 1 }])
      expect(refusal(await credit(order, more))).toEqual([422, 'credit_exceeds_invoice'])
    expect(await read(order)).toEqual(json.data)
  })

  test('is not refunded by a provider that did not take the money', async () => {
    const order = await newOrder()
    const answer = await credit(order, { refund: 'provider' })
    expect(refusal(answer)).toEqual([422, 'refund_not_possible'])
    expect(answer.json.fields).toEqual([{ path: 'refund', rule: 'one_of', expected: 'by_hand, none' }])
    await advance(order, 'paid')
    expect(refusal(await credit(order, { refund: 'provider' }))).toEqual([422, 'refund_not_possible'])
  })
})

describe('orders/advance', () => {
  test('makes the steps of an order; again it is the same; ship keeps carrier and tracking on the delivery note', async () => {
    const order = await newOrder()
    const shipped = await advance(order, 'ship', { carrier: 'DHL', tracking: 'JJD0001', remark: 'zwei Kartons' })
    expect(shipped.json.data).toMatchObject({
      status: 'in_delivery',
      documents: { deliveryNotes: [{ carrier: 'DHL', tracking: 'JJD0001' }] },
    })
    expect((await advance(order, 'ship')).json.data).toEqual(shipped.json.data)
    const paid = await advance(order, 'paid')
    expect(paid.json.data.paid).toBe(true)
    expect((await advance(order, 'paid')).json.data).toEqual(paid.json.data)
    const refused = await advance(order, 'pack')
    expect([...refusal(refused), refused.json.status]).toEqual([409, 'not_in_this_status', 'in_delivery'])
    expect((await shop.call('orders/advance', { uuid: order.uuid, event: 'close' })).json.data.status).toBe('closed')
  })

  test('ship with another carrier or tracking changes the delivery note, in every order of requests, and not the time of shipping', async () => {
    const order = await newOrder()
    const noteAfter = async (sent: object) => {
      const { documents } = (await advance(order, 'ship', sent)).json.data
      const [{ carrier, tracking }] = documents.deliveryNotes
      return { carrier, tracking }
    }
    expect(await noteAfter({})).toEqual({ carrier: null, tracking: null })
    expect(await noteAfter({ carrier: 'DHL' })).toEqual({ carrier: 'DHL', tracking: null })
    expect(await noteAfter({ tracking: 'JJD0001', remark: 'kam später' })).toEqual({
      carrier: 'DHL',
      tracking: 'JJD0001',
    })
    const { order: record, version } = await loadOrder(shop.id, order.id)
    for (const same of [{}, { carrier: 'DHL' }, { carrier: 'DHL', tracking: 'JJD0001' }])
      expect(await noteAfter(same)).toEqual({ carrier: 'DHL', tracking: 'JJD0001' })
    expect((await loadOrder(shop.id, order.id)).version).toBe(version)
    expect(await noteAfter({ carrier: 'UPS', tracking: '1Z' })).toEqual({ carrier: 'UPS', tracking: '1Z' })
    const { data } = (await shop.call('orders/history', { id: order.id })).json
    expect(data.slice(1).map(({ event, remark }: Json) => [event, remark])).toEqual([
      ['ship', null],
      ['shipping_changed', null],
      ['shipping_changed', 'kam später'],
      ['shipping_changed', null],
    ])
    // Nobody is notified a second time that the order was shipped.
    expect(eventsOf(record).map(({ type }) => type)).toEqual(['order.placed', 'order.shipped'])
  })

  test('does not ship an order whose money went back at the provider, before the merchant decides', async () => {
    const answer = await add()
    const request = finishing(answer, await visit(answer.json.targetUrl, 'approve', 'prompt'))
    expect((await shop.call('orders/checkout/finish', request)).json.data.paid).toBe(true)
    const place = key('payment', { merchant: shop.id, uuid: answer.json.payment.uuid })
    const { captureId } = (await findSandboxPayment(answer.json.payment.external_id)) ?? {}
    await sandbox().refund(captureId ?? '', 1000, 'outside', answer.json.payment.uuid, 'EUR')
    expect(await reconcilePayment(shop.id, answer.json.payment.uuid, { actor: 'webhook' })).toBe('review')
    const refused = await advance(answer.json.data, 'ship')
    expect([...refusal(refused), refused.json.status]).toEqual([409, 'payment_refunded', 'need_package'])
    expect((await getItem(place))?.undecided).toBe(1000)
  })

  test('refuses a carrier for goods that the buyer collects', async () => {
    const order = (await add({ payment_type: 'invoice', delivery_type: 'none' })).json.data
    expect(refusal(await advance(order, 'ship', { carrier: 'DHL' }))).toEqual([409, 'not_in_this_status'])
    const unpaid = await advance((await add()).json.data, 'ship', { carrier: 'DHL' })
    expect(unpaid.json).toMatchObject({ code: 409, details: expect.stringMatching(/is new: it cannot be shipped/) })
    expect((await advance(order, 'ship')).json.data.status).toBe('in_delivery')
  })
})

test('orders/history shows the steps of an order with their documents and money, oldest first', async () => {
  const order = await newOrder()
  const [bubbles] = order.positions
  await advance(order, 'paid')
  await advance(order, 'ship', { remark: 'zwei Kartons' })
  const { json } = await credit(order, { positions: [{ id: bubbles.id, quantity: 1 }], refund: 'by_hand' })
  const { data } = (await shop.call('orders/history', { uuid: order.uuid })).json
  const actor = 'test'
  expect(data).toMatchObject([
    {
      event: 'add',
      actor,
      status: 'need_package',
      documents: [{ document: 'invoice' }, { document: 'delivery_note' }],
    },
    { event: 'money_received', actor, documents: [], payment: { amount: order.gross, state: 'received' } },
    { event: 'ship', actor, status: 'in_delivery', payment: null, remark: 'zwei Kartons' },
    {
      ...{ event: 'credit', actor, status: 'in_delivery' },
      documents: [{ document: 'credit_advice', number: json.credit.number }],
      payment: { uuid: null, amount: `-${json.credit.gross}`, state: 'by_hand' },
    },
  ])
  const { order: record } = await loadOrder(shop.id, order.id)
  const types = ['order.placed', 'order.paid', 'order.shipped', 'order.credited']
  expect(eventsOf(record).map(({ type }) => type)).toEqual(types)
})

test('orders/history shows what older steps lack as null', async () => {
  const order = await newOrder()
  const { order: record, version } = await loadOrder(shop.id, order.id)
  const [{ at, event, actor }] = record.history as [HistoryEntry]
  const doc = JSON.stringify({ ...record, history: [{ at, event, actor }] })
  await updateItem(key('order', { merchant: shop.id, id: order.id }), { set: { doc, version: version + 1 } })
  const { data } = (await shop.call('orders/history', { id: order.id })).json
  expect(data).toEqual([{ at, event, actor, status: null, documents: null, payment: null, remark: null }])
})

test('crediting all of an order that is not shipped is the event of its cancellation', async () => {
  const order = await newOrder()
  await credit(order)
  const { order: record } = await loadOrder(shop.id, order.id)
  expect(eventsOf(record).map(({ type }) => type)).toEqual(['order.placed', 'order.cancelled'])
})
