import { readFileSync } from 'node:fs'
import type { Claim, CreditWay, PaymentEvent } from '../../shared/payments/events.ts'
import { bareView, type PaymentView } from '../../shared/payments/provider.ts'
import { type FormerPayment, paymentOf, unopenedFields } from '../../shared/payments/record.ts'
import { changed, refundableOf } from '../../shared/payments/refunds.ts'
import { nextPayment, setBy } from '../../shared/payments/states.ts'
import type { PaymentItem, PaymentStatus, Refund } from '../../shared/platform/table/items.ts'

const now = Date.UTC(2026, 4, 1, 12)
const amount = 2400
const uuid = '0193d2a4-7c1e-7b55-9d3a-6f0c2e91ab47'

const created: PaymentItem = {
  uuid,
  order: 1,
  order_uuid: 'd9f80740-38f0-11e8-b467-0ed5f89f718b',
  type: 'paypal',
  amount,
  currency: 'EUR',
  status: 'created',
  return_url: 'https://shop.example/done',
  cancel_url: 'https://shop.example/cancelled',
  crstamp: '2026-05-01 11:00:00',
  ...unopenedFields,
}
const opened = { provider: 'sandbox', account: 'sandbox', external_id: 'SBX', target_url: null } as const
const money = { capture_id: 'CAP', payer_id: 'PAYER', taken: { amount, currency: 'EUR' } }

const view = (state: PaymentView['state'], more: Partial<PaymentView> = {}): PaymentView => ({
  ...bareView(state),
  amount,
  currency: 'EUR',
  customId: uuid,
  payerId: 'PAYER',
  ...more,
})
const views = [
  ...(['open', 'approved', 'declined', 'cancelled', 'missing'] as const).map(state => view(state)),
  ...(['captured', 'pending', 'declined'] as const).map(state => view(state, { captureId: 'CAP' })),
  view('captured', { captureId: 'CAP', amount: 2399 }),
  view('captured', { captureId: 'CAP', refunded: 1000 }),
  view('refunded', { captureId: 'CAP', refunded: amount }),
]

const statuses = [
  'created',
  'open',
  'capturing',
  'pending',
  'declined',
  'captured',
  'cancelled',
  'unused',
  'review',
] as const satisfies readonly PaymentStatus[]

const withMoney: ReadonlySet<PaymentStatus> = new Set(['pending', 'captured', 'unused', 'review'])

const due = { credit: null, amount, state: 'due', request_id: 'b0', refund_id: null, failed: 0 } as const

/** A payment of each status, as it comes to be. */
const payment = (status: PaymentStatus): PaymentItem =>
  ({
    ...created,
    ...(status !== 'created' && opened),
    ...(withMoney.has(status) && money),
    ...(status === 'unused' && { refunds: [due], requests: 1 }),
    status,
  }) as PaymentItem

const claimOf = (before: PaymentStatus): Claim => ({ before, mayCapture: true })

/** Facts, by the word of the picture. */
const eventsOf = (status: PaymentStatus): [string, PaymentEvent][] => {
  const claims = status === 'capturing' ? (['open', 'declined', 'pending'] as const).map(claimOf) : []
  return [
    ...(status === 'created' ? ([['opened', { is: 'opened', opened }]] as [string, PaymentEvent][]) : []),
    ['claimed', { is: 'claimed' }],
    ...claims.flatMap((claim): [string, PaymentEvent][] => [
      ...views.map((one): [string, PaymentEvent] => ['reported', { is: 'reported', view: one, claim }]),
      ['refused', { is: 'refused', reason: null, claim: { ...claim, hasRequested: true } }],
      ['order_refused', { is: 'order_refused', money }],
    ]),
    ...(status === 'capturing'
      ? []
      : views.map((one): [string, PaymentEvent] => ['reported', { is: 'reported', view: one }])),
    ['order_cancelled', { is: 'order_cancelled' }],
    ['failing_for_long', { is: 'failing_for_long', reason: 'PROVIDER_UNAVAILABLE' }],
    ...(status === 'review'
      ? ([
          ['accepted', { is: 'decided', decision: 'accept' }],
          ['given back', { is: 'decided', decision: 'refund', givesBack: 'at the provider' }],
        ] as [string, PaymentEvent][])
      : []),
  ]
}

/** The statuses to which facts lead, with their words. */
const arrows = (): string[] =>
  statuses.flatMap(from => {
    const ways = eventsOf(from).flatMap(([word, event]) => {
      const next = nextPayment(payment(from), event, now)
      const to = 'set' in next ? (next.set.status ?? from) : from
      return to === from ? [] : [[to, word] as const]
    })
    const byTarget = Map.groupBy(ways, ([to]) => to)
    return [...byTarget].map(
      ([to, all]) => `  ${from} --> ${to}: ${[...new Set(all.map(([, word]) => word))].join(', ')}`,
    )
  })

