import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { acceptPayment, refundPayment } from '../../shared/orders/checkout/review.ts'
import { resolvePayment } from '../../shared/orders/checkout/take-payment.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import type { PaymentView } from '../../shared/payments/provider.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import type { OrderItem, PaymentItem } from '../../shared/platform/table/items.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { failing, isTransaction } from '../support/failing-table.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayer } from '../support/payer.ts'
import { newPayments, scriptedProvider, viewOf } from '../support/payment-fixtures.ts'
import { hookedTable, silent } from '../support/table-hook.ts'

// The writes after money arrived, is pending, or arrives too late, and concurrent writes.

const noon = Date.UTC(2026, 4, 1, 12)
useFakeClock(noon)
const { shop, place } = await newPayer('Kellerei Quittung')
const { merchant, change, stored, waits } = newPayments(shop.id)
const { answers } = await scriptedProvider()
const table = hookedTable()

const captureId = 'CAP'
const ordered = async (set?: Partial<PaymentItem>) => {
  const { data, payment } = await place()
  const uuid = payment?.uuid ?? ''
  if (set) await change(uuid, set)
  return { id: data.id, uuid, external_id: payment?.external_id, order: () => loadOrder(merchant, data.id) }
}
type Ordered = Awaited<ReturnType<typeof ordered>>

const resolving = ({ uuid }: Ordered, view: (uuid: string) => PaymentView) => {
  answers({ inspect: () => view(uuid) })
  return resolvePayment(merchant, uuid, 'test', { capture: false })
}
const orderKey = (id: number) => key('order', { merchant, id })
const changeOrder = async (id: number, change: (item: OrderItem) => Partial<OrderItem>) => {
  const item = await getItem(orderKey(id))
  if (!item) throw new Error('the order is gone')
  await updateItem(orderKey(id), { set: { version: item.version + 1, ...change(item) } })
}
const cancelled = ({ doc }: OrderItem) => {
  const { header, ...rest } = JSON.parse(doc)
  return { doc: JSON.stringify({ ...rest, header: { ...header, status: 'cancelled' } }) }
}

describe('captured money', () => {
  test('that was partly refunded before its order was paid needs a human decision, and order.refunded is published', async () => {
    const one = await ordered()
    expect(await resolving(one, viewOf('captured', { captureId, refunded: 1000 }))).toBe('paid')
    expect(await stored(one.uuid)).toMatchObject({ status: 'refunded_in_part', refunded: 1000, returned: 'undecided' })
    expect(await waits(one.uuid)).toEqual(['review', 0])
    const { header, history } = (await one.order()).order
    expect(header).toMatchObject({ status: 'need_package', paid: true })
    expect(history.map(({ event }) => event)).toEqual(['add', 'payment_completed', 'payment_returned'])
    const unpublished = await query({ pk: partition('outbox', { merchant }) })
    expect(unpublished.filter(({ detail }) => detail.uuid === header.uuid).map(({ type }) => type)).toEqual([
      'order.placed',
      'order.paid',
      'order.refunded',
    ])
  })
})

describe('money that an operator accepts is in the documents of the order', () => {
  test.each([
    ['as it was taken', { amount: 2399, currency: 'USD' }, '23.99', 'USD'],
    ['as the order cost, when nobody knows what was taken', null, '24.00', 'EUR'],
  ])('%s', async (_, taken, amount, currency) => {
    const one = await ordered({ status: 'review', capture_id: captureId, taken })
    answers({ inspect: () => viewOf('captured', { captureId })(one.uuid) })
    const { documents } = await acceptPayment(merchant, one.id, 'test')
    expect(documents.payments).toMatchObject([{ amount, currency }])
  })
})

