import type { Claim, CreditWay, PaymentEvent } from '../../shared/payments/events.ts'
import { bareView, type PaymentView, requestIdOf } from '../../shared/payments/provider.ts'
import { isInReview, needsReview, nextCheck, unopenedFields } from '../../shared/payments/record.ts'
import {
  amountTakenOf,
  changed,
  expectedRefunds,
  givenBackOf,
  isGoingBack,
  isLeftUndecided,
  openRefunds,
  refundableOf,
  refusedRefunds,
} from '../../shared/payments/refunds.ts'
import { nextPayment } from '../../shared/payments/states.ts'
import type { PaymentItem, Refund } from '../../shared/platform/table/items.ts'

// Everything that can happen to a payment of three cents is tried, breadth first. The conditions of the orders' code are as wide as
// they may be, and a provider reports only what can follow its last report.

const now = Date.UTC(2026, 4, 1, 12)
const amount = 3
const uuid = '0193d2a4-7c1e-7b55-9d3a-6f0c2e91ab47'
const captureId = 'CAP'
const maxCredits = 2
const maxSteps = 8

const created: PaymentItem = {
  ...{ uuid, order: 1, order_uuid: 'd9f80740-38f0-11e8-b467-0ed5f89f718b', type: 'paypal', amount, currency: 'EUR' },
  ...{ status: 'created', return_url: 'https://shop.example/1', cancel_url: 'https://shop.example/2' },
  crstamp: '2026-05-01 11:00:00',
  ...unopenedFields,
}

/** A payment, what is true around it, and the facts that led there. */
type Place = {
  payment: PaymentItem
  order: 'unpaid' | 'paid' | 'cancelled'
  claim?: Claim
  /** Where the money is at the provider. */
  money: 'none' | 'pending' | 'captured'
  /** How much of it there is. */
  whole: number
  credits: number
  way: readonly string[]
}

const view = (state: PaymentView['state'], more: Partial<PaymentView> = {}): PaymentView => ({
  ...bareView(state),
  ...{ amount, currency: 'EUR', customId: uuid, payerId: 'PAYER', ...more },
})

/** The reports of the provider that can follow those before. */
const viewsOf = ({ payment, money, whole }: Place): PaymentView[] => {
  const back = [0, 1, 2].filter(refunded => refunded >= payment.reported && refunded < whole)
  const captured = [
    ...back.map(refunded => view('captured', { captureId, amount: whole, refunded })),
    view('refunded', { captureId, amount: whole, refunded: whole }),
  ]
  const lost = bareView('missing')
  if (money === 'captured') return [...captured, lost]
  const arriving = [view('pending', { captureId }), view('declined', { captureId }), ...captured]
  if (money === 'pending') return [...arriving, lost]
  const before = (['open', 'approved', 'declined', 'cancelled'] as const).map(state => view(state))
  return [...before, view('captured', { captureId, amount: amount - 1, refunded: 0 }), ...arriving, lost]
}

const ways: readonly CreditWay[] = ['at the provider', 'by hand', 'by the merchant at the provider', 'none']

const creditsOf = ({ payment, order, credits }: Place): PaymentEvent[] => {
  if (order !== 'paid' || payment.status !== 'captured' || credits === maxCredits) return []
  return [1, amount].flatMap(part =>
    ways.flatMap(way =>
      [false, true].map((isWhole): PaymentEvent => {
        const credit = credits + 1
        return { is: 'credited', credit, amount: part, way, isWhole, isCancelled: isWhole }
      }),
    ),
  )
}

const decisionsOf = ({ payment, order, credits }: Place): PaymentEvent[] => {
  const isQuestion = payment.undecided > 0 || isLeftUndecided(payment)
  const canAccept = isQuestion || (payment.status === 'review' && order === 'unpaid')
  const isRefused = refusedRefunds(payment).length > 0
  const isAnnounced = expectedRefunds(payment).length > 0 && refundableOf(payment) === 0
  const isOver = needsReview(payment) && (order === 'cancelled' || isLeftUndecided(payment))
  const canGiveBack = isRefused ? payment.undecided === 0 : isAnnounced || isOver
  const numbers = isQuestion ? [undefined, ...(credits > 0 ? [credits] : [])] : [undefined]
  return [
    ...(canAccept ? numbers : []).map((number): PaymentEvent => {
      const credit = number === undefined ? undefined : { number, gross: 1 }
      return { is: 'decided', decision: 'accept', credit }
    }),
    ...(canGiveBack
      ? (['at the provider', 'by hand'] as const).map(
          (givesBack): PaymentEvent => ({
            is: 'decided',
            decision: 'refund',
            givesBack,
          }),
        )
      : []),
  ]
}

