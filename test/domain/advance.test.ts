import { advanceOrder } from '../../shared/orders/advance.ts'
import { StepRefused } from '../../shared/orders/step-refused.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import type { PaymentStatus } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, tableClient, updateItem } from '../../shared/platform/table/table.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayer } from '../support/payer.ts'

// Steps that a merchant makes by hand, where something is in their way.

useFakeClock(Date.UTC(2026, 4, 1, 12))
const { shop, place, approved } = await newPayer('Kellerei Hand')
const merchant = shop.id

/** An order to be paid, with a payment in the given status. */
const unpaid = async (status: PaymentStatus) => {
  const { data, payment } = await place()
  const at = key('order', { merchant, id: data.id })
  const { order } = await loadOrder(merchant, data.id)
  const doc = JSON.stringify({ ...order, header: { ...order.header, status: 'need_payment' } })
  await updateItem(at, { set: { doc } })
  const of = key('payment', { merchant, uuid: payment?.uuid ?? '' })
  await updateItem(of, { set: { status } })
  return { id: data.id, statusOf: async () => (await getItem(of))?.status }
}

/** Lets the first transaction of an act fail, and only that. */
const failingOnce = async (act: () => Promise<unknown>, errorOf: (actions: number) => object): Promise<number> => {
  let transactions = 0
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        if (!commandName.startsWith('TransactWrite') || ++transactions > 1) return next(args)
        const { TransactItems = [] } = args.input as { TransactItems?: unknown[] }
        throw Object.assign(new Error('no'), errorOf(TransactItems.length))
      },
    { step: 'initialize', name: 'failing' },
  )
  await act().finally(() => tableClient.middlewareStack.remove('failing'))
  return transactions
}
const canceled = (actions: number, at: number) => ({
  name: 'TransactionCanceledException',
  CancellationReasons: Array.from({ length: actions }, (_, n) => ({
    Code: n === at ? 'ConditionalCheckFailed' : 'None',
  })),
})

test('money received by the merchant is recorded, and money from the provider for the same order is refunded', async () => {
  const { id, statusOf } = await unpaid('pending')
  const { header, documents: written } = await advanceOrder(merchant, id, 'money_received', 'hand')
  expect([header.status, header.paid, await statusOf()]).toEqual(['payed', true, 'unused'])
  expect(written.payments).toMatchObject([
    { payment_type: 'paypal', amount: '24.00', currency: 'EUR', external_id: null },
  ])
})

test.each(['capturing', 'captured', 'review'] as const)('is refused while the payment is %s', async status => {
  const { id, statusOf } = await unpaid(status)
  const refused = await advanceOrder(merchant, id, 'money_received', 'hand').catch(error => error)
  expect(refused).toBeInstanceOf(StepRefused)
  expect(refused.message).toBe(`the provider's payment of order ${id} is ${status}`)
  expect(await statusOf()).toBe(status)
})

test('an unreadable payment is an error of the service, not a refusal of the order', async () => {
  const { id } = await unpaid('open')
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      args => {
        const isPayment = commandName === 'GetItemCommand' && JSON.stringify(args.input).includes('#payments')
        return isPayment ? Promise.reject(new TypeError('broken')) : next(args)
      },
    { step: 'initialize', name: 'broken' },
  )
  const act = advanceOrder(merchant, id, 'money_received', 'hand')
  await expect(act.finally(() => tableClient.middlewareStack.remove('broken'))).rejects.toThrow('broken')
})

test('a step without money leaves the payment as it is', async () => {
  const { data, finish } = await approved()
  await finish()
  const { header, documents: written } = await advanceOrder(merchant, data.id, 'ship', 'hand')
  expect([header.status, written.payments.length]).toEqual(['in_delivery', 1])
})

test('an impossible step is refused with the status of the order', async () => {
  const { id } = (await place({ payment_type: 'invoice' })).data
  const refusalOf = (event: 'close' | 'pack' | 'ship') =>
    advanceOrder(merchant, id, event, 'hand').catch(error => (error instanceof StepRefused ? error.message : error))
  expect(await refusalOf('close')).toBe(`order ${id} is due for packing and shipping: it cannot be closed now`)
  await advanceOrder(merchant, id, 'money_received', 'hand')
  expect(await refusalOf('close')).toBe(
    `order ${id} is due for packing and shipping, and paid: it cannot be closed now`,
  )
  const { version } = await loadOrder(merchant, id)
  expect(await advanceOrder(merchant, id, 'pack', 'hand')).toMatchObject({ header: { status: 'need_package' } })
  expect((await loadOrder(merchant, id)).version).toBe(version)
})

describe('a step that conflicts with a concurrent one', () => {
  test('is repeated, also if it lost its invoice’s number', async () => {
    const { id } = await unpaid('open')
    const act = () => advanceOrder(merchant, id, 'money_received', 'hand')
    expect(await failingOnce(act, actions => canceled(actions, 0))).toBe(2)
    // The order is the first action, the number of its invoice the second.
    expect(
      await failingOnce(
        () => advanceOrder(merchant, id, 'pack', 'hand'),
        actions => canceled(actions, 1),
      ),
    ).toBe(2)
  })
})

test('no money is recorded for an order whose whole invoice was credited', async () => {
  const { data } = await place({ payment_type: 'invoice' })
  await advanceOrder(merchant, data.id, 'ship', 'test')
  await shop.call('orders/credit', { id: data.id, refund: 'none' })
  await expect(advanceOrder(merchant, data.id, 'money_received', 'test')).rejects.toThrow(
    `order ${data.id} is shipped: nothing is due`,
  )
})