describe('money that arrives when its order is cancelled', () => {
  const comesLate = (one: Ordered) => resolving(one, viewOf('captured', { captureId }))
  const late = async () => {
    const one = await ordered()
    await changeOrder(one.id, cancelled)
    return one
  }

  test.each([0, 1000])('is marked for a refund, of which %s was refunded already', async refunded => {
    const one = await late()
    await expect(resolving(one, viewOf('captured', { captureId, refunded }))).rejects.toMatchObject({
      word: 'order_cancelled',
    })
    expect(await stored(one.uuid)).toMatchObject({
      status: 'refund_due',
      capture_id: captureId,
      payer_id: 'PAYER',
      taken: { amount: 2400, currency: 'EUR' },
    })
    expect(await waits(one.uuid)).toEqual(['due', 4])
  })

  test('is left to the request that took over the claim', async () => {
    const one = await late()
    answers({
      inspect: async () => {
        await change(one.uuid, { lease: 4711 })
        return viewOf('captured', { captureId })(one.uuid)
      },
    })
    await expect(resolvePayment(merchant, one.uuid, 'test', { capture: false })).rejects.toMatchObject({
      word: 'order_cancelled',
    })
    expect(await stored(one.uuid)).toMatchObject({ status: 'capturing', lease: 4711, capture_id: null })
  })

  test('while the table does not answer is found by the next try, immediately', async () => {
    const one = await late()
    let updates = 0
    table.hook = name => {
      if (name === 'UpdateItemCommand' && ++updates === 2) silent()
    }
    await expect(comesLate(one)).rejects.toThrow(Unavailable)
    expect(await stored(one.uuid)).toMatchObject({ status: 'capturing', lease: 0 })
    await expect(comesLate(one)).rejects.toMatchObject({ word: 'order_cancelled' })
    expect(await stored(one.uuid)).toMatchObject({ status: 'refund_due' })
  })
})

describe('while another request', () => {
  /** Lets something happen before the first transaction. */
  const beforeFirst = (happens: () => Promise<unknown>) => {
    table.hook = async name => {
      if (!isTransaction(name)) return
      table.hook = undefined
      await happens()
    }
  }
  const lastOf = async (counter: 'invoices' | 'creditAdvices') =>
    (await getItem(key('numbers', { merchant, counter })))?.last
  const takeNumber = (counter: 'invoices' | 'creditAdvices') =>
    updateItem(key('numbers', { merchant, counter }), { add: { last: 1 } })

  test('changes the order, its money is written nevertheless', async () => {
    const one = await ordered()
    beforeFirst(() => changeOrder(one.id, () => ({})))
    expect(await resolving(one, viewOf('captured', { captureId }))).toBe('paid')
    expect((await one.order()).order.header.paid).toBe(true)
  })

  test('takes over the payment, this request’s result is dropped', async () => {
    const one = await ordered()
    beforeFirst(() => change(one.uuid, { lease: 4711 }))
    await expect(resolving(one, viewOf('captured', { captureId }))).rejects.toThrow(/^transaction refused: payment /)
    expect(await stored(one.uuid)).toMatchObject({ status: 'capturing', lease: 4711 })
  })

  test('takes its invoice number, the payment takes the next number', async () => {
    const one = await ordered()
    beforeFirst(() => takeNumber('invoices'))
    expect(await resolving(one, viewOf('captured', { captureId }))).toBe('paid')
    const { invoices } = (await one.order()).order.documents
    expect(invoices.map(({ id }) => id)).toEqual([await lastOf('invoices')])
  })

  test('takes its number of a credit advice, the cancellation takes the next number', async () => {
    const { data } = await place({ payment_type: 'invoice' })
    beforeFirst(() => takeNumber('creditAdvices'))
    const { order } = await cancelById(merchant, data.id, { event: 'cancel', actor: 'test' })
    expect(order.documents.creditAdvices.map(({ id }) => id)).toEqual([await lastOf('creditAdvices')])
  })
})

describe('if the table does not answer, an operator who', () => {
  test('accepts money gets an error, though the decision may have been written', async () => {
    const one = await ordered({ status: 'review', capture_id: captureId })
    answers({ inspect: () => viewOf('captured', { captureId })(one.uuid) })
    const lost = (command: string) => (isTransaction(command) ? 'after' : undefined)
    await expect(failing(lost, () => acceptPayment(merchant, one.id, 'test'))).rejects.toThrow(Unavailable)
    expect((await one.order()).order.header.paid).toBe(true)
  })

  test('refunds a cancelled order gets an error, and the provider is not called', async () => {
    const one = await ordered({ status: 'review', capture_id: captureId })
    await changeOrder(one.id, cancelled)
    answers({})
    table.hook = name => {
      if (name === 'UpdateItemCommand') silent()
    }
    await expect(refundPayment(merchant, one.id, 'test')).rejects.toThrow(Unavailable)
    table.hook = undefined
    expect(await stored(one.uuid)).toMatchObject({ status: 'review', failed_refunds: 0 })
  })
})
