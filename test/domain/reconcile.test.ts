import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import { bareView, type PaymentView } from '../../shared/payments/provider.ts'
import { ProviderRefusal, providerFailure } from '../../shared/payments/provider-failure.ts'
import type { FormerPayment } from '../../shared/payments/record.ts'
import { log } from '../../shared/platform/log.ts'
import type { PaymentFields, PaymentItem } from '../../shared/platform/table/items.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { timestamp } from '../../shared/values/time.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayer } from '../support/payer.ts'
import { newPayments, scriptedProvider, viewOf } from '../support/payment-fixtures.ts'

// The result of a reconciliation, and when the next reconciliation is due.

const noon = Date.UTC(2026, 4, 1, 12)
const clock = useFakeClock(noon)
const { shop, place, approved } = await newPayer('Kellerei Umsicht')
const { merchant, put, change, stored, waits } = newPayments(shop.id)
const { answers } = await scriptedProvider()

const [hour, day] = [3_600_000, 86_400_000]
const look = ({ uuid }: Pick<PaymentItem, 'uuid'>, hours?: number) =>
  reconcilePayment(merchant, uuid, { actor: 'test', ...(hours !== undefined && { hours }) })
const down = () => Promise.reject(providerFailure('down'))
const refusal = () => Promise.reject(new ProviderRefusal('NOT_YOU'))
const word = { word: 'payment_provider_error' }

beforeEach(() => {
  clock.now = noon
})

/** An order whose payment has these fields. */
const ordered = async (set: Partial<PaymentItem>) => {
  const { data, payment } = await place()
  const { uuid } = await change(payment?.uuid ?? '', set)
  return { uuid, order: async () => (await loadOrder(merchant, data.id)).order }
}

describe('the next check of a payment that is an hour old', () => {
  const pending = (set: Partial<PaymentFields> = {}) => put({ status: 'pending', ...set }, 1)

  test('is in an hour after a success, which resets the failure', async () => {
    answers({ inspect: viewOf('declined') })
    const payment = await put({ status: 'declined', failing_since: 4711 }, 1)
    expect(await look(payment)).toBe('left')
    expect(await stored(payment.uuid)).toMatchObject({ failing_since: null })
    expect(await waits(payment.uuid)).toEqual(['due', 60])
  })

  test('is in ten minutes after a failure of its provider, whose time is stored', async () => {
    answers({ inspect: down })
    const payment = await pending()
    await expect(look(payment)).rejects.toMatchObject(word)
    expect(await stored(payment.uuid)).toMatchObject({ status: 'pending', failing_since: noon })
    expect(await waits(payment.uuid)).toEqual(['due', 10])
    clock.now += hour
    await expect(look(payment)).rejects.toMatchObject(word)
    expect(await stored(payment.uuid)).toMatchObject({ failing_since: noon })
  })

  test('is in ten minutes after an internal error, which does not count as a failure of its provider', async () => {
    for (const failing_since of [null, noon - hour]) {
      answers({ inspect: () => Promise.reject(new TypeError('unforeseen')) })
      const payment = await pending({ failing_since })
      await expect(look(payment)).rejects.toThrow('unforeseen')
      expect(await stored(payment.uuid)).toMatchObject({ failing_since })
      expect(await waits(payment.uuid)).toEqual(['due', 10])
    }
  })
})

describe('a payment that was cancelled with its order', () => {
  test.each([
    ['is watched on for as long as its provider fails', 30, ['due', 10]],
    ['is watched for a day, else', 27, undefined],
  ])('%s', async (_, hours, place) => {
    answers({ inspect: place ? down : () => bareView('open') })
    const payment = await put({ status: 'cancelled' }, hours)
    await look(payment).catch(() => {})
    expect(await waits(payment.uuid)).toEqual(place)
  })

  test('by the sweep is looked at once more, however old it is', async () => {
    answers({ inspect: viewOf('declined', { captureId: 'CAP' }) })
    const { uuid, order } = await ordered({ crstamp: timestamp(noon - 2 * day), status: 'open' })
    expect(await look({ uuid })).toBe('cancelled')
    expect([(await order()).header.status, await waits(uuid)]).toEqual(['cancelled', ['due', 10]])
  })

  test.each([
    ['once a day while its provider fails for days', 59, ['due', 24 * 60]],
    ['no more after 60 days', 60, undefined],
  ])('is looked at %s', async (_, days, place) => {
    answers({ inspect: down })
    const payment = await put({ status: 'cancelled', failing_since: noon - 3 * day }, days * 24)
    await expect(look(payment)).rejects.toMatchObject(word)
    expect(await waits(payment.uuid)).toEqual(place)
  })
})

describe('an order is not cancelled', () => {
  const aged = (milliseconds: number) => timestamp(noon - milliseconds)

  test.each<[string, number, Partial<PaymentItem>, () => unknown]>([
    ['a second before its payment is a day old', day - 1000, { status: 'open' }, () => bareView('open')],
    ['a second before, though its provider refuses it', day - 1000, { status: 'open' }, refusal],
    ['while its provider fails for hours only', 2 * day, { status: 'open', failing_since: noon - hour }, down],
    ['a second before its payment is not opened for twelve minutes', 719_000, { status: 'created' }, () => null],
  ])('%s', async (_, age, set, says) => {
    answers({ inspect: says })
    const { uuid, order } = await ordered({ crstamp: aged(age), ...set })
    await look({ uuid }).catch(() => {})
    expect([(await order()).header.status, (await stored(uuid)).status]).toEqual(['new', set.status])
  })
})

