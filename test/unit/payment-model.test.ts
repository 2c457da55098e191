import type { Claim, CreditWay, GivesBack, PaymentEvent } from '../../shared/payments/events.ts'
import { bareView, type PaymentView } from '../../shared/payments/provider.ts'
import { isInReview, needsReview, nextCheck, unopenedFields } from '../../shared/payments/record.ts'
import {
  amountTakenOf,
  changed,
  isGoingBack,
  isLeftUndecided,
  openRefunds,
  refundableOf,
  refusedRefunds,
} from '../../shared/payments/refunds.ts'
import { nextPayment } from '../../shared/payments/states.ts'
import type { PaymentItem, Refund } from '../../shared/platform/table/items.ts'

// Everything that can happen to a payment of two cents, in every order: its buyer, its merchant at both desks, a provider
// that loses answers, and requests that die. What is explored are the facts, not the code that reads and writes them.

const now = Date.UTC(2026, 4, 1, 12)
const uuid = '0193d2a4-7c1e-7b55-9d3a-6f0c2e91ab47'
const amount = 2

/** The provider's side: the state, the money that went back, and the refunds that this service requested. */
type There = {
  state: 'open' | 'approved' | 'pending' | 'captured' | 'denied'
  /** The captured amount, which may be wrong. */
  whole: number
  back: number
  made: Record<string, number>
}

type World = {
  payment: PaymentItem
  there: There
  order: 'waits' | 'paid' | 'cancelled'
  /** The cents of each credit. */
  credits: readonly number[]
  /** The request that claimed the payment, while it lives. */
  claim: Claim | null
}

const begin: World = {
  payment: {
    ...{ uuid, order: 1, order_uuid: uuid, type: 'paypal', amount, currency: 'EUR', status: 'created' },
    ...{ return_url: '', cancel_url: '', crstamp: '2026-05-01 11:00:00' },
    ...unopenedFields,
  },
  there: { state: 'open', whole: amount, back: 0, made: {} },
  order: 'waits',
  credits: [],
  claim: null,
}

const viewOf = ({ state, whole, back }: There): PaymentView => {
  const opened = { ...bareView('open'), amount, currency: 'EUR', customId: uuid, payerId: 'PAYER' }
  if (state === 'open' || state === 'approved') return { ...opened, state }
  if (state === 'denied') return { ...opened, state: 'declined', captureId: 'CAP' }
  if (state === 'pending') return { ...opened, state, captureId: 'CAP' }
  return { ...opened, amount: whole, state: back < whole ? 'captured' : 'refunded', captureId: 'CAP', refunded: back }
}

const total = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0)
const sumOf = (all: readonly Refund[]): number => total(all.map(one => one.amount))

type Move = [name: string, to: World]

/** The world after a fact; undefined if it is refused. */
const after = (world: World, event: PaymentEvent, more: Partial<World> = {}): World | undefined => {
  const next = nextPayment(world.payment, event, now)
  return 'refused' in next ? undefined : { ...world, payment: changed(world.payment, next.set), ...more }
}

const moves = (world: World): Move[] => [
  ...buyer(world),
  ...requests(world),
  ...refunding(world),
  ...dashboard(world),
  ...desk(world),
]

const named = (name: string, to: World | undefined): Move[] => (to ? [[name, to]] : [])

const buyer = ({ there, payment, ...world }: World): Move[] => {
  const opened = { provider: 'sandbox', account: 'sandbox', external_id: 'SBX', target_url: null } as const
  if (payment.status === 'created')
    return named('opened', after({ ...world, there, payment }, { is: 'opened', opened }))
  return there.state === 'open' ? [['approved', { ...world, payment, there: { ...there, state: 'approved' } }]] : []
}

/** The world after the order has taken the money, or refused it. */
const settled = (world: World, claim: Claim): World | undefined => {
  const event: PaymentEvent = { is: 'reported', view: viewOf(world.there), claim }
  const next = nextPayment(world.payment, event, now)
  if ('refused' in next) return undefined
  const payment = changed(world.payment, next.set)
  if (next.todo !== 'settle') return { ...world, payment, claim: null }
  if (world.order === 'waits')
    return { ...world, payment, claim: null, order: payment.status === 'captured' ? 'paid' : 'waits' }
  const { capture_id, payer_id, taken } = payment
  return after(world, { is: 'order_refused', money: { capture_id, payer_id, taken } }, { claim: null })
}

