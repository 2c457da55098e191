import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { editWine } from '../../shared/catalogue/wines/edit.ts'
import { wineOf } from '../../shared/catalogue/wines/stored.ts'
import type { BusEvent } from '../../shared/contract/events.ts'
import { events as job } from '../../shared/contract/jobs.ts'
import { eventsOf, outboxActions } from '../../shared/events/outbox.ts'
import { publishEvents } from '../../shared/events/publish-events.ts'
import { eventJobInput } from '../../shared/events/start-job.ts'
import { key, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, query, queryEntries, tableClient } from '../../shared/platform/table/table.ts'
import { transact } from '../../shared/platform/table/transact.ts'
import { timestamp } from '../../shared/values/time.ts'
import { failing } from '../support/failing-table.ts'
import { firstPublished, startFakeBus } from '../support/fake-bus.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { sortedJson } from '../support/golden-file.ts'
import { counted } from '../support/partitions.ts'
import { newPayer } from '../support/payer.ts'
import { placed, plain } from '../support/placed-order.ts'
import { fewerInFastLane } from '../support/sampling.ts'
import { missingRights } from '../support/used-rights.ts'

const clock = useFakeClock(Date.UTC(2026, 4, 1, 12))
const bus = await startFakeBus()
beforeEach(() => {
  bus.taken.length = 0
  bus.entries.length = 0
  bus.sizes.length = 0
  bus.fate = () => 'take'
})

const newMerchant = async (): Promise<MerchantId> => merchantIdOf((await createMerchant({ name: 'Melder' })).id)
const run = (...merchants: MerchantId[]) => publishEvents(eventJobInput(merchants), Date.now() + 60_000)
const runByClock = () => publishEvents({ source: 'aws.events' }, Date.now() + 60_000)
const unpublished = (merchant: MerchantId) => query({ pk: partition('outbox', { merchant }) })

const { order: sample } = placed(plain)
const steps = ['add', 'money_received', 'pack', 'ship', 'close']

/** An order whose history is so many steps long. */
const orderAt = (merchant: MerchantId, id: number, length: number) => ({
  header: { ...sample.header, id, customers_id: merchant, uuid: `uuid-${merchant}-${id}` },
  history: counted(length).map(n => ({ at: timestamp(Date.now()), event: steps[n - 1] ?? '', actor: 'test' })),
})

/** Writes the events of the next step of an order, as the transaction of that step does. */
const write = async (merchant: MerchantId, id: number, length: number): Promise<void> => {
  const actions = outboxActions(merchant, orderAt(merchant, id, length), length - 1)
  if (actions.length > 0) await transact(actions)
}

/** A name for an order's or wine's event that is unique in a test. */
const nameOf = (detail: BusEvent['detail']): string =>
  'order_id' in detail ? `order-${detail.customers_id}-${detail.order_id}-${detail.sequence}` : detail.id
const ids = () => bus.taken.map(({ detail }) => nameOf(detail))
const sequences = (count: number) => new Map(counted(count).map(id => [id, [1, 2, 3]]))

test('an order that is placed, paid, packed, shipped and closed has three events; its internal steps are not published', () => {
  const made = eventsOf(orderAt(7 as MerchantId, 3, 5))
  expect(made.map(({ type, detail }) => [type, nameOf(detail)])).toEqual([
    ['order.placed', 'order-7-3-1'],
    ['order.paid', 'order-7-3-2'],
    ['order.shipped', 'order-7-3-3'],
  ])
  expect(made.map(({ detail }) => detail.id)).toEqual([
    'order.placed-uuid-7-3-1',
    'order.paid-uuid-7-3-2',
    'order.shipped-uuid-7-3-3',
  ])
})

test('another order with a number that was reset by a restored table has events of its own', () => {
  const [one, later] = [orderAt(7 as MerchantId, 3, 2), orderAt(7 as MerchantId, 3, 2)]
  const other = { ...later, header: { ...later.header, uuid: '00000000-0000-4000-8000-000000000001' } }
  const cancelled = {
    ...one,
    history: [...one.history.slice(0, 1), { at: one.header.crstamp, event: 'cancel', actor: 'test' }],
  }
  const idsOf = (order: typeof one) => eventsOf(order).map(({ detail }) => detail.id)
  expect(idsOf(one)).toEqual(idsOf(later))
  expect(new Set([...idsOf(one), ...idsOf(other)]).size).toBe(4)
  // The order's first transition was undone, and another transition made.
  expect(new Set([...idsOf(one), ...idsOf(cancelled)]).size).toBe(3)
})

