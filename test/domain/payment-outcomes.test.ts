import { join } from 'node:path'
import { Problem } from '../../shared/contract/errors.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { executePayment } from '../../shared/orders/checkout/execute.ts'
import { finishOrder } from '../../shared/orders/checkout/finish.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment, refundPayment } from '../../shared/orders/checkout/review.ts'
import { settlePayment } from '../../shared/orders/checkout/settle.ts'
import { counterKeys } from '../../shared/orders/numbering/numbers.ts'
import { type OrderRecord, orderOf } from '../../shared/orders/record.ts'
import { bareView, type PaymentView, type Provider, type RefundView } from '../../shared/payments/provider.ts'
import { ProviderRefusal } from '../../shared/payments/provider-failure.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { type Key, key, partition } from '../../shared/platform/table/keys.ts'
import { type Entry, getItem, getItems, putItem, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { parseTimestamp, timestamp } from '../../shared/values/time.ts'
import { newBasket, setStock } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { goldenFile, isUpdating, sortedJson } from '../support/golden-file.ts'
import { newPayer } from '../support/payer.ts'
import { runsAllCases, sampleUnlessAll } from '../support/sampling.ts'

// What becomes of a payment, however it stands and whatever its provider says, is written down beside this file, one
// line a case. A change of it is read line by line; `UPDATE=1 npm test -- test/domain/payment-outcomes` writes it anew.

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
type Kept = Awaited<ReturnType<typeof newOrder>>

const readPayment = async ({ payment: uuid }: Kept): Promise<Entry<PaymentItem>> => {
  const entries = await queryEntries({ pk: partition('payment', { merchant }) })
  const found = entries.find(({ item }) => item.uuid === uuid)
  if (!found) throw new Error('the payment is gone')
  return found
}

const amount = 3600
const settled = { capture_id: 'CAP', payer_id: 'PAYER', taken: { amount, currency: 'EUR' } }

const orders = { new: await newOrder(), paid: await newOrder(), pending: await newOrder(), cancelled: await newOrder() }
type OrderState = keyof typeof orders

const externalId = 'SBX'
for (const one of Object.values(orders)) {
  await updateItem(key('payment', { merchant, uuid: one.payment }), {
    set: { external_id: externalId, target_url: 'https://pay.example' },
  })
  const { item } = await readPayment(one)
  const paid = {
    ...bareView('captured'),
    amount,
    currency: 'EUR',
    customId: one.payment,
    captureId: 'CAP',
    payerId: 'PAYER',
  }
  if (one === orders.paid) await settlePayment(merchant, item, { status: 'captured', view: paid }, 'test')
  if (one === orders.pending) await settlePayment(merchant, item, { status: 'pending', view: paid }, 'test')
  if (one === orders.cancelled) await cancelById(merchant, one.id, { event: 'cancel', actor: 'test' })
}
await setStock(shop, 'wine', secco, 100)

/** How a payment stands, and its order. */
type Standing = { order: OrderState; set: Partial<PaymentItem> }
const review = {
  status: 'review',
  reason: 'AMOUNT_MISMATCH',
  ...settled,
  taken: { amount: 3599, currency: 'EUR' },
} as const
const stands = {
  created: { order: 'new', set: { status: 'created', external_id: null } },
  open: { order: 'new', set: { status: 'open', refusals: 2 } },
  declined: { order: 'new', set: { status: 'declined', reason: 'FUNDS', refusals: 1 } },
  'being captured': { order: 'new', set: { status: 'capturing', lease: noon + 9000 } },
  'left while it was captured': { order: 'new', set: { status: 'capturing', lease: noon } },
  pending: { order: 'pending', set: { status: 'pending' } },
  captured: { order: 'paid', set: { status: 'captured' } },
  cancelled: { order: 'cancelled', set: { status: 'cancelled' } },
  'cancelled, never opened': { order: 'cancelled', set: { status: 'cancelled', external_id: null } },
  'to be refunded': { order: 'cancelled', set: { status: 'refund_due', ...settled } },
  'to be refunded for the third time': {
    order: 'cancelled',
    set: { status: 'refund_due', ...settled, failed_refunds: 2 },
  },
  'being refunded': { order: 'cancelled', set: { status: 'refund_pending', ...settled, refund_id: 'BACK' } },
  'being refunded without an id': { order: 'cancelled', set: { status: 'refund_pending', ...settled } },
  refunded: { order: 'cancelled', set: { status: 'refunded', ...settled, refunded: amount } },
  'cancelled before its order': { order: 'new', set: { status: 'cancelled' } },
  'to be refunded before its order is cancelled': { order: 'new', set: { status: 'refund_due', ...settled } },
  'being refunded before its order is cancelled': { order: 'new', set: { status: 'refund_pending', ...settled } },
  'refunded before its order is cancelled': { order: 'new', set: { status: 'refunded', ...settled } },
  'captured, its order still new': { order: 'new', set: { status: 'captured', ...settled } },
  'of a paid order, given back': { order: 'paid', set: { status: 'refunded', refunded: amount } },
  'of a paid order, given back and undecided': {
    order: 'paid',
    set: { status: 'refunded', refunded: amount, returned: 'undecided' },
  },
  'of a paid order, given back in part and undecided': {
    order: 'paid',
    set: { status: 'refunded_in_part', refunded: 1000, returned: 'undecided' },
  },
  'of a paid order, but open': { order: 'paid', set: { status: 'open', capture_id: null } },
  'in review': { order: 'new', set: review },
  'in review without money': { order: 'new', set: { ...review, capture_id: null, taken: null } },
  'in review, its order cancelled': {
    order: 'cancelled',
    set: { ...review, reason: 'REFUND_FAILED', failed_refunds: 3 },
  },
} as const satisfies Record<string, Standing>
type StandingName = keyof typeof stands

const ages = {
  young: minute,
  'twelve minutes old': 12 * minute,
  'a day old': day,
  'two days old': 2 * day,
  'four days old, failing for three': 4 * day,
} as const
type Age = keyof typeof ages

/** What a provider may say when it is asked. */
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
  'approved, another amount': view('approved', { amount: 3599 }),
  'approved, another currency': view('approved', { currency: 'USD' }),
  'approved, of another payment': view('approved', { customId: 'another' }),
  'approved by another payer': view('approved', { payerId: 'OTHER' }),
  'approved by nobody who is named': view('approved', { payerId: null }),
  captured: view('captured', { captureId }),
  'captured, another amount': view('captured', { captureId, amount: 3601 }),
  'captured and partly refunded': view('captured', { captureId, refunded: 1000 }),
  pending: view('pending', { captureId, reason: 'ECHECK' }),
  declined: view('declined', { reason: 'LIMIT' }),
  'declined for good': view('declined', { captureId, reason: 'LIMIT' }),
  cancelled: () => bareView('cancelled'),
  refunded: view('refunded', { captureId, refunded: amount }),
  missing: () => bareView('missing'),
}
const refunds = {
  refunded: { state: 'refunded', refundId: 'BACK' },
  pending: { state: 'pending', refundId: 'BACK' },
  failed: { state: 'failed', refundId: 'BACK' },
} satisfies Record<string, RefundView>
const failures = {
  'no answer': () => new Problem('payment_provider_timeout'),
  'a no': () => new ProviderRefusal('NOT_YOU'),
}

