import { Problem } from '../../shared/contract/errors.ts'
import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import { bareView } from '../../shared/payments/provider.ts'
import { providerFailure } from '../../shared/payments/provider-failure.ts'
import { taskKey } from '../../shared/payments/record.ts'
import { ConditionFailed, TransactionRefused } from '../../shared/platform/table/failures.ts'
import { newPayer } from '../support/payer.ts'
import { newPayments, scriptedProvider } from '../support/payment-fixtures.ts'

// The numbers that a sweep counts, and the payments that it skips.

const { asked, answers } = await scriptedProvider()
let merchants = 100

/** A merchant with payments that are due, one of each account that is named. */
const due = async (...accounts: string[]) => {
  const till = newPayments(++merchants)
  for (const account of accounts) await till.put({ account }, 0, taskKey('due', Date.now() - 1000))
  return till.merchant
}
const fails = (error: () => Error) => answers({ inspect: () => Promise.reject(error()) })
const counted = { paid: 0, cancelled: 0, refunded: 0, review: 0, left: 0, skipped: 0, unexpected: 0 }

describe('a payment that another request works on is left to it, and delays no other', () => {
  test.each<[string, () => Error]>([
    ['which captures it', () => new Problem('payment_in_progress')],
    ['which changed it', () => new ConditionFailed()],
    ['which changed its order', () => new TransactionRefused({ order: 'ConditionalCheckFailed' })],
  ])('%s', async (_, error) => {
    fails(error)
    expect(await sweepMerchant(await due('A', 'A', 'A'))).toEqual({ ...counted, left: 3, failures: [] })
  })
})

describe('a provider', () => {
  test('that gives no answer is not called after the second time, for this account only', async () => {
    fails(() => new Problem('payment_provider_timeout'))
    const swept = await sweepMerchant(await due('A', 'A', 'A', 'A', 'B'))
    expect(swept).toMatchObject({ ...counted, skipped: 2 })
    expect([swept.failures.length, asked.length]).toEqual([3, 3])
  })

  test('that answers, even with a failure, is called for every payment', async () => {
    fails(() => providerFailure('down'))
    const merchant = await due('A', 'A', 'A')
    const swept = await sweepMerchant(merchant)
    expect(swept).toMatchObject(counted)
    expect(swept.failures).toEqual(
      Array(3).fill(`merchant ${merchant}, order 1: The payment provider refused the request or could not be reached.`),
    )
  })
})

test('an internal error is counted as one, and delays no other payment', async () => {
  fails(() => new TypeError('unforeseen'))
  const merchant = await due('A', 'A', 'A')
  expect(await sweepMerchant(merchant)).toEqual({
    ...counted,
    unexpected: 3,
    failures: Array(3).fill(`merchant ${merchant}, order 1: unforeseen`),
  })
})

test('a checked payment gets a later check', async () => {
  answers({ inspect: () => bareView('open') })
  const merchant = await due('A', 'A')
  expect(await sweepMerchant(merchant)).toEqual({ ...counted, left: 2, failures: [] })
  expect(await sweepMerchant(merchant)).toEqual({ ...counted, failures: [] })
  expect(asked).toHaveLength(2)
})

test('an order that the sweep ends has the reason in its history', async () => {
  const { shop, place } = await newPayer('Kellerei Besen')
  const { data } = await place()
  expect(await sweepMerchant(shop.id, { hours: 0 })).toEqual({ ...counted, cancelled: 1, failures: [] })
  const { order } = await loadOrder(shop.id, data.id)
  expect(order.history.at(-1)).toMatchObject({ event: 'expire', actor: 'sweep' })
})
