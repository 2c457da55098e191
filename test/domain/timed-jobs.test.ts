import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { changeLimits } from '../../lib/tool/quotas.ts'
import { publishNext } from '../../shared/catalogue/publishing/publish.ts'
import { publishMissed } from '../../shared/catalogue/publishing/runs.ts'
import { amountsTaken, recountNear } from '../../shared/catalogue/recount.ts'
import { editWine } from '../../shared/catalogue/wines/edit.ts'
import { shardOf, wineOf } from '../../shared/catalogue/wines/stored.ts'
import { publishEvents } from '../../shared/events/publish-events.ts'
import { eventJobInput } from '../../shared/events/start-job.ts'
import { visitMerchants } from '../../shared/merchants/directory.ts'
import { reserve } from '../../shared/merchants/reservations.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { dispatchSweeps } from '../../shared/orders/checkout/dispatch.ts'
import { taskKey } from '../../shared/payments/record.ts'
import { key, type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { query, tableClient, updateItem } from '../../shared/platform/table/table.ts'
import { startFakeBus } from '../support/fake-bus.ts'
import { laggingTable } from '../support/lagging-table.ts'
import { localServer } from '../support/local-server.ts'
import { newPayments } from '../support/payment-fixtures.ts'
import { changesIn, publicDocOf, publicProblems, publish } from '../support/published.ts'
import { newQueueShop } from '../support/queue-shop.ts'
import { runsAllCases } from '../support/sampling.ts'

// Timed jobs first read eventually consistently. Here that read is behind for as long as a test likes.

const replica = laggingTable()
const bus = await startFakeBus()

const started: number[] = []
process.env.AWS_ENDPOINT_URL_LAMBDA = await localServer(async (request, response) => {
  started.push(JSON.parse(await text(request)).merchant)
  response.writeHead(202).end()
})
process.env.STARTED_FUNCTION_NAME = 'the-sweep-of-a-merchant'

const inAMinute = () => Date.now() + 60_000
const publishByClock = () => publishEvents({ source: 'aws.events' }, inAMinute())
const publishStarted = (merchant: MerchantId) => publishEvents(eventJobInput([merchant]), inAMinute())
const publishedTypes = (merchant: MerchantId) =>
  bus.taken.flatMap(({ type, detail }) => (detail.customers_id === merchant ? type : []))
const unpublished = (merchant: MerchantId) => query({ pk: partition('outbox', { merchant }) })

const wine = { articlenumber: '1', name: 'Wein', type: 'red', countrycode: 'de', region: 1005, public: 1 } as const

/** A merchant with a public wine; all its events and wines are published. */
const newCellar = async () => {
  const { merchant, place } = await newQueueShop()
  await importWines(merchant, [wine])
  const [stored] = await query({ pk: partition('wine', { merchant }) })
  if (!stored) throw new Error('no wine is stored')
  const { id } = wineOf(stored)
  await publishStarted(merchant)
  await publish(merchant)
  bus.taken.length = 0
  return { merchant, place, id, edit: (text: string) => editWine(merchant, id, { place: text }) }
}

describe('events of orders and wines', () => {
  test('that the eventual read of the timer misses are published by its next run', async () => {
    const { merchant, place, edit } = await newCellar()
    await replica.lag()
    await place()
    await edit('Keller')
    await publishByClock()
    expect(publishedTypes(merchant)).toEqual([])
    replica.catchUp()
    await publishByClock()
    expect(publishedTypes(merchant).toSorted()).toEqual(['order.placed', 'wine.changed'])
    expect(await unpublished(merchant)).toEqual([])
  })

  test('are published immediately by the run that their change starts, however far a replica lags', async () => {
    const { merchant, place, edit } = await newCellar()
    await replica.lag()
    await place()
    await edit('Keller')
    await publishStarted(merchant)
    expect(publishedTypes(merchant).toSorted()).toEqual(['order.placed', 'wine.changed'])
  })

  test('that were published are not published again if the read of the timer still returns them', async () => {
    const { merchant, place, edit } = await newCellar()
    await place()
    await edit('Keller')
    await replica.lag()
    await publishStarted(merchant)
    await publishByClock()
    expect(publishedTypes(merchant)).toHaveLength(2)
  })

  test('that are hours old are published by the timer, each order’s in sequence', async () => {
    const { merchant, place } = await newCellar()
    const { data } = await place()
    await cancelById(merchant, data.id, { event: 'cancel', actor: 'test' })
    const { now } = Date
    Date.now = () => now() + 3 * 3_600_000
    await publishByClock().finally(() => {
      Date.now = now
    })
    expect(publishedTypes(merchant)).toEqual(['order.placed', 'order.cancelled'])
  })
})

describe('changes of public wines', () => {
  test('that the eventual read misses are published by the next run', async () => {
    const { id, edit } = await newCellar()
    await replica.lag()
    await edit('Verborgen')
    expect(await publishMissed(inAMinute())).toMatchObject({ failures: [] })
    expect(await publicDocOf(id)).not.toContain('Verborgen')
    replica.catchUp()
    expect(await publishMissed(inAMinute())).toMatchObject({ failures: [] })
    expect(await publicDocOf(id)).toContain('Verborgen')
  })

  test('that are published already are written no second time', async () => {
    const { merchant, edit } = await newCellar()
    await edit('Keller')
    await replica.lag()
    await publish(merchant)
    const before = await changesIn(shardOf(merchant))
    expect(await publishMissed(inAMinute())).toMatchObject({ failures: [] })
    expect([await changesIn(shardOf(merchant)), await publicProblems([merchant])]).toEqual([before, []])
  })
})

describe('payments', () => {
  const newCashier = async () => {
    const { merchant } = await newQueueShop()
    const till = newPayments(merchant)
    const put = (task: 'due' | 'review', ms = -1000) => till.put({}, 0, taskKey(task, Date.now() + ms))
    const settle = (uuid: string) =>
      updateItem(key('payment', { merchant, uuid }), { set: { status: 'captured' }, index: null })
    started.length = 0
    return { merchant, put, settle }
  }
  const dispatch = async (merchant: MerchantId) => {
    started.length = 0
    const { inReview } = await dispatchSweeps(inAMinute())
    return { isStarted: started.includes(merchant), inReview }
  }

  test('that the eventual read misses are swept, and counted in review, by the next run', async () => {
    const { merchant, put } = await newCashier()
    const { inReview: before } = await dispatch(merchant)
    await replica.lag()
    await put('due')
    await put('review')
    expect(await dispatch(merchant)).toEqual({ isStarted: false, inReview: before })
    replica.catchUp()
    expect(await dispatch(merchant)).toEqual({ isStarted: true, inReview: before + 1 })
  })

  test('that were decided shortly before are not counted in review', async () => {
    const { merchant, put, settle } = await newCashier()
    const { inReview: before } = await dispatch(merchant)
    const { uuid } = await put('review')
    await replica.lag()
    await settle(uuid)
    expect(await dispatch(merchant)).toEqual({ isStarted: false, inReview: before })
  })

  test('in review are counted whether others are due, later, or missing', async () => {
    const { merchant, put } = await newCashier()
    const { inReview: before } = await dispatch(merchant)
    await put('review')
    expect(await dispatch(merchant)).toEqual({ isStarted: false, inReview: before + 1 })
    await put('due', 60_000)
    expect(await dispatch(merchant)).toEqual({ isStarted: false, inReview: before + 1 })
    await put('due')
    expect(await dispatch(merchant)).toEqual({ isStarted: true, inReview: before + 1 })
  })
})

test('the use of a quota is counted from its present state, whatever the eventual read returns', async () => {
  const { merchant } = await newQueueShop()
  await changeLimits(merchant, { baskets: 10 })
  await reserve(merchant, { baskets: 9 })
  await replica.lag()
  await recountNear(merchant)
  // The read still returns nine.
  await recountNear(merchant)
  expect((await amountsTaken(merchant)).baskets.taken).toBe(0)
})

test('a merchant that the eventual read of the directory misses is visited by the next run', async () => {
  await replica.lag()
  const { merchant } = await newQueueShop()
  const visited = async () => {
    const seen: MerchantId[] = []
    await visitMerchants(async one => seen.push(one))
    return seen.includes(merchant)
  }
  expect(await visited()).toBe(false)
  replica.catchUp()
  expect(await visited()).toBe(true)
})

test('an idle merchant takes half a read unit of a sweep, and some more of jobs that run hourly and twice a day', async () => {
  const { merchant } = await newCellar()
  const own = `m#${merchant}#`
  let units = 0
  tableClient.middlewareStack.add(
    next => async args => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: object }
      const consumed = [ConsumedCapacity ?? []].flat() as { CapacityUnits: number }[]
      if (JSON.stringify(args.input).includes(own)) units += consumed.reduce((sum, one) => sum + one.CapacityUnits, 0)
      return result
    },
    { step: 'initialize', name: 'units' },
  )
  const takenBy = async (run: () => Promise<unknown>) => {
    // The first run does the work that is needed once.
    await run()
    units = 0
    await run()
    return units
  }
  const runs = [
    () => dispatchSweeps(inAMinute()),
    publishByClock,
    () => publishMissed(inAMinute()),
    () => visitMerchants(recountNear),
  ]
  const taken: number[] = []
  for (const run of runs) taken.push(await takenBy(run))
  tableClient.middlewareStack.remove('units')
  expect(taken).toEqual([1, 1.5, 1, 3])
})

