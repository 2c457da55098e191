import { advanceOrder } from '../../shared/orders/advance.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import { bareView } from '../../shared/payments/provider.ts'
import { taskKey } from '../../shared/payments/record.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { newProduct, setStock } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayer } from '../support/payer.ts'
import { newPayments, scriptedProvider } from '../support/payment-fixtures.ts'

// The payment after its order is cancelled, and its next check.

const noon = Date.UTC(2026, 4, 1, 12)
useFakeClock(noon)
const { shop, place } = await newPayer('Kellerei Storno')
const { merchant, stored, waits } = newPayments(shop.id)
const { answers } = await scriptedProvider()

const minute = 60_000
const taken = { capture_id: 'CAP', taken: { amount: 2400, currency: 'EUR' } }

/** An order whose payment has these fields, and is due in so many minutes. */
const ordered = async (set: Partial<PaymentItem>, minutes?: number) => {
  const { data, payment } = await place()
  const uuid = payment?.uuid ?? ''
  const index = minutes === undefined ? null : taskKey('due', noon + minutes * minute)
  await updateItem(key('payment', { merchant, uuid }), { set, index })
  const cancel = (more: object = {}) => cancelById(merchant, data.id, { event: 'cancel', actor: 'test', ...more })
  return { id: data.id, uuid, cancel }
}

describe('after its order is cancelled', () => {
  test.each<[string, Partial<PaymentItem>, object, string, [string, number] | undefined]>([
    ['a payment is looked at in ten minutes', { status: 'open' }, {}, 'cancelled', ['due', 10]],
    ['a declined one, too', { status: 'declined' }, {}, 'cancelled', ['due', 10]],
    [
      'even one of last week, once more',
      { status: 'open', crstamp: '2026-04-24 12:00:00' },
      {},
      'cancelled',
      ['due', 10],
    ],
    ['money on its way is waited for', { status: 'pending', ...taken }, {}, 'refund_due', ['due', 4]],
    [
      'money that a person gives back is given back',
      { status: 'review', ...taken },
      { givesBack: 'at the provider' },
      'refund_due',
      ['due', 4],
    ],
    [
      'money that a person gave back by hand is looked for no more',
      { status: 'review', ...taken },
      { givesBack: 'by hand' },
      'refunded',
      undefined,
    ],
  ])('%s', async (_, set, how, status, next) => {
    const { uuid, cancel } = await ordered(set, 99)
    expect((await cancel(how)).order.header.status).toBe('cancelled')
    expect([(await stored(uuid)).status, await waits(uuid)]).toEqual([status, next])
  })

  test.each([
    'cancelled',
    'unused',
  ] as const)('the next check of a payment that is %s already is no later than before', async status => {
    const { uuid, cancel } = await ordered({ status, ...taken }, 2)
    const before = await stored(uuid)
    await cancel()
    expect([await stored(uuid), await waits(uuid)]).toEqual([before, ['due', 2]])
  })
})

describe('an order whose payment was being captured by another request', () => {
  const abandoned = () => ordered({ status: 'capturing', lease: noon })

  test('is cancelled if its provider knows of no money', async () => {
    answers({ inspect: () => bareView('open') })
    const { uuid, cancel } = await abandoned()
    expect((await cancel()).order.header.status).toBe('cancelled')
    expect((await stored(uuid)).status).toBe('cancelled')
  })

  test('is refused if it changed while its provider was asked', async () => {
    const { id, cancel } = await abandoned()
    answers({
      inspect: async () => {
        const { order, version } = await loadOrder(merchant, id)
        const doc = JSON.stringify({ ...order, header: { ...order.header, status: 'need_package', paid: true } })
        await updateItem(key('order', { merchant, id }), { set: { doc, version: version + 1 } })
        return bareView('open')
      },
    })
    await expect(cancel()).rejects.toMatchObject({ word: 'order_paid' })
  })
})

test.each([
  ['captured', 'order_paid'],
  ['review', 'order_not_cancellable'],
] as const)('an order whose payment is %s is not cancelled by the buyer', async (status, word) => {
  const { id, cancel } = await ordered({ status, ...taken })
  await expect(cancel()).rejects.toMatchObject({ word })
  expect((await loadOrder(merchant, id)).order.header.status).toBe('new')
})

describe('an order of 0.00', () => {
  const free = async () => {
    const { id: item_id } = await newProduct(shop, { net: '0.00', tax: '0.00', gross: '0.00' })
    await setStock(shop, 'product', item_id, 10)
    const items = [{ item_type: 'product', item_id, quantity: 2 }]
    const { data } = await place({ payment_type: 'invoice', items })
    expect([data.status, data.paid, data.gross]).toEqual(['need_package', true, '0.00'])
    const left = async () => (await getItem(key('stock', { merchant, type: 'product', id: item_id })))?.quantity
    return { id: data.id, left, cancel: () => cancelById(merchant, data.id, { event: 'cancel', actor: 'test' }) }
  }

  test('can be cancelled like any order, and its stock is returned', async () => {
    const { left, cancel } = await free()
    expect(await left()).toBe(8)
    const { order } = await cancel()
    expect([order.header.status, order.header.paid, order.documents.creditAdvices.length]).toEqual([
      'cancelled',
      false,
      1,
    ])
    expect(await left()).toBe(10)
  })

  test('is not cancelled once it is shipped', async () => {
    const { id, left, cancel } = await free()
    await advanceOrder(merchant, id, 'ship', 'test')
    await expect(cancel()).rejects.toMatchObject({ word: 'order_not_cancellable' })
    expect(await left()).toBe(8)
  })
})
