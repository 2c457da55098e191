import { changedAt } from '../../shared/events/changed.ts'
import { tellEvents } from '../../shared/events/tell.ts'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { type MerchantId, partition } from '../../shared/table/keys.ts'
import { query } from '../../shared/table/table.ts'
import { firstTold, startFakeBus } from '../support/fake-bus.ts'
import { counted } from '../support/partitions.ts'
import { newPayer } from '../support/payer.ts'

const bus = await startFakeBus()
const run = (merchant: MerchantId) => tellEvents(changedAt([merchant]), Date.now() + 60_000)
const untold = (merchant: MerchantId) => query({ pk: partition('outbox', { merchant }) })

test('64 orders that are placed and cancelled or shipped at once keep their order, each by itself', async () => {
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
  expect(new Set(firstTold(bus.taken).keys())).toEqual(new Set(orders))
  for (const told of firstTold(bus.taken).values()) expect(told).toEqual([1, 2])
  expect(await untold(shop.id)).toEqual([])
  expect(Math.max(...bus.sizes)).toBeLessThanOrEqual(10)
})