const requests = (world: World): Move[] => {
  const { payment, claim, there, order } = world
  if (!claim || payment.status !== 'capturing') {
    const claimed = { claim: { before: payment.status, mayCapture: order === 'waits' } }
    const isMoney = payment.status === 'capturing' || payment.status === 'pending'
    return [
      ...named('claimed', after(world, { is: 'claimed' }, claimed)),
      ...(isMoney ? named('failing for long', after(world, { is: 'failing_for_long', reason: 'DOWN' })) : []),
    ]
  }
  const died = { ...world, claim: null, payment: changed(payment, { status: 'capturing', lease: 0 }) }
  const asked = nextPayment(payment, { is: 'reported', view: viewOf(there), claim }, now)
  const requested = { ...claim, hasRequested: true }
  const taken = { ...world, there: { ...there, state: 'captured' as const } }
  const isCaptured = !('refused' in asked) && asked.todo === 'capture'
  const unanswered = { is: 'unanswered', claim: requested } as const
  const refused = { is: 'refused', reason: null, claim: requested } as const
  return [
    ['died', died],
    ...named('not answered', after(world, { is: 'unanswered', claim }, { claim: null })),
    ...(isCaptured
      ? [
          ...named('captured', settled(taken, requested)),
          ...named('captured another amount', settled({ ...world, there: { ...taken.there, whole: 1 } }, requested)),
          ...named('captured, not answered', after(taken, unanswered, { claim: null })),
          ...named('capture pending', settled({ ...world, there: { ...there, state: 'pending' } }, requested)),
          ...named('capture refused', after(world, refused, { claim: null })),
        ]
      : named('asked', settled(world, claim))),
  ]
}

/** The provider's report about money that was taken before. */
const looked = (world: World): World | undefined => {
  const { payment, there, order } = world
  const { status } = payment
  const isAsked =
    status === 'unused' || status === 'cancelled' || (status === 'captured' && openRefunds(payment).length === 0)
  const event: PaymentEvent = { is: 'reported', view: viewOf(there), isOrderCancelled: order === 'cancelled' }
  return isAsked && payment.external_id !== null ? after(world, event) : undefined
}

const answers = ['refunded', 'pending', 'failed'] as const

const refunding = (world: World): Move[] => {
  const look = looked(world)
  const present = world.payment.status === 'captured' ? world : (look ?? world)
  const [refund] = openRefunds(present.payment)
  if (!refund || viewOf(world.there).state !== 'captured') return named('looked', look)
  const { there } = present
  const wasMade = there.made[refund.request_id] !== undefined
  const mayBeMade = !wasMade && there.back + refund.amount <= there.whole
  const made = mayBeMade
    ? { ...there, back: there.back + refund.amount, made: { ...there.made, [refund.request_id]: refund.amount } }
    : there
  const answered = (state: (typeof answers)[number]): Move[] =>
    named(
      `refund ${state}`,
      after(state === 'failed' ? present : { ...present, there: made }, {
        is: 'refund_answered',
        refund,
        answer: { state, refundId: 'BACK' },
      }),
    )
  const failing = after(present, { is: 'failing_for_long', reason: 'REFUND_REFUSED' })
  return [
    ...named('looked', look),
    ...(wasMade || mayBeMade ? answered('refunded') : []),
    ...(mayBeMade ? answered('pending') : []),
    ...(mayBeMade ? ([['refund made, not answered', { ...present, there: made }]] as Move[]) : []),
    ...(wasMade ? [] : answered('failed')),
    ...named('refund failing for long', failing),
  ]
}

const dashboard = (world: World): Move[] => {
  const { there } = world
  if (there.state === 'pending')
    return (['captured', 'denied'] as const).map(state => [`${state} later`, { ...world, there: { ...there, state } }])
  if (there.state !== 'captured' || there.back >= there.whole) return []
  return [['refunded in the dashboard', { ...world, there: { ...there, back: there.back + 1 } }]]
}

const ways = ['at the provider', 'by hand', 'by the merchant at the provider', 'none'] as const

const desk = (world: World): Move[] => [
  ...(world.order === 'waits' ? cancelling(world) : []),
  ...(world.order === 'paid'
    ? ways.flatMap(way => [1, amount - total(world.credits)].flatMap(one => crediting(world, one, way)))
    : []),
  ...deciding(world),
]

const cancelling = (world: World): Move[] => {
  const { payment, claim } = world
  const cancelled = (givesBack?: GivesBack) =>
    after(world, { is: 'order_cancelled', givesBack }, { order: 'cancelled', claim: null })
  if (payment.status === 'review')
    return (['at the provider', 'by hand'] as const).flatMap(way => named(`decided: refund ${way}`, cancelled(way)))
  return claim ? [] : named('cancelled', cancelled())
}

const crediting = (world: World, wanted: number, way: CreditWay): Move[] => {
  const { payment, credits } = world
  const credited = total(credits)
  if (credited + wanted > amount || (way === 'at the provider' && payment.undecided > 0)) return []
  const isWhole = credited + wanted === amount
  const event: PaymentEvent = {
    ...{ is: 'credited', credit: credits.length + 1, amount: wanted, way, isWhole, isCancelled: isWhole },
  }
  const order = isWhole ? 'cancelled' : 'paid'
  return named(`credited ${wanted} ${way}`, after(world, event, { order, credits: [...credits, wanted] }))
}