const answersOf: Record<string, Record<string, (payment: string) => unknown>> = {
  inspect: views,
  capture: Object.fromEntries(
    ['open', 'approved', 'captured', 'captured, another amount', 'pending', 'declined', 'declined for good'].map(
      name => [name, views[name as keyof typeof views]],
    ),
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
let present: Kept = orders.new
let unanswered: NextAnswer | undefined
const provider = await providerOf({ id: merchant })
const real: Provider = { ...provider }
const labelled = (text: string): string =>
  text
    .replaceAll(present.payment.replaceAll('-', ''), 'P')
    .replaceAll(present.payment, 'P')
    .replaceAll(present.uuid, 'O')
for (const verb of ['inspect', 'capture', 'refund', 'inspectRefund'] as const)
  Object.assign(provider, {
    [verb]: async (...words: (string | number)[]) => {
      if (words[0] === '' || words[0] === undefined) throw new TypeError(`${verb} of nothing`)
      const name = script[asked.length]
      asked.push(labelled(`${verb} ${words.join(' ')}`))
      if (name === undefined) {
        unanswered = new NextAnswer(verb)
        throw unanswered
      }
      const failure = failures[name as keyof typeof failures]
      if (failure) throw failure()
      return answersOf[verb]?.[name]?.(present.payment)
    },
  })
afterAll(() => {
  Object.assign(provider, real)
})

/** What may be changed by what happens to an order. */
const placesOf = ({ id }: Kept, basket: string): Key<object>[] => [
  key('order', { merchant, id }) as never,
  ...(counterKeys(merchant) as never[]),
  key('basket', { merchant, uuid: basket }) as never,
  key('stock', { merchant, type: 'wine', id: secco }) as never,
]

const read = async (one: Kept, places: readonly Key<object>[]) => {
  const [items, payment] = await Promise.all([getItems(places), readPayment(one)])
  return { items, payment }
}

type Present = Awaited<ReturnType<typeof read>>

const changes = (before: object, after: object): string[] => {
  const [old, young] = [before, after] as Record<string, unknown>[]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter(name => sortedJson(old?.[name]) !== sortedJson(young?.[name]))
    .map(name => {
      const value = young?.[name]
      const isTime = typeof value === 'number' && value > 1e12
      return `${name} ${isTime ? `noon${value - noon >= 0 ? '+' : ''}${(value - noon) / 1000}s` : labelled(sortedJson(value) ?? 'gone')}`
    })
}

const placeTold = (index: string | undefined): string | undefined => {
  const [task, since] = index?.split('#').slice(-2) ?? []
  return task && `${task} at noon+${(parseTimestamp(since ?? '') - noon) / minute}min`
}

const changedDocuments = (before: OrderRecord['documents'], after: OrderRecord['documents']): string[] =>
  Object.entries(after).flatMap(([kind, documents]) => {
    const fresh = documents.slice(before[kind as keyof typeof before].length)
    return fresh.map(
      one => `${kind} ${'payment_type' in one && !('number' in one) ? labelled(sortedJson(one)) : one.number}`,
    )
  })

const others = ['orders', 'invoices', 'notes', 'credits', 'basket', 'stock']

/** What changed, in words. */
const told = (before: Present, after: Present): string[] => {
  const [one, other] = [before, after].map(({ items }) => orderOf(items[0] as never))
  if (!one || !other) throw new Error('the order is gone')
  const place = placeTold(after.payment.index)
  const parts: [string, string[]][] = [
    [
      'payment',
      [
        ...changes(before.payment.item, after.payment.item).filter(text => !text.startsWith('version ')),
        ...(place ? [`next ${place}`] : []),
      ],
    ],
    [
      'order',
      [
        ...changes(one.header, other.header).filter(text => !text.startsWith('chstamp')),
        ...changedDocuments(one.documents, other.documents),
        ...other.history.slice(one.history.length).map(({ at, event, actor }) => `${event} by ${actor} at ${at}`),
      ],
    ],
    ...others.map((name, n): [string, string[]] => [
      name,
      changes(before.items[n + 1] ?? {}, after.items[n + 1] ?? {}),
    ]),
  ]
  return parts.flatMap(([name, what]) => (what.length > 0 ? [`${name}: ${what.join(', ')}`] : []))
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
} satisfies Record<string, (one: Kept) => Promise<string>>
type Work = keyof typeof works

const outcomeOf = async (work: Work): Promise<string> => {
  try {
    return await works[work](present)
  } catch (error) {
    const { word, message, headers } = error as Problem
    const text = labelled(message)
    if (!(error instanceof Problem)) return `throws ${(error as Error).constructor.name}: ${text}`
    const wait = headers['retry-after']
    return `throws ${word}: ${text}${wait ? ` Retry after ${wait}.` : ''}`
  }
}

// Every case is tried by `npm run test:long` and by the mutation run; else a tenth of the cases of every twelfth work, each
// time the same.
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
  const item: PaymentItem = { ...original.payment.item, crstamp, failing_since, ...set }
  const before: Present = { ...original, payment: { ...original.payment, item, index: undefined } }
  const place = key('payment', { merchant, uuid: present.payment })
  /** Puts everything back; the payment as the case begins, or as it was before all cases. */
  const reset = async (after: Present, isOver = false) => {
    const changed = places.flatMap((one, n) =>
      sortedJson(before.items[n]) === sortedJson(after.items[n]) ? [] : [[one, n] as const],
    )
    await Promise.all([
      ...changed.map(([one, n]) => putItem(one, before.items[n] as object)),
      isOver ? putItem(place, original.payment.item, { index: original.payment.index }) : putItem(place, item),
    ])
  }
  return { before, places, reset }
}

const ends: readonly string[] = ['captured', 'cancelled', 'refunded']

/** What must hold in every case, whatever is written down. */
const checkCase = (work: Work, outcome: string, before: Present, after: Present): void => {
  const { item, index } = after.payment
  const unversioned = (one: PaymentItem) => sortedJson({ ...one, version: 0, failing_since: 0 })
  const isChanged = unversioned(item) !== unversioned(before.payment.item)
  if (isChanged) expect(item.version).toBeGreaterThan(before.payment.item.version ?? 0)
  if (work.startsWith('look') && !ends.includes(item.status)) expect(index).toBeDefined()
  // A page dies of an answer that is the service's or the provider's trouble.
  if (work === 'execute') expect(outcome).not.toMatch(/^throws (payment_provider|[A-Z])/)
  if (before.payment.item.capture_id !== null) expect(asked.filter(text => text.startsWith('capture'))).toEqual([])
}

/** All cases of one work on one payment: what the provider answers, and what becomes of it. */
const casesOf = async (work: Work, standing: StandingName, age: Age): Promise<Map<string, string>> => {
  const { before, places, reset } = await prepare(standing, age)
  const cases = new Map<string, string>()
  const open: string[][] = [[]]
  let after = before
  for (let next = open.shift(); next; next = open.shift()) {
    if (next.length > 0 && !runsAllCases && ++tries % every !== 0) continue
    await reset(after)
    ;[script, asked, unanswered, clock.now] = [next, [], undefined, noon]
    const outcome = await outcomeOf(work)
    const more = unanswered as NextAnswer | undefined
    after = await read(present, places)
    if (more) open.unshift(...choicesOf(more.verb).map(choice => [...(next ?? []), choice]))
    else {
      checkCase(work, outcome, before, after)
      const requests = asked.filter(text => !text.startsWith('inspect '))
      const waited = clock.now > noon ? [`after ${Math.round((clock.now - noon) / 1000)} s`] : []
      const asks = requests.length > 0 ? [`asks ${requests.join(', ')}`] : []
      cases.set(
        next.join(', then ') || 'nobody is asked',
        [outcome, ...waited, ...asks, ...told(before, after)].join('; '),
      )
    }
  }
  await reset(after, true)
  return cases
}

const written = goldenFile(join(import.meta.dirname, 'payment-outcomes.txt'))

const names = Object.keys(stands) as StandingName[]
const unpaid = ['created', 'open', 'declined', 'being captured', 'left while it was captured', 'pending'] as const
const everywhere = Object.keys(works).filter(work => !work.startsWith('look')) as Work[]
const all: [Work, StandingName, Age][] = [
  ...names.map(name => ['look', name, 'young'] as [Work, StandingName, Age]),
  ...(['created', 'open', 'declined', 'pending'] as const).map(
    name => ['look at once', name, 'young'] as [Work, StandingName, Age],
  ),
  ['look', 'created', 'twelve minutes old'],
  ...unpaid.map(name => ['look', name, 'a day old'] as [Work, StandingName, Age]),
  ...(['cancelled', 'to be refunded', 'open'] as const).map(
    name => ['look', name, 'two days old'] as [Work, StandingName, Age],
  ),
  ...names.map(name => ['look', name, 'four days old, failing for three'] as [Work, StandingName, Age]),
  ...names.flatMap(name => everywhere.map(work => [work, name, 'young'] as [Work, StandingName, Age])),
]
test.each(
  sampleUnlessAll(all, 12),
)('%s, while the payment is %s, %s, ends as it is written down', async (work, standing, age) => {
  const title = `${work}, while the payment is ${standing}, ${age}`
  const lines = [...(await casesOf(work, standing, age))].map(([name, what]) => `${name} → ${what}`)
  if (isUpdating) written.renew(title, lines)
  else if (runsAllCases) expect(lines).toEqual(written.linesOf(title))
  else expect(written.linesOf(title)).toEqual(expect.arrayContaining(lines))
})
