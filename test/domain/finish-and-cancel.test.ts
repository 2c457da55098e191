import { Problem } from '../../shared/contract/errors.ts'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { cancelById, cancelOrder } from '../../shared/orders/checkout/cancel.ts'
import { finishOrder } from '../../shared/orders/checkout/finish.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import type { PaymentStatus } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem, updateItem } from '../../shared/platform/table/table.ts'
import { newBasket } from '../support/checkout.ts'
import { newPayer } from '../support/payer.ts'

const { shop, place, approved, check } = await newPayer('Kellerei Abschied')
const merchant = shop.id
const secco = shop.wine.secco as number
const stock = key('stock', { merchant, type: 'wine', id: secco })

const refusalText = async (act: Promise<unknown>): Promise<string> => {
  try {
    await act
    return 'nothing'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return `${error.status} ${error.word}: ${error.message}`
  }
}

describe('a refused finish', () => {
  const other = '00000000-0000-4000-8000-000000000000'
  // In all else it is right: its payer is the one who approved the payment.
  const ofRequest = async () => {
    const { data, payment } = await approved()
    const external_id = payment.external_id ?? ''
    const payer_id = (await getItem(key('sandboxPayment', { id: external_id })))?.payerId
    const request = { payment_type: 'paypal', payment_id: payment.uuid, order_id: data.uuid, external_id, payer_id }
    return (changes: object) => finishOrder(merchant, { ...request, ...changes } as never, 'test')
  }

  test.each<[string, object, string]>([
    [
      'that names two payments',
      { payment_uuid: other },
      '400 identifier_conflict: `payment_id` and `payment_uuid` identify different payments.',
    ],
    [
      'that names two orders',
      { order_uuid: other },
      '400 identifier_conflict: `order_id` and `order_uuid` identify different orders.',
    ],
    ['that names no payment', { payment_id: null }, '400 missing_identifier: `payment_id` is required.'],
    ['that names no order', { order_id: null, order_uuid: null }, '400 missing_identifier: `order_id` is required.'],
    [
      'of a payment there is not',
      { payment_id: other },
      '422 payment_mismatch: The payment does not belong to this order.',
    ],
    ['of an order there is not', { order_id: other }, '404 order_not_found: There is no such order.'],
    [
      'of another way to pay',
      { payment_type: 'card' },
      '422 payment_mismatch: The payment does not belong to this order.',
    ],
    [
      'of another payment at the provider',
      { external_id: 'SBX0' },
      '422 payment_mismatch: The payment does not belong to this order.',
    ],
  ])('%s', async (_, changes, refusal) => {
    const finish = await ofRequest()
    expect(await refusalText(finish(changes))).toBe(refusal)
  })

  test.each<[PaymentStatus, string]>([
    ['cancelled', 'order_paid'],
    ['unused', 'order_paid'],
    ['created', 'payment_not_approved'],
    ['review', 'amount_mismatch'],
  ])('of a payment that is %s, whose order waits: %s', async (status, word) => {
    const { payment, finish } = await approved()
    const place = key('payment', { merchant, uuid: payment.uuid })
    await updateItem(place, { set: { status } })
    await expect(finish()).rejects.toMatchObject({ word })
    await updateItem(place, { set: { status: 'open' } })
  })

  test('is never caused by two equal ids of one payment', async () => {
    const { data, payment } = await approved()
    const external_id = payment.external_id ?? ''
    const payer_id = (await getItem(key('sandboxPayment', { id: external_id })))?.payerId
    const same = { payment_id: payment.uuid, payment_uuid: payment.uuid, order_id: data.uuid, order_uuid: data.uuid }
    const request = { payment_type: 'paypal', external_id, payer_id, ...same }
    const { data: finished } = await finishOrder(merchant, request as never, 'test')
    expect(finished).toMatchObject({ status: 'need_package', paid: true })
  })

  test('is caused by another payer than the known one, and by the state of an order with another payment', async () => {
    const { data, payment, finish } = await approved()
    await finish()
    const request = {
      payment_type: 'paypal',
      payment_id: payment.uuid,
      order_id: data.uuid,
      external_id: payment.external_id,
    }
    const paid = { ...request, payer_id: 'another' }
    expect(await refusalText(finishOrder(merchant, paid as never, 'test'))).toBe(
      '409 order_paid: The order is already paid.',
    )
    const gone = await place()
    await cancelOrder(merchant, { uuid: gone.data.uuid }, 'test')
    const cancelled = { ...request, order_id: gone.data.uuid, payer_id: 'x' }
    expect(await refusalText(finishOrder(merchant, cancelled as never, 'test'))).toBe(
      '409 order_cancelled: The order is cancelled.',
    )
  })

  test('is never caused by an internal error, which is thrown', async () => {
    const { data, payment } = await place()
    const order = key('order', { merchant, id: data.id })
    const stored = await getItem(order)
    await updateItem(order, { set: { doc: 'no order' } })
    await updateItem(key('payment', { merchant, uuid: payment?.uuid ?? '' }), { set: { status: 'cancelled' } })
    const request = {
      payment_type: 'paypal',
      payment_id: payment?.uuid,
      order_id: data.uuid,
      external_id: payment?.external_id,
      payer_id: 'x',
    }
    await expect(finishOrder(merchant, request as never, 'test')).rejects.toThrow(SyntaxError)
    await updateItem(order, { set: { doc: stored?.doc ?? '' } })
    await cancelOrder(merchant, { uuid: data.uuid }, 'test')
  })
})

describe('an order that is cancelled', () => {
  const statusOf = async (id: number) => (await loadOrder(merchant, id)).order.header.status
  const cancelling = { event: 'cancel', actor: 'test' } as const

  test('needs neither basket nor counted stock', async () => {
    const basket = await newBasket(shop, secco, 3)
    const { data } = await place({ basket, payment_type: 'invoice' })
    const counted = await getItem(stock)
    await deleteItem(stock)
    await deleteItem(key('basket', { merchant, uuid: basket }))
    await cancelById(merchant, data.id, cancelling)
    expect([await statusOf(data.id), await getItem(stock)]).toEqual(['cancelled', undefined])
    expect(await getItem(key('basket', { merchant, uuid: basket }))).toBeUndefined()
    await putItem(stock, { quantity: (counted?.quantity ?? 0) + 3 })
  })

  test('returns its stock, even if its basket is deleted', async () => {
    const basket = await newBasket(shop, secco, 3)
    const before = (await getItem(stock))?.quantity
    const { data } = await place({ basket, payment_type: 'invoice' })
    await deleteItem(key('basket', { merchant, uuid: basket }))
    await cancelById(merchant, data.id, cancelling)
    expect((await getItem(stock))?.quantity).toBe(before)
  })

  test('was not shipped', async () => {
    const { data } = await place({ payment_type: 'invoice' })
    await advanceOrder(merchant, data.id, 'ship', 'tool')
    expect(await refusalText(cancelById(merchant, data.id, cancelling))).toBe(
      '409 order_not_cancellable: The order can no longer be cancelled.',
    )
    expect(await statusOf(data.id)).toBe('in_delivery')
  })

  test('frees its Idempotency-Key if requested', async () => {
    const { data } = await place({ payment_type: 'invoice' })
    const used = key('idempotency', { merchant, key: 'hash' })
    await putItem(used, { uuid: data.uuid, hash: 'hash', expires: 1e10 })
    await cancelById(merchant, data.id, { ...cancelling, idempotencyKey: 'hash' })
    expect(await getItem(used)).toBeUndefined()
  })
})

test('all records are consistent in the end', async () => {
  expect(await check()).toEqual([])
})