test('an order that expires is cancelled, and a payment at a provider pays it', () => {
  const order = orderAt(7 as MerchantId, 3, 1)
  const typesOf = (event: string) =>
    eventsOf({ ...order, history: [...order.history, { at: order.header.crstamp, event }] }, 1).map(({ type }) => type)
  expect(['payment_completed', 'expire', 'cancel', 'payment_pending', 'pack'].map(typesOf)).toEqual([
    ['order.paid'],
    ['order.cancelled'],
    ['order.cancelled'],
    [],
    [],
  ])
})

test('each event is published once, in order, by its schema, and then deleted', async () => {
  const merchant = await newMerchant()
  for (const length of counted(5)) await write(merchant, 1, length)
  const begun = Date.now()
  expect(await run(merchant)).toMatchObject({ failures: [] })
  expect(ids()).toEqual([1, 2, 3].map(n => `order-${merchant}-1-${n}`))
  expect(await unpublished(merchant)).toEqual([])
  // No predecessor was missing, so the only wait is the one for concurrent writes.
  expect(Date.now() - begun).toBeLessThan(1000)
  await run(merchant)
  expect(bus.taken).toHaveLength(3)
  const isEvent = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync('shared/contract/events.schema.json', 'utf8')),
  )
  for (const { Source, DetailType, Detail, Time, EventBusName } of bus.entries) {
    expect([EventBusName, Number.isInteger(Time)]).toEqual(['bus', true])
    expect(isEvent({ source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) })).toBe(true)
  }
})

test('an event contains the order, its sums and status, and no name, mail or address', async () => {
  const { shop, place } = await newPayer('Kellerei Verschwiegen')
  const mail = 'ada@example.org'
  const home = { address: 'Am Hang 3', zip: '01067', city: 'Dresden', countrycode: 'de' }
  const billing = { ...home, first_name: 'Ada', last_name: 'Beispiel', mail }
  const { data } = await place({ billing_id: undefined, payment_type: 'invoice', billing })
  await run(shop.id)
  const [event] = bus.taken.filter(({ type }) => type === 'order.placed')
  const { uuid, number, status, paid, payment_type, net, tax, gross } = data
  expect(event?.detail).toEqual({
    ...{ schema: 1, id: `order.placed-${data.uuid}-1`, customers_id: shop.id, time: data.crstamp, sequence: 1 },
    ...{ order_id: data.id, uuid, number, status, paid, payment_type, net, tax, gross },
  })
})

test('a refused event is sent again, before the later events of its order', async () => {
  const merchant = await newMerchant()
  for (const length of counted(5)) for (const id of counted(12)) await write(merchant, id, length)
  const begun = Date.now()
  let refusals = 3
  bus.fate = ({ detail }) => (nameOf(detail) === `order-${merchant}-4-2` && refusals-- > 0 ? 'refuse' : 'take')
  expect(await run(merchant)).toMatchObject({ failures: [] })
  expect(refusals).toBe(-1)
  // A throttled bus needs time.
  expect(Date.now() - begun).toBeGreaterThanOrEqual(3 * 200)
  expect(ids()).toHaveLength(36)
  expect(firstPublished(bus.taken)).toEqual(sequences(12))
})

test('refusals count against one event only: later events of its order may be refused as often', async () => {
  const merchant = await newMerchant()
  for (const length of counted(5)) await write(merchant, 1, length)
  const refused = new Map<string, number>()
  bus.fate = ({ detail: { id } }) => {
    refused.set(id, (refused.get(id) ?? 0) + 1)
    return (refused.get(id) ?? 0) > 3 ? 'take' : 'refuse'
  }
  expect(await run(merchant)).toMatchObject({ failures: [] })
  expect(firstPublished(bus.taken)).toEqual(sequences(1))
})

test('an event that is refused again and again blocks later events of its order and of no other, and is published later', async () => {
  const merchant = await newMerchant()
  for (const length of counted(5)) for (const id of counted(3)) await write(merchant, id, length)
  bus.fate = ({ detail }) => (nameOf(detail) === `order-${merchant}-2-2` ? 'refuse' : 'take')
  const { failures } = await run(merchant)
  expect(failures).toMatchObject([{ merchant, error: { message: 'the bus does not take the events of 1 orders' } }])
  expect((await unpublished(merchant)).map(({ detail }) => nameOf(detail))).toEqual([
    `order-${merchant}-2-2`,
    `order-${merchant}-2-3`,
  ])
  bus.fate = () => 'take'
  await run(merchant)
  expect(firstPublished(bus.taken)).toEqual(sequences(3))
})

