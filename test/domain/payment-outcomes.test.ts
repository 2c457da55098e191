import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../shared/contract/errors.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { executePayment } from '../../shared/orders/checkout/execute.ts'
import { finishOrder } from '../../shared/orders/checkout/finish.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment, refundPayment } from '../../shared/orders/checkout/review.ts'
import { settlePayment } from '../../shared/orders/checkout/settle.ts'
import { counterKeys } from '../../shared/orders/numbering/numbers.ts'
import { orderOf } from '../../shared/orders/record.ts'
import { StepRefused } from '../../shared/orders/step-refused.ts'
import {
  bareView,
  type PaymentView,
  type Provider,
  type RefundView,
  requestIdOf,
} from '../../shared/payments/provider.ts'
import { ProviderRefusal } from '../../shared/payments/provider-failure.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import type { FormerPayment } from '../../shared/payments/record.ts'
import { taskKeyOf } from '../../shared/payments/record.ts'
import { changed } from '../../shared/payments/refunds.ts'
import { setBy } from '../../shared/payments/states.ts'
import { type Key, key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, getItems, putItem, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { formatMoney } from '../../shared/values/money.ts'
import { parseTimestamp, timestamp } from '../../shared/values/time.ts'
import { newBasket, setStock } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { isUpdating, sortedJson } from '../support/golden-file.ts'
import { notAsked, type OutcomeCase, readOutcomes, renderOutcomes } from '../support/outcome-matrix.ts'
import { newPayer } from '../support/payer.ts'
import { formerPayment, shownPayment } from '../support/payment-fixtures.ts'
import { runsAllCases, sampleUnlessAll } from '../support/sampling.ts'

// The outcome of every request for a payment in every state, by what its provider answers, is recorded in
// payment-outcomes.txt. `UPDATE=1 npm test -- test/domain/payment-outcomes` writes it again; read the difference.

const [day, minute] = [86_400_000, 60_000]
const noon = Date.UTC(2026, 4, 1, 12)

const clock = useFakeClock(noon)

const { shop, place } = await newPayer('Kellerei Ausgang')
const merchant = shop.id
const secco = shop.wine.secco as number

/** An order of a basket of three bottles, for 36.00. */
const newOrder = async () => {
  const { data, payment } = await place({ basket: await newBasket(shop, secco, 3) })
  return { id: data.id, uuid: data.uuid, payment: payment?.uuid ?? '' }
}
type TestOrder = Awaited<ReturnType<typeof newOrder>>

const readPayment = async ({ payment: uuid }: TestOrder) => {
  const entries = await queryEntries({ pk: partition('payment', { merchant }) })
  const found = entries.find(({ item }) => item.uuid === uuid)
  if (!found) throw new Error('the payment is gone')
  return { raw: found.item, item: shownPayment(found.item), index: found.index }
}

const amount = 3600
const settled = { capture_id: 'CAP', payer_id: 'PAYER', taken: { amount, currency: 'EUR' } }

const orders = { new: await newOrder(), paid: await newOrder(), pending: await newOrder(), cancelled: await newOrder() }
type OrderState = keyof typeof orders

const externalId = 'SBX'
for (const one of Object.values(orders)) {
  await updateItem(key('payment', { merchant, uuid: one.payment }), {
    set: { provider: 'sandbox', account: 'sandbox', external_id: externalId, target_url: 'https://pay.example' },
  })
  const { raw: item } = await readPayment(one)
  const paid = {
    ...bareView('captured'),
    amount,
    currency: 'EUR',
    customId: one.payment,
    captureId: 'CAP',
    payerId: 'PAYER',
  }
  const moneyOf = (view: PaymentView) =>
    setBy(changed(item, { status: 'capturing' }), { is: 'reported', view, claim: { before: 'open', mayCapture: true } })
  if (one === orders.paid) await settlePayment(merchant, item, moneyOf(paid), 'test')
  if (one === orders.pending) await settlePayment(merchant, item, moneyOf({ ...paid, state: 'pending' }), 'test')
  if (one === orders.cancelled) await cancelById(merchant, one.id, { event: 'cancel', actor: 'test' })
}
await setStock(shop, 'wine', secco, 100)

/** A payment's fields, and its order. */
type Standing = { order: OrderState; set: Partial<FormerPayment> }
const inReview = {
  status: 'review',
  reason: 'AMOUNT_MISMATCH',
  ...settled,
  taken: { amount: 3599, currency: 'EUR' },
} as const
const stands = {
  created: { order: 'new', set: { status: 'created', external_id: null } },
  open: { order: 'new', set: { status: 'open', refusals: 2 } },
  declined: { order: 'new', set: { status: 'declined', reason: 'FUNDS', refusals: 1 } },
  claimed: { order: 'new', set: { status: 'capturing', lease: noon + 9000 } },
  'claim expired': { order: 'new', set: { status: 'capturing', lease: noon } },
  pending: { order: 'pending', set: { status: 'pending' } },
  captured: { order: 'paid', set: { status: 'captured' } },
  cancelled: { order: 'cancelled', set: { status: 'cancelled' } },
  'cancelled, never opened': { order: 'cancelled', set: { status: 'cancelled', external_id: null } },
  'refund due': { order: 'cancelled', set: { status: 'refund_due', ...settled } },
  'due for the third refund': {
    order: 'cancelled',
    set: { status: 'refund_due', ...settled, failed_refunds: 2 },
  },
  'refund pending': { order: 'cancelled', set: { status: 'refund_pending', ...settled, refund_id: 'BACK' } },
  'refund pending without id': { order: 'cancelled', set: { status: 'refund_pending', ...settled } },
  refunded: { order: 'cancelled', set: { status: 'refunded', ...settled, refunded: amount } },
  'cancelled, order new': { order: 'new', set: { status: 'cancelled' } },
  'refund due, order new': { order: 'new', set: { status: 'refund_due', ...settled } },
  'refund pending, order new': { order: 'new', set: { status: 'refund_pending', ...settled } },
  'refunded, order new': { order: 'new', set: { status: 'refunded', ...settled } },
  'captured, order new': { order: 'new', set: { status: 'captured', ...settled } },
  returned: { order: 'paid', set: { status: 'refunded', refunded: amount, returned: 'decided' } },
  'returned, undecided': {
    order: 'paid',
    set: { status: 'refunded', refunded: amount, returned: 'undecided' },
  },
  'part returned, undecided': {
    order: 'paid',
    set: { status: 'refunded_in_part', refunded: 1000, returned: 'undecided' },
  },
  'open, order paid': { order: 'paid', set: { status: 'open', capture_id: null } },
  review: { order: 'new', set: inReview },
  'review without money': { order: 'new', set: { ...inReview, capture_id: null, taken: null } },
  'review, order cancelled': {
    order: 'cancelled',
    set: { ...inReview, reason: 'REFUND_FAILED', failed_refunds: 3 },
  },
} as const satisfies Record<string, Standing>
type StandingName = keyof typeof stands

const ages = {
  young: minute,
  '12 minutes old': 12 * minute,
  '1 day old': day,
  '2 days old': 2 * day,
  'failing 3 days': 4 * day,
} as const
type Age = keyof typeof ages

/** The possible answers of a provider. */
const view =
  (state: PaymentView['state'], more: Partial<PaymentView> = {}) =>
  (customId: string): PaymentView => ({
    ...bareView(state),
    amount,
    currency: 'EUR',
    customId,
    payerId: 'PAYER',
    ...more,
  })
const captureId = 'CAP'
const views = {
  open: view('open', { payerId: null }),
  approved: view('approved'),
  'approved(amount)': view('approved', { amount: 3599 }),
  'approved(currency)': view('approved', { currency: 'USD' }),
  'approved(custom id)': view('approved', { customId: 'another' }),
  'approved(payer)': view('approved', { payerId: 'OTHER' }),
  'approved(no payer)': view('approved', { payerId: null }),
  captured: view('captured', { captureId }),
  'captured(amount)': view('captured', { captureId, amount: 3601 }),
  'captured(part refunded)': view('captured', { captureId, refunded: 1000 }),
  pending: view('pending', { captureId, reason: 'ECHECK' }),
  declined: view('declined', { reason: 'LIMIT' }),
  'declined(capture)': view('declined', { captureId, reason: 'LIMIT' }),
  cancelled: () => bareView('cancelled'),
  refunded: view('refunded', { captureId, refunded: amount }),
  missing: () => bareView('missing'),
}
const refunds = {
  'refund made': { state: 'refunded', refundId: 'BACK' },
  'refund pending': { state: 'pending', refundId: 'BACK' },
  'refund failed': { state: 'failed', refundId: 'BACK' },
} satisfies Record<string, RefundView>
const failures = {
  timeout: () => new Problem('payment_provider_timeout'),
  refusal: () => new ProviderRefusal('NOT_YOU'),
}

const answersOf: Record<string, Record<string, (payment: string) => unknown>> = {
  inspect: views,
  capture: Object.fromEntries(
    ['open', 'approved', 'captured', 'captured(amount)', 'pending', 'declined', 'declined(capture)'].map(name => [
      name,
      views[name as keyof typeof views],
    ]),
  ),
  refund: Object.fromEntries(Object.entries(refunds).map(([name, answer]) => [name, () => answer])),
}
answersOf.inspectRefund = answersOf.refund as never
const choicesOf = (verb: string): string[] => [...Object.keys(answersOf[verb] ?? {}), ...Object.keys(failures)]

/** The provider was asked for more than a case has answers for: there are as many cases as it may answer. */
class NextAnswer extends Error {
  readonly verb: string

  constructor(verb: string) {
    super(verb)
    this.verb = verb
  }
}

let script: readonly string[] = []
let asked: string[] = []
let lastView: PaymentView | undefined
let present: TestOrder = orders.new
let unanswered: NextAnswer | undefined
const provider = await providerOf({ id: merchant })
const real: Provider = { ...provider }
const labelled = (text: string): string =>
  text
    .replaceAll(present.payment.replaceAll('-', ''), 'P')
    .replaceAll(present.payment, 'P')
    .replaceAll(present.uuid, 'O')
    .replaceAll(/refund (\w+ \d+) [\da-f]{8}-[\da-f-]{27}/g, 'refund $1 by its id')
for (const verb of ['inspect', 'capture', 'refund', 'inspectRefund'] as const)
  Object.assign(provider, {
    [verb]: async (...words: (string | number)[]) => {
      if (words[0] === '' || words[0] === undefined) throw new TypeError(`${verb} of nothing`)
      const name = script[asked.length]
      asked.push(labelled(`${verb} ${words.join(' ')}`))
      if (name === undefined) {
        // Requests after it may be made all the same: a credit does not depend on the provider.
        unanswered ??= new NextAnswer(verb)
        throw unanswered
      }
      const failure = failures[name as keyof typeof failures]
      if (failure) throw failure()
      const answer = answersOf[verb]?.[name]?.(present.payment)
      if (verb === 'inspect' || verb === 'capture') lastView = answer as PaymentView
      return answer
    },
  })
afterAll(() => {
  Object.assign(provider, real)
})

/** The items that a request may change, besides the payment. */
const placesOf = ({ id }: TestOrder, basket: string): Key<object>[] => [
  key('order', { merchant, id }) as never,
  ...(counterKeys(merchant) as never[]),
  key('basket', { merchant, uuid: basket }) as never,
  key('stock', { merchant, type: 'wine', id: secco }) as never,
]

const read = async (one: TestOrder, places: readonly Key<object>[]) => {
  const [items, payment] = await Promise.all([getItems(places), readPayment(one)])
  return { items, payment }
}

type Stored = Awaited<ReturnType<typeof read>>

const changedNames = (before: object, after: object): string[] => {
  const [old, young] = [before, after] as Record<string, unknown>[]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter(name => sortedJson(old?.[name]) !== sortedJson(young?.[name]))
}

const changes = (before: object, after: object): string[] =>
  changedNames(before, after).map(
    name => `${name} ${labelled(sortedJson((after as Record<string, unknown>)[name]) ?? 'gone')}`,
  )

/** Names of frequent changes of an order. */
const isFree = 'basket: cancelled "O", ordered gone; stock: quantity 103'
const paidText =
  'fixed true, paid true, status "need_package", invoices R-2, deliveryNotes L-2, payments: the payment, payment_completed'
const creditedText = 'paid false, status "cancelled", creditAdvices K-1, credit_rest'
const orderNames: Readonly<Record<string, string>> = {
  paid: `${paidText}; invoices: last 2; notes: last 2`,
  'paid, part returned': `${paidText}, payment_returned; invoices: last 2; notes: last 2`,
  'waits for payment': 'status "need_payment", payment_pending',
  expired: `status "cancelled", expire; ${isFree}`,
  cancelled: `status "cancelled", cancel; ${isFree}`,
  'cancelled while waiting': `status "cancelled", payment_pending, cancel; ${isFree}`,
  'cancelled with credit': `${creditedText}; credits: last 1; ${isFree}`,
  'cancelled with credit, refunded': `${creditedText}, refunded; credits: last 1; ${isFree}`,
  'cancelled with credit, refund seen': `paid false, status "cancelled", creditAdvices K-1, payment_returned, credit_rest; credits: last 1; ${isFree}`,
}

const actors: Readonly<Record<string, string>> = {
  ...{ finish: 'buyer', execute: 'buyer', cancel: 'shop', 'cancel if unopened': 'opener', look: 'sweep' },
  ...{ 'look at once': 'tool', accept: 'person', refund: 'person', 'refund by hand': 'person' },
}

/** The amount in the provider's last answer that is still there. */
const restOf = ({ amount: whole, refunded }: PaymentView): number => (whole ?? 0) - (refunded ?? 0)

type Shown = ReturnType<typeof shownPayment>

const paymentTexts: Partial<Record<string, (before: Shown, after: Shown) => string>> = {
  version: () => '',
  failing_since: () => '',
  lease: (_, after) =>
    'lease' in after && after.status === 'capturing' && after.lease !== 0 ? `lease ${after.lease}` : '',
  status: (_, { status }) => `→ ${status}`,
  reason: (_, { reason }) =>
    reason !== null && reason === lastView?.reason ? 'reason as reported' : `reason ${reason}`,
  refusals: (before, after) => `refusals +${after.refusals - before.refusals}`,
  failed_refunds: (before, after) => `failed_refunds +${after.failed_refunds - before.failed_refunds}`,
  capture_id: (_, { capture_id }) => (capture_id === lastView?.captureId ? 'capture' : `capture ${capture_id}`),
  payer_id: (_, { payer_id }) => (payer_id === lastView?.payerId ? 'payer' : `payer ${payer_id}`),
  taken: (_, { taken }) =>
    taken?.amount === lastView?.amount && taken?.currency === lastView?.currency
      ? 'taken'
      : `taken ${sortedJson(taken)}`,
  refunds: (_, { refunds = [] }) =>
    refunds
      .map(
        ({ state, amount: back, failed }) =>
          `credit ${formatMoney(back)} ${state}${failed > 0 ? ` (failed ${failed})` : ''}`,
      )
      .join(', '),
  refunded: (_, { refunded, taken }) => {
    if (refunded === (taken?.amount ?? amount)) return 'all refunded'
    return refunded === lastView?.refunded ? 'refunded as reported' : `refunded ${refunded}`
  },
}

/** The next check, if it differs from the rule of the payment's state. */
const nextText = (work: Work, isChanged: boolean, { payment: { raw, index } }: Stored): string => {
  const expected = isChanged || work.startsWith('look') ? (taskKeyOf(raw) ?? undefined) : undefined
  if (index === expected) return ''
  const [task, since] = index?.split('#').slice(-2) ?? []
  return task ? `next ${task} in ${(parseTimestamp(since ?? '') - clock.now) / minute} min` : 'no next check'
}

const documentText = (kind: string, one: object, { payment: { item } }: Stored): string => {
  if ('number' in one) return `${kind} ${one.number}`
  const expected = {
    uuid: item.uuid,
    payment_type: 'paypal',
    amount: formatMoney(item.taken?.amount ?? amount),
    currency: item.taken?.currency ?? 'EUR',
    external_id: externalId,
    payer_id: item.payer_id,
    crstamp: timestamp(clock.now),
  }
  return sortedJson(one) === sortedJson(expected) ? `${kind}: the payment` : `${kind} ${labelled(sortedJson(one))}`
}

const orderText = (work: Work, before: Stored, after: Stored): string => {
  const [one, other] = [before, after].map(({ items }) => orderOf(items[0] as never))
  if (!one || !other) throw new Error('the order is gone')
  const documents = Object.entries(other.documents).flatMap(([kind, all]) =>
    all.slice(one.documents[kind as keyof typeof one.documents].length).map(each => documentText(kind, each, after)),
  )
  const now = timestamp(clock.now)
  const history = other.history
    .slice(one.history.length)
    .map(({ at, event, actor }) => (at === now && actor === actors[work] ? event : `${event} by ${actor} at ${at}`))
  const header = changes(one.header, other.header).filter(text => !text.startsWith('chstamp'))
  const others = ['orders', 'invoices', 'notes', 'credits', 'basket', 'stock'].map((name, n) => {
    const what = changes(before.items[n + 1] ?? {}, after.items[n + 1] ?? {})
    return what.length > 0 ? `${name}: ${what.join(', ')}` : ''
  })
  return [[...header, ...documents, ...history].join(', '), ...others].filter(Boolean).join('; ')
}

/** The changes, in words. */
const changeTexts = (work: Work, before: Stored, after: Stored): string[] => {
  const [old, young] = [before.payment.item, after.payment.item]
  const names = changedNames(old, young) as (keyof Shown)[]
  // A claim means something only while it lasts.
  const unseen = ['failing_since', 'version', ...(young.status === 'capturing' ? [] : ['lease'])]
  const isChanged = names.some(name => !unseen.includes(name))
  const texts = names.map(
    name => paymentTexts[name]?.(old, young) ?? `${name} ${labelled(sortedJson(young[name]) ?? 'gone')}`,
  )
  const order = orderText(work, before, after)
  const name = Object.entries(orderNames).find(([, text]) => text === order)?.[0]
  return [
    texts
      .filter(Boolean)
      .sort((one, two) => Number(two.startsWith('→')) - Number(one.startsWith('→')))
      .join(', '),
    nextText(work, isChanged, after),
    name ? `[${name}]` : order && `order: ${order}`,
  ].filter(Boolean)
}

const works = {
  finish: ({ uuid, payment }) =>
    finishOrder(
      merchant,
      {
        payment_type: 'paypal',
        payment_id: payment,
        order_id: uuid,
        external_id: externalId,
        payer_id: 'PAYER',
      } as never,
      'buyer',
    ).then(({ data, payment: shown }) => `${data.status}, ${shown.status}`),
  execute: ({ payment }) =>
    executePayment(merchant, payment, 'buyer').then(({ data, order }) => `${data.status}, ${order.status}`),
  cancel: ({ id }) =>
    cancelById(merchant, id, { event: 'cancel', actor: 'shop' }).then(({ order }) => order.header.status),
  'cancel if unopened': ({ id }) =>
    cancelById(merchant, id, { event: 'cancel', actor: 'opener', ifUnopened: true }).then(
      ({ order }) => order.header.status,
    ),
  look: ({ payment }) => reconcilePayment(merchant, payment, { actor: 'sweep' }),
  'look at once': ({ payment }) => reconcilePayment(merchant, payment, { actor: 'tool', hours: 0 }),
  accept: ({ id }) => acceptPayment(merchant, id, 'person').then(({ header }) => header.status),
  refund: ({ id }) => refundPayment(merchant, id, 'person'),
  'refund by hand': ({ id }) => refundPayment(merchant, id, 'person', 'by hand'),
} satisfies Record<string, (one: TestOrder) => Promise<string>>
type Work = keyof typeof works

const messageTexts: readonly [RegExp, string][] = [
  [/^The payment was declined: (\w+)\.$/, '$1'],
  [/^The provider took (.*); the order costs 36\.00 EUR\. The merchant will accept or refund the payment\.$/, '$1'],
  [/^The paid amount is unknown; the order costs 36\.00 EUR\. The merchant will .*\.$/, 'not clear'],
  [/^nobody has to decide about order \d: its payment is \w+$/, 'nothing to decide'],
  [/^the money of order \d is not at the provider, where the payment is (\w+): .*cancelled$/, 'money is not there: $1'],
  [/^the money of order \d is still on its way: decide when it is there, or give it back$/, 'money is on its way'],
  [/^order \d is cancelled: its money can only go back$/, 'order is cancelled'],
]

const shortMessage = (message: string): string => {
  const [pattern, text = ''] = messageTexts.find(([each]) => each.test(message)) ?? []
  return pattern ? message.replace(pattern, text) : message
}

const outcomeOf = async (work: Work): Promise<string> => {
  try {
    return await works[work](present)
  } catch (error) {
    const { word, message, headers } = error as Problem
    if (!(error instanceof Problem) || error instanceof StepRefused)
      return `!${shortMessage(labelled((error as Error).message))}`
    const wait = headers['retry-after']
    const details = message === new Problem(word).message ? '' : ` ${shortMessage(message)}`
    return `!${word}${details}${wait ? `, retry after ${wait}` : ''}`
  }
}

// `npm test` tries a tenth of the cases of every twelfth request, always the same; OUTCOMES=all tries all.
const every = 10
let tries = 0

/** A payment in the state that a case begins with, for one order after the other. */
const prepare = async (standing: StandingName, age: Age) => {
  const { order, set } = stands[standing] as Standing
  present = orders[order]
  const stored = await getItem(key('order', { merchant, id: present.id }))
  const places = placesOf(present, (stored && orderOf(stored).basket) ?? '')
  const original = await read(present, places)
  const crstamp = timestamp(noon - ages[age])
  const failing_since = age.includes('failing') ? noon - 3 * day : null
  const raw = formerPayment({ ...original.payment.raw, crstamp, failing_since }, set)
  const before: Stored = { ...original, payment: { raw, item: shownPayment(raw), index: undefined } }
  const place = key('payment', { merchant, uuid: present.payment })
  /** Puts everything back; the payment as the case begins, or as it was before all cases. */
  const reset = async (after: Stored, isOver = false) => {
    const changed = places.flatMap((one, n) =>
      sortedJson(before.items[n]) === sortedJson(after.items[n]) ? [] : [[one, n] as const],
    )
    await Promise.all([
      ...changed.map(([one, n]) => putItem(one, before.items[n] as object)),
      isOver ? putItem(place, original.payment.raw, { index: original.payment.index }) : putItem(place, raw),
    ])
  }
  return { before, places, reset }
}

const ends: readonly string[] = ['captured', 'cancelled', 'refunded']

/** The requests to the provider, without those that the state and its last answer determine. */
const requestTexts = ({ payment: { item } }: Stored): string[] => {
  const expected = new Set([
    `inspect ${externalId}`,
    `capture ${externalId} ${labelled(requestIdOf(present.payment, 'take', item.refusals))}`,
    'inspectRefund BACK',
  ])
  const refundOf = (attempt: number) =>
    `refund CAP ${lastView && restOf(lastView)} ${labelled(requestIdOf(present.payment, 'back', attempt))} P EUR`
  return asked.flatMap(text => {
    if (text === refundOf(item.failed_refunds)) return 'refunds the rest'
    if (text === refundOf(item.failed_refunds + 1)) return 'refunds the rest by a new request'
    return expected.has(text) ? [] : `asks ${text}`
  })
}

/** Asserts what is true in every case. */
const checkCase = (work: Work, outcome: string, before: Stored, after: Stored): void => {
  const { item, index } = after.payment
  if (work.startsWith('look')) {
    const isFailing = outcome.startsWith('!payment_provider')
    const { failing_since: since } = before.payment.item
    const isInterrupted = outcome.startsWith('!') && !isFailing
    expect(item.failing_since).toBe(isFailing ? (since ?? clock.now) : isInterrupted ? since : null)
  }
  const unversioned = (one: Shown) => sortedJson({ ...one, version: 0, failing_since: 0 })
  const isChanged = unversioned(item) !== unversioned(before.payment.item)
  if (isChanged) expect(item.version).toBeGreaterThan(before.payment.item.version ?? 0)
  if (work.startsWith('look') && !ends.includes(item.status)) expect(index).toBeDefined()
  // A return page never gets a failure of the service or the provider.
  if (work === 'execute') expect(outcome).not.toMatch(/^!(payment_provider|[A-Z])/)
  if (before.payment.item.capture_id !== null) expect(asked.filter(text => text.startsWith('capture'))).toEqual([])
}

/** All cases of one request for one payment: the provider's answers, and the outcomes. */
const casesOf = async (work: Work, standing: StandingName, age: Age): Promise<Map<string, string>> => {
  const { before, places, reset } = await prepare(standing, age)
  const cases = new Map<string, string>()
  const open: string[][] = [[]]
  let after = before
  for (let next = open.shift(); next; next = open.shift()) {
    if (next.length > 0 && !runsAllCases && ++tries % every !== 0) continue
    await reset(after)
    ;[script, asked, unanswered, lastView, clock.now] = [next, [], undefined, undefined, noon]
    const outcome = await outcomeOf(work)
    const more = unanswered as NextAnswer | undefined
    after = await read(present, places)
    if (more) open.unshift(...choicesOf(more.verb).map(choice => [...(next ?? []), choice]))
    else {
      checkCase(work, outcome, before, after)
      const waited = clock.now > noon ? [`after ${Math.round((clock.now - noon) / 1000)} s`] : []
      const texts = [outcome, ...waited, ...requestTexts(before), ...changeTexts(work, before, after)]
      cases.set(next.join(' > ') || notAsked, texts.join('; '))
    }
  }
  await reset(after, true)
  return cases
}

const legend = [
  'Outcomes of requests for a payment. A block is a request and the states of the payment with equal outcomes; a line is',
  "the provider's answers ⇒ result or !error; calls of the provider; → new status, changed fields; [change of the order].",
  '"a > b": the provider answers a to inspect, then b to capture or refund. "approved*": by any payer.',
  '"capture", "payer", "taken": as the provider reports them. The next check is that of the status, unless listed.',
  ...Object.entries(orderNames).map(([name, text]) => `[${name}] = ${text}`.replace('; invoices', ';\n  invoices')),
].join('\n')

const sortedCases = (cases: readonly OutcomeCase[]): OutcomeCase[] =>
  cases.toSorted((one, two) => (one.answers < two.answers ? -1 : 1))

const file = join(import.meta.dirname, 'payment-outcomes.txt')
const recorded = isUpdating
  ? []
  : readOutcomes(
      readFileSync(file, 'utf8')
        .split('\n\n# ')
        .slice(1)
        .map(block => `# ${block}`)
        .join('\n\n'),
    )
const found: OutcomeCase[] = []

const names = Object.keys(stands) as StandingName[]
const unpaid = ['created', 'open', 'declined', 'claimed', 'claim expired', 'pending'] as const
const everywhere = Object.keys(works).filter(work => !work.startsWith('look')) as Work[]
const all: [Work, StandingName, Age][] = [
  ...names.map(name => ['look', name, 'young'] as [Work, StandingName, Age]),
  ...(['created', 'open', 'declined', 'pending'] as const).map(
    name => ['look at once', name, 'young'] as [Work, StandingName, Age],
  ),
  ['look', 'created', '12 minutes old'],
  ...unpaid.map(name => ['look', name, '1 day old'] as [Work, StandingName, Age]),
  ...(['open', 'cancelled', 'refund due'] as const).map(
    name => ['look', name, '2 days old'] as [Work, StandingName, Age],
  ),
  ...names.map(name => ['look', name, 'failing 3 days'] as [Work, StandingName, Age]),
  ...names.flatMap(name => everywhere.map(work => [work, name, 'young'] as [Work, StandingName, Age])),
]
test.each(
  sampleUnlessAll(all, 12),
)('%s, while the payment is %s, %s, has the recorded outcomes', async (work, state, age) => {
  const request = age === 'young' ? work : `${work}, ${age}`
  const cases = [...(await casesOf(work, state, age))].map(([answers, outcome]) => ({
    request,
    state,
    answers,
    outcome,
  }))
  found.push(...cases)
  if (isUpdating) return
  const expected = recorded.filter(one => one.request === request && one.state === state)
  if (runsAllCases) expect(sortedCases(cases)).toEqual(sortedCases(expected))
  else expect(expected).toEqual(expect.arrayContaining(cases))
})

test('all recorded outcomes are produced, and the legend has no unused entry', () => {
  if (isUpdating) writeFileSync(file, `${legend}\n\n${renderOutcomes(found)}\n`)
  const text = readFileSync(file, 'utf8')
  expect(text.slice(0, legend.length)).toBe(legend)
  if (runsAllCases) expect(text).toBe(`${legend}\n\n${renderOutcomes(found)}\n`)
})