/** True if the provider is asked about a payment that no request has claimed. */
const isAsked = ({ payment }: Place): boolean => {
  const [open] = openRefunds(payment)
  if (payment.external_id === null) return false
  if (payment.status === 'captured') return !open && payment.reported < amountTakenOf(payment)
  return payment.status === 'cancelled' || (payment.status === 'unused' && open?.state === 'due')
}

/** The facts that can happen. */
const factsOf = (place: Place): PaymentEvent[] => {
  const { payment, order, claim } = place
  const opened = { provider: 'sandbox', account: 'sandbox', external_id: 'SBX', target_url: null } as const
  const ends: PaymentEvent[] = [{ is: 'failing_for_long', reason: null }]
  if (order === 'unpaid') ends.push({ is: 'order_cancelled' }, { is: 'order_cancelled', givesBack: 'at the provider' })
  if (payment.status === 'created') return [{ is: 'opened', opened }, { is: 'claimed' }, ...ends]
  const reports = (claim || isAsked(place) ? viewsOf(place) : []).map(
    (one): PaymentEvent => ({
      is: 'reported',
      view: one,
      ...(claim ? { claim } : { isOrderCancelled: order === 'cancelled' }),
    }),
  )
  if (claim) return [...reports, { is: 'refused', reason: null, claim }, { is: 'unanswered', claim }, ...ends]
  return [
    ...reports,
    ...ends,
    { is: 'claimed' },
    ...openRefunds(payment).flatMap(refund =>
      (['refunded', 'pending', 'failed'] as const).map(
        (state): PaymentEvent => ({
          is: 'refund_answered',
          refund,
          answer: { state, refundId: 'BACK' },
        }),
      ),
    ),
    ...creditsOf(place),
    ...decisionsOf(place),
  ]
}

const moneyAfter = (place: Place, event: PaymentEvent): Place['money'] => {
  if (event.is !== 'reported') return place.money
  const { state } = event.view
  if (state === 'captured' || state === 'refunded') return 'captured'
  return state === 'pending' ? 'pending' : place.money
}

const wholeAfter = (place: Place, event: PaymentEvent): number =>
  event.is === 'reported' && event.view.captureId ? (event.view.amount ?? amount) : place.whole

const labelOf = (event: PaymentEvent): string => {
  switch (event.is) {
    case 'reported':
      return `${event.view.state} ${event.view.refunded ?? ''}`
    case 'credited':
      return `credited ${event.amount} ${event.way}${event.isWhole ? ', whole' : ''}`
    case 'refund_answered':
      return `refund ${event.answer.state}`
    case 'decided':
      return `decided ${event.decision} ${event.decision === 'refund' ? event.givesBack : (event.credit?.number ?? '')}`
    default:
      return event.is
  }
}

const frozen = (payment: PaymentItem): PaymentItem => {
  for (const refund of payment.refunds) Object.freeze(refund)
  Object.freeze(payment.refunds)
  return Object.freeze(payment)
}

/** The places to which a fact leads: money that arrives is taken by the order, or refused. Empty if it is refused. */
const after = (place: Place, event: PaymentEvent): Place[] => {
  const { payment, order, claim, credits } = place
  const next = nextPayment(payment, event, now)
  if ('refused' in next) return []
  const to: Place = {
    payment: frozen(changed(payment, next.set)),
    order: event.is === 'order_cancelled' || (event.is === 'credited' && event.isCancelled) ? 'cancelled' : order,
    money: moneyAfter(place, event),
    whole: wholeAfter(place, event),
    credits: event.is === 'credited' ? credits + 1 : credits,
    way: [...place.way, labelOf(event)],
  }
  if (event.is === 'claimed') return [{ ...to, claim: { before: payment.status, mayCapture: true } }]
  if (next.todo === 'capture' && claim) return [{ ...to, claim: { ...claim, hasRequested: true } }]
  if (next.todo !== 'settle') return [to]
  const { capture_id, payer_id, taken } = to.payment
  const refusing = nextPayment(payment, { is: 'order_refused', money: { capture_id, payer_id, taken } }, now)
  return [
    { ...to, order: to.payment.status === 'captured' ? 'paid' : order },
    ...('set' in refusing
      ? [{ ...to, order: 'cancelled' as const, payment: frozen(changed(payment, refusing.set)) }]
      : []),
  ]
}

const keyOf = ({ payment, order, claim, money, whole, credits }: Place): string => {
  const { status, refunds, reported, returned, undecided, left, decided, taken, capture_id, external_id, lease } =
    payment as PaymentItem & { lease?: number }
  const entries = refunds.map(({ credit, amount, state, failed }) => `${credit}${state}${amount}${failed}`)
  const stored = [status, reported, returned, undecided, left, decided, taken?.amount, capture_id, external_id, lease]
  return [...stored, entries, order, claim?.before, claim?.hasRequested, money, whole, credits].join()
}