test('a job that is killed after the bus has accepted an event publishes it again, with the same id and content', async () => {
  const merchant = await newMerchant()
  for (const length of counted(5)) await write(merchant, 1, length)
  let deleted = 0
  const killed = failing(
    command => (command.startsWith('Delete') && ++deleted === 2 ? 'before' : undefined),
    () => run(merchant),
  )
  expect((await killed).failures).toHaveLength(1)
  await run(merchant)
  expect(ids()).toEqual([1, 2, 2, 3].map(n => `order-${merchant}-1-${n}`))
  expect(bus.taken[2]).toEqual(bus.taken[1])
})

/** Leaves the lease of a run that died. */
const dieAs = (merchant: MerchantId, turn: 'now' | 'next') =>
  putItem(key('publisherLease', { merchant, turn }), { owner: 'dead', until: Date.now() + 15_000 })

test('the events of a crashed run are published after its lease ends', async () => {
  const merchant = await newMerchant()
  await write(merchant, 1, 1)
  await dieAs(merchant, 'now')
  const begun = Date.now()
  await run(merchant)
  expect(ids()).toEqual([`order-${merchant}-1-1`])
  expect(Date.now() - begun).toBeLessThan(16_000)
})

test('a run leaves its events to a waiting run; a timed run stays, because the waiting run may have died', async () => {
  const merchant = await newMerchant()
  await write(merchant, 1, 1)
  await dieAs(merchant, 'now')
  await dieAs(merchant, 'next')
  const begun = Date.now()
  await run(merchant)
  expect([ids(), Date.now() - begun]).toEqual([[], 0])
  await runByClock()
  expect(ids()).toEqual([`order-${merchant}-1-1`])
})

test('a run whose lease expired leaves the lease of the next run', async () => {
  const merchant = await newMerchant()
  await write(merchant, 1, 1)
  const place = key('publisherLease', { merchant, turn: 'now' })
  const other = { owner: 'another', until: Date.now() + 31_000 }
  bus.fate = () => {
    clock.now += 16_000
    putting = putItem(place, other)
    return 'take'
  }
  let putting: Promise<void> | undefined
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        // The event is deleted before the lease is given back.
        if (commandName.startsWith('Delete')) await putting
        return next(args)
      },
    { step: 'initialize', name: 'frozen' },
  )
  await run(merchant).finally(() => tableClient.middlewareStack.remove('frozen'))
  expect(ids()).toEqual([`order-${merchant}-1-1`])
  expect(await getItem(place)).toEqual(other)
})

test('events whose stream records were lost are published by the timer, for every merchant', async () => {
  const merchants = [await newMerchant(), await newMerchant()]
  for (const merchant of merchants) await write(merchant, 1, 1)
  await runByClock()
  for (const merchant of merchants) expect(ids()).toContain(`order-${merchant}-1-1`)
})

test('an event that is visible before its predecessor waits for it', async () => {
  const merchant = await newMerchant()
  await write(merchant, 1, 2)
  let queries = 0
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        if (commandName.startsWith('Query') && JSON.stringify(args.input).includes('outbox') && ++queries === 3)
          await write(merchant, 1, 1)
        return next(args)
      },
    { step: 'initialize', name: 'late' },
  )
  await run(merchant).finally(() => tableClient.middlewareStack.remove('late'))
  expect(ids()).toEqual([1, 2].map(n => `order-${merchant}-1-${n}`))
})

test('an event whose predecessors were published long ago, or never written, is published without a wait', async () => {
  const merchant = await newMerchant()
  const { header, history } = orderAt(merchant, 1, 1)
  clock.now += 10_000
  await transact(
    outboxActions(merchant, { header, history: [...history, ...orderAt(merchant, 1, 2).history.slice(1)] }, 1),
  )
  const before = Date.now()
  await publishEvents(eventJobInput([merchant]), before)
  expect(ids()).toEqual([`order-${merchant}-1-2`])
})

