import { randomUUID } from 'node:crypto'
import { Problem } from '../../shared/contract/errors.ts'
import { addBasket, addItem } from '../../shared/orders/baskets/store.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { opener, openPayment } from '../../shared/orders/placing/open-payment.ts'
import { readOrderVersion } from '../../shared/orders/store.ts'
import { requestIdOf } from '../../shared/payments/provider.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { unopenedFields } from '../../shared/payments/record.ts'
import { TransactionRefused, Unavailable } from '../../shared/platform/table/failures.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, tableClient, updateItem } from '../../shared/platform/table/table.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayer } from '../support/payer.ts'

// Orders whose payment cannot be opened, or is opened by two requests concurrently.

useFakeClock(Date.UTC(2026, 4, 1, 12))
const { shop, place, approved } = await newPayer('Kellerei Kasse')
const merchant = shop.id
const provider = await providerOf({ id: merchant })
const { open } = provider
const failure = () => new Problem('payment_provider_error')

/** The transactions that fail: those that contain `text`, with this error of the table. */
let fault: { text: string; error: object; once?: boolean } | undefined
tableClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    async args => {
      if (fault && commandName.startsWith('TransactWrite') && JSON.stringify(args.input).includes(fault.text)) {
        const { error, once } = fault
        if (once) fault = undefined
        throw Object.assign(new Error('no'), error)
      }
      return next(args)
    },
  { step: 'initialize', priority: 'high', name: 'fault' },
)

afterEach(() => {
  fault = undefined
  provider.open = open
})

/** An order whose payment has not been opened yet, and the function that opens it. */
const unopened = async () => {
  const { data, payment } = await place()
  const stored = await updateItem(key('payment', { merchant, uuid: payment?.uuid ?? '' }), {
    set: { ...unopenedFields, status: 'created' },
  })
  return {
    data,
    payment: stored,
    openIt: (changes = {}) => openPayment(merchant, stored, { ...data, ...changes }, null),
  }
}
const statusOf = async ({ uuid }: PaymentItem) => (await getItem(key('payment', { merchant, uuid })))?.status
const cancel = (id: number, actor: string) => cancelById(merchant, id, { event: 'cancel', actor, ifUnopened: true })

test('the provider recognizes a repeated opening by its id', async () => {
  const asked: string[] = []
  provider.open = request => {
    asked.push(request.requestId)
    return open(request)
  }
  const { payment } = await place()
  expect(asked).toEqual([requestIdOf(payment?.uuid ?? '', 'open')])
})

test('an order whose payment cannot be opened is cancelled in the name of the provider', async () => {
  const { data, payment, openIt } = await unopened()
  provider.open = () => Promise.reject(failure())
  await expect(openIt()).rejects.toMatchObject({ word: 'payment_provider_error' })
  const { order } = await readOrderVersion(merchant, data.id)
  expect(order.history.at(-1)).toMatchObject({ event: 'cancel', actor: 'payment provider' })
  expect(await statusOf(payment)).toBe('cancelled')
})

test.each([
  ['an equal request that could not open it: the provider failed', opener, 'payment_provider_error'],
  ['somebody: the provider did not fail', 'test', 'order_cancelled'],
])('an order was cancelled while its payment was opened, by %s', async (_, actor, word) => {
  const { data, openIt } = await unopened()
  provider.open = async request => {
    await cancel(data.id, actor)
    return open(request)
  }
  await expect(openIt()).rejects.toMatchObject({ word })
})

test('a payment that an equal request opened concurrently is this request’s too, whatever its own opening returned', async () => {
  for (const fails of [false, true]) {
    const { payment, openIt } = await unopened()
    provider.open = async request => {
      provider.open = open
      await openIt()
      return fails ? Promise.reject(failure()) : open(request)
    }
    expect(await openIt()).toMatchObject({ uuid: payment.uuid, status: 'open', target_url: expect.any(String) })
  }
})

test('an error of the provider is thrown even if the order cannot be cancelled, or has no payment', async () => {
  const { payment, openIt } = await unopened()
  provider.open = () => Promise.reject(failure())
  await expect(openIt({ id: 4711 })).rejects.toMatchObject({ word: 'payment_provider_error' })
  expect(await statusOf(payment)).toBe('created')
  const unknown = { ...payment, uuid: randomUUID() }
  await expect(openPayment(merchant, unknown, { id: 4711, uuid: '', number: '' }, null)).rejects.toMatchObject({
    word: 'payment_provider_error',
  })
})

const busy = { name: 'TransactionCanceledException', CancellationReasons: [{ Code: 'TransactionConflict' }] }

test('an opening that conflicts with another write is written at the next try', async () => {
  const { openIt } = await unopened()
  fault = { text: 'external-payments', error: busy, once: true }
  expect(await openIt()).toMatchObject({ status: 'open' })
})

test.each([
  ['is busy with it for too long', busy, TransactionRefused],
  ['cannot be had', { name: 'TimeoutError' }, Unavailable],
])('an opening fails if the table %s; the next request opens it', async (_, error, thrown) => {
  const { payment, openIt } = await unopened()
  fault = { text: 'external-payments', error }
  await expect(openIt()).rejects.toBeInstanceOf(thrown)
  expect(await statusOf(payment)).toBe('created')
  fault = undefined
  expect(await openIt()).toMatchObject({ status: 'open' })
})

test('a basket whose order was paid meanwhile is not ordered again', async () => {
  const { uuid: basket } = await addBasket(merchant)
  await addItem(merchant, basket, { item_type: 'wine', item_id: shop.wine.secco as number, quantity: 2 })
  const { finish } = await approved('prompt', { basket, items: null })
  await finish()
  await expect(place({ basket, items: null, note: 'anders' })).rejects.toMatchObject({ word: 'order_paid' })
})