test('however reads lag and whichever runs are missing, everything is published in the end', async () => {
  const step = fc.constantFrom('place', 'cancel', 'edit', 'clock', 'missed', 'started', 'publish', 'lag', 'catchUp')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async steps => {
      const { merchant, place, edit, id } = await newCellar()
      const orders: number[] = []
      let [placed, cancelled, edits] = [0, 0, 0]
      const acts: Record<string, () => unknown> = {
        place: async () => {
          orders.push((await place()).data.id)
          placed++
        },
        cancel: async () => {
          const order = orders.pop()
          if (order === undefined) return
          await cancelById(merchant, order, { event: 'cancel', actor: 'test' })
          cancelled++
        },
        edit: () => edit(`Ort ${++edits}`),
        clock: publishByClock,
        missed: () => publishMissed(inAMinute()),
        started: () => publishStarted(merchant),
        publish: () => publishNext(merchant),
        lag: replica.lag,
        catchUp: replica.catchUp,
      }
      for (const name of steps) await acts[name]?.()
      replica.catchUp()
      await publishByClock()
      await publishMissed(inAMinute())
      const own = bus.taken.filter(({ detail }) => detail.customers_id === merchant)
      const count = (type: string) => own.filter(one => one.type === type).length
      expect([count('order.placed'), count('order.cancelled')]).toEqual([placed, cancelled])
      expect(await unpublished(merchant)).toEqual([])
      if (edits > 0) {
        expect(await publicDocOf(id)).toContain(`Ort ${edits}`)
        expect(own.findLast(({ type }) => type === 'wine.changed')?.detail.sequence).toBe(1 + edits)
      }
      expect(await publicProblems([merchant])).toEqual([])
    }),
    { numRuns: runsAllCases ? 10 : 3 },
  )
})