test('every event is published, each order’s in sequence, with refusals, losses, repeats, delays, shuffles and kills', async () => {
  const fates = fc.array(fc.constantFrom('take', 'take', 'take', 'refuse', 'lose'), { maxLength: 30 })
  const batches = fc.array(fc.array(fc.nat(2), { maxLength: 4 }), { minLength: 5, maxLength: 5 })
  const kills = fc.array(fc.boolean(), { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(fates, batches, kills, async (fated, rounds, killed) => {
      const merchants = [await newMerchant(), await newMerchant(), await newMerchant()]
      bus.taken.length = 0
      const left = [...fated]
      const killings = [...killed]
      bus.fate = () => left.shift() ?? 'take'
      const kill = (command: string) => (command.startsWith('Delete') && killings.shift() ? 'before' : undefined)
      await failing(kill, async () => {
        for (const [n, batch] of rounds.entries()) {
          for (const merchant of merchants) for (const id of [1, 2, 3]) await write(merchant, id, n + 1)
          // The stream loses some changes, and delivers others to several jobs.
          await Promise.all(batch.map(at => run(merchants[at] ?? merchantIdOf(0))))
        }
      })
      bus.fate = () => 'take'
      await run(...merchants)
      for (const merchant of merchants) {
        const own = bus.taken.filter(({ detail }) => detail.customers_id === merchant)
        expect(firstPublished(own)).toEqual(sequences(3))
        expect(await unpublished(merchant)).toEqual([])
        const texts = new Set(own.map(sortedJson))
        expect(texts.size).toBe(new Set(own.map(({ detail }) => detail.id)).size)
      }
    }),
    { numRuns: fewerInFastLane(4, 12) },
  )
})

/** Lets each request to the bus take so many milliseconds. */
const slow = (ms: number) => {
  let requests = 0
  bus.fate = () => {
    if (bus.sizes.length > requests) clock.now += ms
    requests = bus.sizes.length
    return 'take'
  }
}

/** How long a run takes, in milliseconds, that shall be over at some moment. */
const timed = async (event: object, budget: number): Promise<number> => {
  const begun = Date.now()
  await publishEvents(event, begun + budget)
  return Date.now() - begun
}

test('with a slow bus a run ends in time, and the next runs continue', async () => {
  const merchant = await newMerchant()
  for (const id of counted(120)) await write(merchant, id, 1)
  slow(2000)
  expect(await timed({}, 5000)).toBeLessThan(10_000)
  const { length } = await unpublished(merchant)
  expect(length).toBeLessThan(120)
  expect(length).toBeGreaterThan(60)
  bus.fate = () => 'take'
  await run(merchant)
  expect(new Set(ids()).size).toBe(120)
  expect(await unpublished(merchant)).toEqual([])
})

test('with a slow bus, runs that changes start do not pile up: each ends soon, and leaves the rest to the timer', async () => {
  const merchant = await newMerchant()
  for (const id of counted(120)) await write(merchant, id, 1)
  slow(5000)
  expect(await timed(eventJobInput([merchant]), 180_000)).toBeLessThan(30_000)
  expect((await unpublished(merchant)).length).toBeGreaterThan(60)
  bus.fate = () => 'take'
  await runByClock()
  expect(await unpublished(merchant)).toEqual([])
})

test('changes of many merchants are published for twenty concurrently: a function lacks memory for all their wines', async () => {
  const merchants = await Promise.all(counted(45).map(newMerchant))
  for (const merchant of merchants) await write(merchant, 1, 1)
  let [asking, most] = [0, 0]
  tableClient.middlewareStack.add(
    next => async args => {
      most = Math.max(most, ++asking)
      return next(args).finally(() => asking--)
    },
    { step: 'initialize', name: 'asking' },
  )
  await run(...merchants).finally(() => tableClient.middlewareStack.remove('asking'))
  // One for orders, one for wines.
  expect(most).toBeLessThanOrEqual(2 * 20)
  expect(new Set(bus.taken.map(({ detail }) => detail.customers_id))).toEqual(new Set(merchants))
})

test('a bus that is too slow for some wines does not make a run exceed its time', async () => {
  const merchant = await newMerchant()
  await importWines(merchant, rowsOf(120))
  slow(15_000)
  expect(await timed({}, 30_000)).toBeLessThan(30_000 + 60_000)
  bus.fate = () => 'take'
  await run(merchant)
  expect(new Set(ids()).size).toBe(120)
})

test('a batch of wines that was started in time is published whole, so that it is not repeated again and again', async () => {
  const merchant = await newMerchant()
  await importWines(merchant, rowsOf(60))
  slow(1000)
  expect(await publishEvents(eventJobInput([merchant]), Date.now() + 2000)).toMatchObject({ failures: [] })
  expect(ids()).toHaveLength(60)
  await run(merchant)
  expect(ids()).toHaveLength(60)
})

const rowsOf = (count: number) =>
  counted(count).map(
    n => ({ name: `Wein ${n}`, type: 'red', countrycode: 'de', region: 1005, articlenumber: `${n}` }) as const,
  )

test('a changed wine is published once, with its version', async () => {
  const merchant = await newMerchant()
  await importWines(merchant, rowsOf(30))
  await run(merchant)
  expect(bus.taken).toHaveLength(30)
  const wine = bus.taken[4]?.detail
  clock.now += 1000
  if (!wine || !('wine_id' in wine)) throw new Error('no wine was published')
  await editWine(merchant, wine.wine_id, { place: 'Keller' })
  await runByClock()
  const own = bus.taken.filter(({ detail }) => detail.customers_id === merchant).slice(30)
  expect(own[0]?.detail.id).toMatch(`wine.changed-${merchant}-${wine.wine_id}-2-`)
  expect(own).toMatchObject([
    { type: 'wine.changed', detail: { wine_id: wine.wine_id, sequence: wine.sequence + 1, articlenumber: '5' } },
  ])
})

test('a run without events of wines writes nothing, with or without wines', async () => {
  const [without, having] = [await newMerchant(), await newMerchant()]
  await importWines(having, rowsOf(1))
  const progressOf = (merchant: MerchantId) => getItem(key('wineEventProgress', { merchant }))
  await run(without, having)
  const progress = await progressOf(having)
  await run(without, having)
  expect(await Promise.all([without, having].map(progressOf))).toEqual([undefined, progress])
  expect(progress).toMatchObject({ version: 1 })
})

test('a version of a wine that is reused after a restored table is another event', async () => {
  const merchant = await newMerchant()
  await importWines(merchant, rowsOf(1))
  const [stored] = await queryEntries({ pk: partition('wine', { merchant }) })
  if (!stored) throw new Error('no wine is stored')
  const { id } = wineOf(stored.item)
  await run(merchant)
  const [catalogue, progress] = [key('catalogue', { merchant }), key('wineEventProgress', { merchant })]
  const [versionBefore, progressBefore] = [await getItem(catalogue), await getItem(progress)]
  if (!versionBefore || !progressBefore) throw new Error('no wine was published')
  for (const place of ['Keller', 'Berg']) {
    clock.now += 1000
    await editWine(merchant, id, { place })
    await run(merchant)
    await putItem(key('wine', { merchant, id }), stored.item, { index: stored.index })
    await putItem(catalogue, versionBefore)
    await putItem(progress, progressBefore)
  }
  const [first, ...edited] = bus.taken.map(({ detail }) => detail.sequence)
  expect(edited).toEqual([(first ?? 0) + 1, (first ?? 0) + 1])
  expect(new Set(ids()).size).toBe(3)
})

test('a job that is overtaken by another does not fail, and resets nothing', async () => {
  const merchant = await newMerchant()
  await importWines(merchant, rowsOf(3))
  const [stored] = await queryEntries({ pk: partition('wine', { merchant }) })
  const place = key('wineEventProgress', { merchant })
  let isOvertaken = false
  tableClient.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        if (commandName.startsWith('Put') && JSON.stringify(args.input).includes(place.pk) && !isOvertaken) {
          isOvertaken = true
          await run(merchant)
          if (stored) await editWine(merchant, wineOf(stored.item).id, { place: 'Keller' })
          await run(merchant)
        }
        return next(args)
      },
    { step: 'initialize', name: 'overtaking' },
  )
  const overtaken = run(merchant).finally(() => tableClient.middlewareStack.remove('overtaking'))
  expect(await overtaken).toMatchObject({ failures: [] })
  const publishedBefore = ids().length
  await run(merchant)
  expect([publishedBefore, ids().length, new Set(ids()).size]).toEqual([7, 7, 4])
})

