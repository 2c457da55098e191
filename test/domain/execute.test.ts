import { executePayment } from '../../shared/orders/checkout/execute.ts'
import { bareView } from '../../shared/payments/provider.ts'
import { providerFailure } from '../../shared/payments/provider-failure.ts'
import type { PaymentItem } from '../../shared/table/items.ts'
import { newPayer } from '../support/payer.ts'
import { stopTime } from '../support/still-time.ts'
import { newTill, scripted, viewOf } from '../support/till.ts'

// What a shop's return page is shown, however its provider answers.

const noon = Date.UTC(2026, 4, 1, 12)
stopTime(noon)
const { shop, place } = await newPayer('Kellerei Rückkehr')
const { merchant, change, stored } = newTill(shop.id)
const { answers } = await scripted()

const execute = async (set?: Partial<PaymentItem>) => {
  const { payment } = await place()
  const uuid = payment?.uuid ?? ''
  if (set) await change(uuid, set)
  const shown = await executePayment(merchant, uuid, 'test')
  return { shown, after: await stored(uuid) }
}

/** The timer after which a page is answered in any case: what happens then, and whether it still runs. */
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

describe('while it is not known whether a payment was paid, the page is shown that it is pending', () => {
  const pending = { data: { status: 'pending' }, order: { status: 'new', paid: false } }

  test('its provider fails', async () => {
    answers({ inspect: () => Promise.reject(providerFailure('down')) })
    const { shown, after } = await execute()
    expect(shown).toMatchObject(pending)
    expect(after.status).toBe('open')
  })

  test('somebody else is at it for long', async () => {
    answers({})
    const { shown } = await execute({ status: 'capturing', lease: noon + 1e9 })
    expect(shown).toMatchObject(pending)
  })

  test('its provider takes longer than a page may', async () => {
    answers({
      inspect: () => {
        timer?.end()
        // What it says then comes too late.
        throw new TypeError('too late')
      },
    })
    expect((await execute()).shown).toMatchObject(pending)
  })
})

test('money that is there is shown as paid, with its order', async () => {
  const { payment } = await place()
  const uuid = payment?.uuid ?? ''
  answers({ inspect: () => viewOf('captured', { captureId: 'CAP' })(uuid) })
  expect(await executePayment(merchant, uuid.toUpperCase(), 'test')).toMatchObject({
    data: { uuid, status: 'payed' },
    order: { status: 'need_package', paid: true },
  })
  expect(timer).toMatchObject({ runs: false })
})

test('why there is no money is thrown, and so is a fault of ours; no timer is left', async () => {
  answers({ inspect: () => bareView('open') })
  await expect(execute()).rejects.toMatchObject({ word: 'payment_not_approved' })
  expect(timer).toMatchObject({ runs: false })
  answers({ inspect: () => Promise.reject(new TypeError('unforeseen')) })
  await expect(execute()).rejects.toThrow('unforeseen')
  expect(timer).toMatchObject({ runs: false })
})

test('a payment that is not there is not found', async () => {
  for (const name of ['SBX0', '7f000000-0000-4000-8000-000000000001'])
    await expect(executePayment(merchant, name, 'test')).rejects.toMatchObject({ word: 'payment_not_found' })
})