test.each([
  [119_000, 'new'],
  [120_000, 'cancelled'],
])('a sweep that ends unpaid orders skips an order while its payment is being opened: after %i ms it is %s', async (age, status) => {
  answers({})
  const crstamp = timestamp(noon - age)
  const { uuid, order } = await ordered({ crstamp, status: 'created', external_id: null })
  await look({ uuid }, 0)
  expect((await order()).header.status).toBe(status)
})

describe('a payment that its provider cannot serve for three days', () => {
  const days = { failing_since: noon - 3 * day }

  test.each<[string, Partial<PaymentItem>, () => Promise<never>, string]>([
    ['that is on its way', { status: 'pending' }, down, 'PROVIDER_UNAVAILABLE'],
    ['that is refused', { status: 'pending' }, refusal, 'NOT_YOU'],
    ['whose capture was not answered', { status: 'capturing', lease: noon }, down, 'PROVIDER_UNAVAILABLE'],
  ])('needs a human decision: %s', async (_, set, says, reason) => {
    answers({ inspect: says })
    const payment = await put({ ...set, ...days }, 96)
    expect(await look(payment)).toBe('review')
    expect(await stored(payment.uuid)).toMatchObject({ status: 'review', reason })
    expect(await waits(payment.uuid)).toEqual(['review', 0])
  })

  test('needs none while its order may wait', async () => {
    answers({ inspect: down })
    const payment = await put({ status: 'open', ...days }, 96)
    await expect(look(payment, 100)).rejects.toMatchObject(word)
    expect((await stored(payment.uuid)).status).toBe('open')
  })

  test('needs none while another request captures it', async () => {
    for (const [lease, status] of [
      [noon + 1, 'capturing'],
      [noon, 'review'],
    ] as const) {
      const payment = await put({ status: 'pending', ...days }, 96)
      answers({
        inspect: async () => {
          await change(payment.uuid, { status: 'capturing', lease })
          throw providerFailure('down')
        },
      })
      await look(payment).catch(() => {})
      expect((await stored(payment.uuid)).status).toBe(status)
    }
  })
})

describe('money of a paid order', () => {
  const { warn } = log
  let warnings: unknown[] = []
  beforeEach(() => {
    warnings = []
    log.warn = ((_: string, { refunded }: { refunded: number }) => warnings.push(refunded)) as never
  })
  afterEach(() => {
    log.warn = warn
  })

  /** A paid order whose payment has these fields. */
  const paid = async (set: Partial<PaymentItem> = {}) => {
    const { data, payment, finish } = await approved()
    await finish()
    const { uuid } = await change(payment.uuid, { taken: { amount: 2399, currency: 'EUR' }, ...set })
    return { uuid, id: data.id, order: async () => (await loadOrder(merchant, data.id)).order }
  }
  const eventsOf = async (id: number) =>
    (await query({ pk: partition('outbox', { merchant }) })).filter(({ detail }) => detail.order_id === id)

  test.each<[string, Partial<PaymentView>, Partial<PaymentItem>, Partial<FormerPayment>]>([
    ['a part', { refunded: 1000 }, {}, { status: 'refunded_in_part', refunded: 1000 }],
    [
      'more, after a person accepted a part',
      { refunded: 1400 },
      { reported: 1000, returned: 1000 },
      { status: 'refunded_in_part', refunded: 1400 },
    ],
    [
      'the rest, after a person accepted a part',
      { state: 'refunded', refunded: 2399 },
      { reported: 1000, returned: 1000 },
      { status: 'refunded', refunded: 2399 },
    ],
    ['all', { state: 'refunded', refunded: 2399 }, {}, { status: 'refunded', refunded: 2399 }],
    ['as much as was taken', { state: 'refunded', refunded: null }, {}, { status: 'refunded', refunded: 2399 }],
    [
      'as much as the order cost',
      { state: 'refunded', refunded: null },
      { taken: null },
      { status: 'refunded', refunded: 2400 },
    ],
  ])('that is refunded needs a human decision, and is published: %s', async (_, says, set, noted) => {
    const { uuid, id, order } = await paid(set)
    answers({ inspect: viewOf('captured', { captureId: 'CAP', ...says }) })
    expect(await look({ uuid })).toBe('review')
    expect(await stored(uuid)).toMatchObject({ ...noted, returned: 'undecided' })
    expect(await waits(uuid)).toEqual(['review', 0])
    expect(warnings).toEqual([noted.refunded])
    const { header, history } = await order()
    expect([header.status, header.paid, history.at(-1)]).toMatchObject([
      'need_package',
      true,
      { event: 'payment_returned', actor: 'test' },
    ])
    expect((await eventsOf(id)).map(({ type, detail }) => [type, detail.sequence])).toEqual([
      ['order.placed', 1],
      ['order.paid', 2],
      ['order.refunded', 3],
    ])
    // It is the same money at the next look.
    expect(await look({ uuid })).toBe('review')
    expect([(await eventsOf(id)).length, await waits(uuid)]).toEqual([3, ['review', 0]])
  })

  test('is queried again by an overtaken check: the provider’s last answer is stored', async () => {
    const { uuid, id } = await paid()
    let looks = 0
    answers({
      inspect: async custom => {
        const [view, isFirst] = [viewOf('captured', { captureId: 'CAP', refunded: 1000 })(custom), ++looks === 1]
        if (isFirst) await look({ uuid })
        return isFirst ? { ...view, state: 'refunded', refunded: 2399 } : view
      },
    })
    await look({ uuid })
    expect(looks).toBe(3)
    expect(await stored(uuid)).toMatchObject({ status: 'refunded_in_part', refunded: 1000 })
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['order.placed', 'order.paid', 'order.refunded'])
  })
})