test('the picture in the README is that of the table', () => {
  const readme = readFileSync('shared/payments/README.md', 'utf8')
  const drawn = /```mermaid\n([^`]*)```/.exec(readme)?.[1]
  expect(drawn).toBe(`stateDiagram-v2\n  [*] --> created\n${arrows().join('\n')}\n`)
})

test('what is left undecided by a credit of the whole is all that is left', () => {
  const next = nextPayment(
    payment('captured'),
    { is: 'credited', credit: 1, amount: 1000, way: 'by hand', isWhole: true, isCancelled: true },
    now,
  )
  expect(next).toMatchObject({ set: { left: 'undecided', reason: 'MONEY_LEFT' }, todo: 'review' })
  expect(refundableOf(changed(payment('captured'), 'set' in next ? next.set : {}))).toBe(1400)
})

test('a refund that may have been made is counted when its request is answered', () => {
  const refund = { credit: 1, amount: 1200, state: 'review', request_id: 'b0', refund_id: null, failed: 0 } as const
  const unclear = changed(payment('captured'), { refunds: [refund, { ...refund, credit: 2, request_id: 'b1' }] })
  const report = (refunded: number): PaymentEvent => ({
    is: 'reported',
    view: view(refunded < amount ? 'captured' : 'refunded', { captureId: 'CAP', refunded }),
  })
  expect(setBy(unclear, report(1200))).toEqual({})
  expect(setBy(unclear, report(2300))).toEqual({})
  expect(setBy(unclear, report(2400)).refunds).toMatchObject([{ state: 'refunded' }, { state: 'refunded' }])
})

test('a report is of the announced refund of just that amount, if there is one', () => {
  const announced = (credit: number, cents: number) =>
    ({ credit, amount: cents, state: 'expected', request_id: '', refund_id: null, failed: 0 }) as const
  const two = changed(payment('captured'), { refunds: [announced(1, 500), announced(2, 1200)] })
  const report = (refunded: number): PaymentEvent => ({
    is: 'reported',
    view: view('captured', { captureId: 'CAP', refunded }),
  })
  expect(setBy(two, report(1200)).refunds).toMatchObject([{ state: 'expected' }, { state: 'refunded' }])
  expect(setBy(two, report(1700)).refunds).toMatchObject([{ state: 'refunded' }, { state: 'refunded' }])
})

describe('a decision', () => {
  const entry = { credit: 1, amount: 1200, request_id: 'b0', refund_id: null } as const
  const decidedOn = (changes: Partial<PaymentItem>, event: PaymentEvent) =>
    setBy(changed(payment('captured'), changes), event)
  const refund: PaymentEvent = { is: 'decided', decision: 'refund', givesBack: 'at the provider' }

  test('repeats a refund that may have been made under its id, with its amount', () => {
    const refunds = [{ ...entry, state: 'review', failed: 0 } as const]
    expect(decidedOn({ reported: 2000, refunds }, refund).refunds).toEqual([{ ...entry, state: 'due', failed: 0 }])
  })

  test('repeats a refused refund with what is left', () => {
    const refunds = [{ ...entry, state: 'review', failed: 3 } as const]
    expect(decidedOn({ reported: 2000, refunds }, refund).refunds).toEqual([
      { ...entry, amount: 400, state: 'due', failed: 0 },
    ])
  })

  test('takes money that went back for the refund of a credit by hand, as far as it goes', () => {
    const refunds = [{ ...entry, state: 'by_hand', failed: 0 } as const]
    const accept = (undecided: number) =>
      decidedOn({ undecided, refunds }, { is: 'decided', decision: 'accept', credit: { number: 1, gross: 1200 } })
    expect(accept(1300).refunds).toEqual([{ ...entry, state: 'refunded', failed: 0 }])
    expect(accept(1199).refunds).toMatchObject([
      { state: 'refunded', amount: 1199 },
      { state: 'by_hand', amount: 1 },
    ])
  })

  test('is made once, until something else happens to the money', () => {
    const credit = { is: 'credited', credit: 2, amount: 500, way: 'none', isWhole: false, isCancelled: false } as const
    const returned: PaymentEvent = { is: 'reported', view: view('captured', { captureId: 'CAP', refunded: 100 }) }
    for (const event of [credit, returned]) expect(decidedOn({ decided: 'refund' }, event).decided).toBe(null)
  })

  test('to accept takes what went back for the refund of a credit without one, up to its amount', () => {
    const accept: PaymentEvent = { is: 'decided', decision: 'accept', credit: { number: 2, gross: 500 } }
    expect(decidedOn({ undecided: 800 }, accept).refunds).toMatchObject([{ credit: 2, amount: 500, state: 'refunded' }])
  })
})

test('another amount is refunded under another request id', () => {
  const event: PaymentEvent = { is: 'reported', view: view('captured', { captureId: 'CAP', refunded: 1000 }) }
  const next = nextPayment(payment('unused'), event, now)
  expect(next).toMatchObject({ set: { reported: 1000, requests: 2, refunds: [{ amount: 1400, state: 'due' }] } })
  expect('set' in next && next.set.refunds?.[0]?.request_id).not.toBe('b0')
})

describe('a refund of a credit', () => {
  const credited = (one: PaymentItem, way: CreditWay) =>
    setBy(one, { is: 'credited', credit: 1, amount: 500, way, isWhole: false, isCancelled: false })
  const failing = changed(payment('captured'), { failing_since: now })

  test('begins its own three days, unless another refund is open', () => {
    expect(credited(failing, 'at the provider').failing_since).toBe(null)
    const open = changed(failing, { refunds: [{ ...due, credit: 2, amount: 100 }] })
    expect(credited(open, 'at the provider')).not.toHaveProperty('failing_since')
    expect(credited(failing, 'by hand')).not.toHaveProperty('failing_since')
  })

  test('has a request id of its own only where this service requests it', () => {
    const ids = (['at the provider', 'by hand', 'by the merchant at the provider'] as const).map(way => {
      const { refunds, requests } = credited(payment('captured'), way)
      return [refunds?.[0]?.request_id !== '', requests]
    })
    expect(ids).toEqual([
      [true, 1],
      [false, undefined],
      [false, undefined],
    ])
  })

  test('is not changed by an answer to another request, or to one whose outcome is known', () => {
    const one = { ...due, credit: 1, amount: 500, request_id: 'b7' }
    const present = changed(payment('captured'), { refunds: [one] })
    const answered = (refund: Refund) =>
      setBy(present, { is: 'refund_answered', refund, answer: { state: 'refunded', refundId: 'BACK' } })
    for (const other of [{ credit: 2 }, { request_id: 'b8' }, { state: 'pending' as const }])
      expect(answered({ ...one, ...other })).toEqual({})
    expect(answered(one)).toMatchObject({ reported: 500, refunds: [{ state: 'refunded', refund_id: 'BACK' }] })
  })
})

describe('a payment of the former form', () => {
  const former = (status: FormerPayment['status'], more: Partial<FormerPayment> = {}): PaymentItem => {
    const { refunds, requests, reported, returned, undecided, ...kept } = payment('captured')
    return paymentOf({ ...kept, refunded: 0, refund_id: null, failed_refunds: 0, ...more, status })
  }
  const entry = (state: Refund['state']) => ({
    credit: 1,
    amount: 700,
    state,
    request_id: '',
    refund_id: null,
    failed: 0,
  })

  test.each<[FormerPayment['status'], Partial<FormerPayment>, Refund['state'] | undefined]>([
    ['refund_due', { failed_refunds: 1 }, 'due'],
    ['refund_pending', { refund_id: 'BACK' }, 'pending'],
    ['refund_pending', {}, 'due'],
    ['refunded', { refunded: amount }, 'refunded'],
    ['review', { reason: 'REFUND_FAILED', failed_refunds: 3 }, 'review'],
    ['review', { reason: 'REFUND_REFUSED' }, 'review'],
  ])('that was %s %j is unused money with one refund', (status, more, state) => {
    const { status: present, refunds, requests, reported } = former(status, more)
    expect([present, requests, reported]).toEqual(['unused', (more.failed_refunds ?? 0) + 1, more.refunded ?? 0])
    expect(refunds).toMatchObject([{ credit: null, amount, state, refund_id: more.refund_id ?? null }])
  })

  test('in review for its amount stays so', () => {
    expect(former('review', { reason: 'AMOUNT_MISMATCH' })).toMatchObject({
      status: 'review',
      refunds: [],
      requests: 0,
    })
  })

  test.each<['undecided' | 'decided' | undefined, Partial<PaymentItem>]>([
    [undefined, { reported: 1300, returned: 0, undecided: 0 }],
    ['undecided', { reported: 1300, returned: 600, undecided: 600 }],
    ['decided', { reported: 1300, returned: 600, undecided: 0, decided: 'accept' }],
  ])('that was refunded in part, by others %s, keeps the three sums apart', (returned, sums) => {
    const refunds = [entry('refunded'), entry('by_hand')]
    const read = former('refunded_in_part', { refunded: 2000, refunds, ...(returned && { returned }) })
    expect(read).toMatchObject({ status: 'captured', refunds, requests: 0, ...sums })
    expect('decided' in read).toBe(returned === 'decided')
  })
})