test.each(['refused', 'killed'])('wines whose publishing is %s are published again, with the same ids', async how => {
  const merchant = await newMerchant()
  await importWines(merchant, rowsOf(12))
  bus.fate = how === 'refused' ? () => 'refuse' : () => 'take'
  const place = key('wineEventProgress', { merchant })
  const { failures } = await failing(
    (command, input) =>
      how === 'killed' && command.startsWith('Put') && JSON.stringify(input).includes(place.pk) ? 'before' : undefined,
    () => run(merchant),
  )
  expect(failures).toHaveLength(1)
  bus.fate = () => 'take'
  await run(merchant)
  expect(bus.taken).toHaveLength(how === 'killed' ? 24 : 12)
  expect(new Set(ids()).size).toBe(12)
})

test('the job needs the permissions that it declares, and one merchant’s failure does not delay other events', async () => {
  const [good, bad] = [await newMerchant(), await newMerchant()]
  for (const merchant of [good, bad]) await write(merchant, 1, 1)
  bus.fate = ({ detail }) => (detail.customers_id === bad ? 'refuse' : 'take')
  const missing = await missingRights(job.permissions, () => runByClock())
  expect(missing).toEqual([])
  expect(ids()).toContain(`order-${good}-1-1`)
  bus.fate = () => 'take'
  await run(bad)
})
