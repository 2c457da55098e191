import { createMerchant } from '../../lib/tool/merchants.ts'
import { outboxActions } from '../../shared/events/outbox.ts'
import { publishEvents } from '../../shared/events/publish-events.ts'
import { eventJobInput } from '../../shared/events/start-job.ts'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { query, tableClient } from '../../shared/platform/table/table.ts'
import { transact } from '../../shared/platform/table/transact.ts'
import { firstPublished, startFakeBus } from '../support/fake-bus.ts'
import { counted } from '../support/partitions.ts'
import { newPayer } from '../support/payer.ts'
import { placed, plain } from '../support/placed-order.ts'

const bus = await startFakeBus()
beforeEach(() => {
  bus.taken.length = 0
})
const run = (merchant: MerchantId) => publishEvents(eventJobInput([merchant]), Date.now() + 60_000)
const unpublished = (merchant: MerchantId) => query({ pk: partition('outbox', { merchant }) })

test('64 orders that are placed and cancelled or shipped concurrently keep their order, each by itself', async () => {
  const { shop, place } = await newPayer('Kellerei Gleichzeitig')
  const orders = await Promise.all(
    counted(64).map(async n => {
      const { data } = await place({ payment_type: 'invoice' })
      if (n % 8 === 0) await run(shop.id)
      if (n % 2) await cancelById(shop.id, data.id, { event: 'cancel', actor: 'test' })
      else await advanceOrder(shop.id, data.id, 'ship', 'test')
      return data.id
    }),
  )
  await run(shop.id)
  expect(new Set(firstPublished(bus.taken).keys())).toEqual(new Set(orders))
  for (const sequences of firstPublished(bus.taken).values()) expect(sequences).toEqual([1, 2])
  expect(await unpublished(shop.id)).toEqual([])
  expect(Math.max(...bus.sizes)).toBeLessThanOrEqual(10)
})

/** A merchant, and a function that writes the events of an order. */
const newOrders = async () => {
  const { order } = placed(plain)
  const merchant = merchantIdOf((await createMerchant({ name: 'Melder' })).id)
  const place = (id: number) => {
    const header = { ...order.header, id, customers_id: merchant, uuid: `uuid-${id}` }
    return transact(outboxActions(merchant, { ...order, header }))
  }
  return { merchant, place }
}

/** The sorted numbers of the orders whose events were published. */
const published = () =>
  bus.taken.map(({ detail }) => ('order_id' in detail ? detail.order_id : 0)).toSorted((a, b) => a - b)

test.each([
  40, 300,
])('each event of %i concurrent orders is published once, though each of them starts a run', async count => {
  const { merchant, place } = await newOrders()
  await Promise.all(
    counted(count).map(async id => {
      await place(id)
      await run(merchant)
    }),
  )
  expect(published()).toEqual(counted(count))
  expect(await unpublished(merchant)).toEqual([])
})

test('an event that is written after the last read of a run is published by one of the runs that it starts', async () => {
  const { merchant, place } = await newOrders()
  await place(1)
  const late: Promise<unknown>[] = []
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        const result = await next(args)
        const isLook = commandName.startsWith('Query') && JSON.stringify(args.input).includes('outbox')
        const isLast = isLook && (result.output as { Items?: unknown[] }).Items?.length === 0
        if (!isLast || late.length > 0) return result
        await place(2)
        // They come while the first run is still at work.
        late.push(...counted(5).map(() => run(merchant)))
        await new Promise(done => setTimeout(done, 100))
        return result
      },
    { step: 'initialize', name: 'late' },
  )
  await run(merchant)
  await Promise.all(late).finally(() => tableClient.middlewareStack.remove('late'))
  expect(late).toHaveLength(5)
  expect(published()).toEqual([1, 2])
})