const deciding = (world: World): Move[] => {
  const { payment, order, credits } = world
  if (!needsReview(payment)) return []
  const isOfMoney = payment.undecided > 0 || isLeftUndecided(payment)
  const accept = (credit?: number): PaymentEvent => ({
    ...{ is: 'decided', decision: 'accept' },
    ...(credit && { credit: { number: credit, gross: 1 } }),
  })
  const isGivenBack = refusedRefunds(payment).length > 0 ? payment.undecided === 0 : isLeftUndecided(payment)
  const refund = (givesBack: GivesBack) => {
    const to = after(world, { is: 'decided', decision: 'refund', givesBack })
    return to && named(`decided: refund ${givesBack}`, to)
  }
  return [
    ...(isOfMoney ? named('decided: accept', after(world, accept())) : []),
    ...(isOfMoney && credits.length > 0 ? named('decided: accept for credit 1', after(world, accept(1))) : []),
    ...(payment.status === 'review' && order === 'waits'
      ? named('decided: accept', after(world, accept(), { order: 'paid' }))
      : []),
    ...(isGivenBack ? (['at the provider', 'by hand'] as const).flatMap(way => refund(way) ?? []) : []),
  ]
}

const keyOf = ({ payment, ...world }: World): string => {
  const { version: _, crstamp: __, ...rest } = payment
  return JSON.stringify([rest, world])
}

type Reached = { world: World; before: World; path: string }

/** All worlds that so many moves reach, each by its shortest way. */
const explore = (depth: number): Reached[] => {
  const known = new Set([keyOf(begin)])
  const all: Reached[] = [{ world: begin, before: begin, path: '' }]
  let last = all
  for (let n = 0; n < depth; n++) {
    last = last.flatMap(({ world, path }) =>
      moves(world).flatMap(([name, to]) => {
        const key = keyOf(to)
        if (known.has(key)) return []
        known.add(key)
        return [{ world: to, before: world, path: path ? `${path} > ${name}` : name }]
      }),
    )
    all.push(...last)
  }
  return all
}

const reached = explore(11)
/** The shortest ways to the worlds that break a rule. */
const breaking = (isBroken: (world: World, before: World) => boolean): string[] =>
  reached
    .filter(({ world, before }) => isBroken(world, before))
    .map(({ path }) => path)
    .slice(0, 5)

test('thousands of worlds are reached, in each status', () => {
  expect(reached.length).toBeGreaterThan(5000)
  expect(new Set(reached.map(({ world }) => world.payment.status)).size).toBe(9)
})

test('no more is promised and given back by this service than was taken', () => {
  const isTooMuch = ({ payment, there }: World) => {
    const byService = total(Object.values(there.made))
    return (
      byService + sumOf(openRefunds(payment).filter(one => there.made[one.request_id] === undefined)) >
      amountTakenOf(payment)
    )
  }
  expect(breaking(isTooMuch)).toEqual([])
})

test('a request id is used for one amount', () => {
  const isOther = ({ payment, there }: World) =>
    openRefunds(payment).some(one => (there.made[one.request_id] ?? one.amount) !== one.amount)
  expect(breaking(isOther)).toEqual([])
})

test('each credit is refunded by this service once at most', () => {
  const isTwice = ({ payment, credits }: World) =>
    credits.some((one, n) => sumOf(payment.refunds.filter(({ credit }) => credit === n + 1)) > one)
  expect(breaking(isTwice)).toEqual([])
})

test('money that an order took is captured, and no other', () => {
  expect(breaking(({ order, payment }) => order === 'paid' && payment.status !== 'captured')).toEqual([])
  expect(breaking(({ order, payment }) => order === 'waits' && payment.status === 'captured')).toEqual([])
})

test('money that no order takes goes back entirely', () => {
  expect(breaking(({ payment }) => payment.status === 'unused' && refundableOf(payment) > 0)).toEqual([])
})

test('what the provider reports as back never becomes less', () => {
  expect(breaking(({ payment }, before) => payment.reported < before.payment.reported)).toEqual([])
})

test('a payment that is not over is due, or waits for the merchant', () => {
  const isOver = (payment: PaymentItem): boolean => {
    if (payment.status === 'cancelled') return payment.external_id === null
    const isMoney = payment.status === 'captured' || payment.status === 'unused'
    return isMoney && refundableOf(payment) === 0 && !isGoingBack(payment) && !needsReview(payment)
  }
  expect(
    breaking(({ payment }) => !isInReview(payment) && nextCheck(payment, now) === null && !isOver(payment)),
  ).toEqual([])
})

test('no more is known to be back than went back, and with a provider that answers all of it becomes known', () => {
  const isWrong = (world: World) => {
    let present = world
    for (let n = 0; n < 8; n++) {
      const to = moves(present).find(([name]) => name === 'refund refunded' || name === 'looked')
      if (!to || keyOf(to[1]) === keyOf(present)) break
      present = to[1]
    }
    const { payment, there } = present
    const isOver = payment.status === 'captured' || payment.status === 'unused'
    const isWaiting = openRefunds(payment).length + refusedRefunds(payment).length > 0
    return world.payment.reported > world.there.back || (isOver && !isWaiting && payment.reported !== there.back)
  }
  expect(breaking(isWrong)).toEqual([])
})
