import { advanceOrder } from '../../shared/orders/advance.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { executePayment } from '../../shared/orders/checkout/execute.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { readOrder } from '../../shared/orders/store.ts'
import { bareView } from '../../shared/payments/provider.ts'
import { providerFailure } from '../../shared/payments/provider-failure.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { newBasket, setMerchant } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayer } from '../support/payer.ts'
import { newPayments, scriptedProvider, viewOf } from '../support/payment-fixtures.ts'

// The answer to a shop's return page, for each answer of the provider.

const noon = Date.UTC(2026, 4, 1, 12)
useFakeClock(noon)
const { shop, place } = await newPayer('Kellerei Rückkehr')
const { merchant, change, stored } = newPayments(shop.id)
const { answers } = await scriptedProvider()

const execute = async (set?: Partial<PaymentItem>) => {
  const { payment } = await place()
  const uuid = payment?.uuid ?? ''
  if (set) await change(uuid, set)
  const shown = await executePayment(merchant, uuid, 'test')
  return { shown, after: await stored(uuid) }
}

/** The timer after which a page is answered in any case: its callback, and if it still runs. */
let timer: { end: () => void; runs: boolean } | undefined
const { setTimeout: start, clearTimeout: clear } = globalThis
beforeEach(() => {
  timer = undefined
  globalThis.setTimeout = ((act: () => void, milliseconds: number, ...more: []) => {
    if (milliseconds !== 20_000) return start(act, milliseconds, ...more)
    timer = { end: act, runs: true }
    return timer
  }) as never
  globalThis.clearTimeout = ((one: never) => {
    if (one === timer && timer) timer.runs = false
    else clear(one)
  }) as never
})
afterEach(() => {
  Object.assign(globalThis, { setTimeout: start, clearTimeout: clear })
})

describe('while the outcome of a payment is unknown, it is shown as pending and its order waits for it', () => {
  const pending = { data: { status: 'pending' }, order: { status: 'need_payment', paid: false } }

  test('if its provider takes longer than a page may', async () => {
    answers({
      inspect: () => {
        timer?.end()
        // This answer comes too late.
        throw new TypeError('too late')
      },
    })
    expect((await execute()).shown).toMatchObject(pending)
  })
})

describe('an order that waits because the outcome of its payment is unknown', () => {
  const waiting = async () => {
    const { data, payment } = await place()
    const uuid = payment?.uuid ?? ''
    answers({ inspect: () => Promise.reject(providerFailure('down')) })
    await executePayment(merchant, uuid, 'test')
    return { id: data.id, uuid }
  }
  const orderAfter = async (id: number) => (await readOrder(merchant, id)).order.header

  test('is cancelled by the sweep if it is not paid in time', async () => {
    const { id, uuid } = await waiting()
    answers({ inspect: () => viewOf('open')(uuid) })
    expect(await reconcilePayment(merchant, uuid, { actor: 'sweep', hours: 0 })).toBe('cancelled')
    expect(await orderAfter(id)).toMatchObject({ status: 'cancelled', paid: false })
  })

  test('can be cancelled, and is not confirmed then', async () => {
    const { id, uuid } = await waiting()
    await cancelById(merchant, id, { event: 'cancel', actor: 'shop' })
    await expect(executePayment(merchant, uuid, 'test')).rejects.toMatchObject({ word: 'order_cancelled' })
  })
})

describe('a direct debit', () => {
  beforeAll(() => setMerchant(shop, { payment_types: ['paypal', 'debit', 'invoice'] }))
  const debit = (data: object = {}) => place({ payment_type: 'debit', ...data })

  test('leads to the return page with the uuid of its order, also when it is repeated', async () => {
    const basket = await newBasket(shop, shop.wine.secco as number, 1)
    const [first, again] = [await debit({ basket }), await debit({ basket })]
    expect(first.targetUrl).toBe(`https://shop.example/finish?cart=7&pid=${first.data.uuid}`)
    expect(again).toMatchObject({ targetUrl: first.targetUrl, replayed: true })
  })

  test('does not redirect without a return_url; an invalid one is refused', async () => {
    expect(await debit({ return_url: null })).not.toHaveProperty('targetUrl')
    await expect(debit({ return_url: 'ftp://shop.example', cancel_url: null })).rejects.toMatchObject({
      word: 'redirect_url_invalid',
      fields: [{ path: 'data.return_url' }],
    })
  })

  test('is found by the uuid of its order: pending until its money is received', async () => {
    const { data } = await debit()
    const shown = {
      data: { uuid: data.uuid, type: 'debit', status: 'pending', amount: '24.00', currency: 'EUR' },
      order: { id: data.id, status: 'need_package' },
    }
    expect(await executePayment(merchant, data.uuid.toUpperCase(), 'test')).toMatchObject(shown)
    await advanceOrder(merchant, data.id, 'money_received', 'test')
    expect(await executePayment(merchant, data.uuid, 'test')).toMatchObject({ data: { status: 'payed' } })
  })

  test('that is cancelled is not confirmed', async () => {
    const { data } = await debit()
    await cancelById(merchant, data.id, { event: 'cancel', actor: 'shop' })
    await expect(executePayment(merchant, data.uuid, 'test')).rejects.toMatchObject({ word: 'order_cancelled' })
  })
})

test('a captured payment is shown as paid, with its order', async () => {
  const { payment } = await place()
  const uuid = payment?.uuid ?? ''
  answers({ inspect: () => viewOf('captured', { captureId: 'CAP' })(uuid) })
  expect(await executePayment(merchant, uuid.toUpperCase(), 'test')).toMatchObject({
    data: { uuid, status: 'payed' },
    order: { status: 'need_package', paid: true },
  })
  expect(timer).toMatchObject({ runs: false })
})

test('the reason for a missing capture is thrown, and so is an internal error; no timer is left', async () => {
  answers({ inspect: () => bareView('open') })
  await expect(execute()).rejects.toMatchObject({ word: 'payment_not_approved' })
  expect(timer).toMatchObject({ runs: false })
  answers({ inspect: () => Promise.reject(new TypeError('unforeseen')) })
  await expect(execute()).rejects.toThrow('unforeseen')
  expect(timer).toMatchObject({ runs: false })
})

test('a missing payment is not found', async () => {
  const { data: onAccount } = await place({ payment_type: 'invoice' })
  for (const name of ['SBX0', '7f000000-0000-4000-8000-000000000001', onAccount.uuid])
    await expect(executePayment(merchant, name, 'test')).rejects.toMatchObject({ word: 'payment_not_found' })
})