type Step = { from: Place; event: PaymentEvent; to: Place }

/** Every step to a place, the shortest ways first. */
const steps: Step[] = []
const start: Place = { payment: frozen(created), order: 'unpaid', money: 'none', whole: amount, credits: 0, way: [] }
const places = new Map<string, Place>([[keyOf(start), start]])
for (const from of places.values()) {
  if (from.way.length === maxSteps) continue
  for (const event of factsOf(from))
    for (const to of after(from, event)) {
      steps.push({ from, event, to })
      const key = keyOf(to)
      if (!places.has(key)) places.set(key, to)
    }
}

/** The shortest way of the steps that break a rule. */
const brokenBy = (rule: (step: Step) => boolean): string | undefined =>
  steps.find(step => !rule(step))?.to.way.join(' → ')

/** The money that has gone back or is promised, beyond what was taken. */
const excessOf = (payment: PaymentItem): number => {
  const promised = payment.refunds.filter(({ state }) => ['due', 'pending', 'expected', 'review'].includes(state))
  const sum = promised.reduce((total, one) => total + one.amount, 0)
  return Math.max(0, givenBackOf(payment) + sum - amountTakenOf(payment))
}

test('this service promises no more than was taken and is not known to be back', () => {
  expect(
    brokenBy(({ from, event, to }) => event.is === 'reported' || excessOf(to.payment) <= excessOf(from.payment)),
  ).toBe(undefined)
})

test('money that arrived is taken by the order, on its way back, or in review', () => {
  const isSeen = ({ payment: { status } }: Place) => ['captured', 'unused', 'review'].includes(status)
  expect(brokenBy(({ from, to }) => from.money !== 'captured' || !isSeen(from) || isSeen(to))).toBe(undefined)
})

test('money that no order takes goes back entirely, or the merchant decides', () => {
  const isGiven = ({ payment }: Place) => payment.status !== 'unused' || refundableOf(payment) === 0
  expect(brokenBy(({ to }) => isGiven(to))).toBe(undefined)
})

test('what the provider reports as back never becomes less', () => {
  expect(brokenBy(({ from, to }) => to.payment.reported >= from.payment.reported)).toBe(undefined)
  expect(brokenBy(({ to }) => to.payment.reported <= amountTakenOf(to.payment))).toBe(undefined)
})

test('a request id is used for one amount', () => {
  const isFresh = (one: Refund, { from, to }: Step): boolean => {
    const known = from.payment.refunds.find(({ request_id }) => request_id === one.request_id)
    // The id under which a refused refund may be requested again has not been used yet.
    if (known) return known.amount === one.amount || (known.state === 'review' && known.failed > 0)
    const indexes = [from.payment.requests, to.payment.requests - 1]
    return indexes.some(index => one.request_id === requestIdOf(uuid, 'back', index))
  }
  expect(brokenBy(step => openRefunds(step.to.payment).every(one => isFresh(one, step)))).toBe(undefined)
})

test('a payment that is not over is due, or waits for the merchant', () => {
  const isOver = (payment: PaymentItem): boolean => {
    if (payment.status === 'cancelled') return payment.external_id === null
    const isMoney = payment.status === 'captured' || payment.status === 'unused'
    return isMoney && refundableOf(payment) === 0 && !isGoingBack(payment) && !needsReview(payment)
  }
  const hasWay = ({ payment }: Place) => isInReview(payment) || nextCheck(payment, now) !== null
  expect(brokenBy(({ to }) => hasWay(to) || isOver(to.payment))).toBe(undefined)
})

/** The states in which refunds of payments are found, and the questions about their money. */
const factsIn = (found: readonly Place[]): string => {
  const states = found.flatMap(({ payment }) => payment.refunds.map(({ state }) => state))
  const questions = found.flatMap(({ payment }) => [
    ...(payment.undecided > 0 ? ['undecided'] : []),
    ...(isLeftUndecided(payment) ? ['left'] : []),
  ])
  return [...new Set([...states, ...questions])].sort().join(' ')
}

test('the statuses of a payment and the states of its refunds are those recorded', () => {
  const found = Map.groupBy(places.values(), ({ payment, order }) => `${payment.status}, order ${order}`)
  expect([...found].map(([name, all]) => `${name}: ${factsIn(all)}`.trim()).sort()).toEqual([
    'cancelled, order cancelled:',
    'captured, order cancelled: by_hand due expected left pending refunded review undecided',
    'captured, order paid: by_hand due expected pending refunded review undecided',
    'capturing, order unpaid:',
    'created, order unpaid:',
    'declined, order unpaid:',
    'open, order unpaid:',
    'pending, order unpaid:',
    'review, order unpaid:',
    'unused, order cancelled: by_hand due pending refunded review',
  ])
})
