import { randomUUID } from 'node:crypto'
import { nextClientNumber } from '../../clients/numbers.ts'
import { Problem } from '../../contract/errors.ts'
import type { Order, Payment } from '../../contract/records/order.ts'
import { giveBack, reserve, type Wanted } from '../../merchants/quotas/amounts.ts'
import { paymentView } from '../../payments/record.ts'
import { count } from '../../platform/metrics.ts'
import { type TransactionRefused, Unavailable } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key } from '../../platform/table/keys.ts'
import { untilShown } from '../../platform/table/shown.ts'
import { getItem } from '../../platform/table/table.ts'
import { transact } from '../../platform/table/transact.ts'
import { checkDue, OthersWaiting, onlyNumbersLost, refusedAlong, type Turn } from '../numbers.ts'
import { readOrder } from '../store.ts'
import { inTurn } from '../turns.ts'
import { allRelations, orderView, writtenOrder } from '../view.ts'
import type { Placer } from './compose.ts'
import { type Draft, draftOf, hashOf, hashOfKey, type PlaceRequest, prepare, readSource } from './draft.ts'
import { opener, openPayment } from './open.ts'
import { draftUnlessUsed, readOrderedBasket, sourceWithout, type Used, waitingOrderOf } from './ordered-basket.ts'
import { ownOrder, partiesIn } from './parties.ts'
import { type OrderGroup, type PreparedOrder, placeActions } from './place-actions.ts'
import { debitReturn } from './redirects.ts'
import { withPresentNumbers } from './references.ts'
import { layDown, ordersAlong, takeBack } from './waiting.ts'

/** A placed order; `replayed` when it was there already. */
export type PlacedOrder = { data: Order; targetUrl?: string; payment?: Payment; replayed: boolean }

/** The id of the order with a uuid, once it is there. */
const idOf = async ({ merchant }: Placer, uuid: string): Promise<number | undefined> =>
  (await getItem(key('orderUuid', { merchant, uuid })))?.id

/** The id of the order with a uuid that a basket or a key names. */
const shownId = (placing: Placer, uuid: string): Promise<number> => untilShown(() => idOf(placing, uuid))

/** The id under which another request placed the order along with its own. */
type Along = { placedAlong: number }

const countOrders = ({ first, along }: OrderGroup): void => {
  for (const { order } of [first, ...along.map(({ prepared }) => prepared)]) {
    count('Orders')
    count('Turnover', Number(order.header.gross))
  }
}

const write = async (placing: Placer, group: OrderGroup, turn: Turn): Promise<PreparedOrder | Along> => {
  const { first } = group
  try {
    await transact(placeActions(placing.merchant, group, turn), randomUUID())
    countOrders(group)
    return first
  } catch (error) {
    // An order whose write got no answer may be there all the same: by this write, or by another's.
    const id = error instanceof Unavailable ? await idOf(placing, first.order.header.uuid) : undefined
    if (id) return { placedAlong: id }
    throw error
  }
}

/** A placed order with its payment; one that never reached its provider is opened now. */
const withPayment = async (
  { merchant }: Placer,
  request: PlaceRequest,
  data: Order,
  payment: PaymentItem | null | undefined,
  replayed: boolean,
): Promise<PlacedOrder> => {
  if (!payment) {
    const targetUrl = debitReturn(data, request.data)
    return { data, ...(targetUrl && { targetUrl }), replayed }
  }
  const opened = payment.status === 'created' ? await openPayment(merchant, payment, data, hashOfKey(request)) : payment
  const targetUrl = opened.status === 'open' || opened.status === 'declined' ? opened.target_url : null
  return { data, ...(targetUrl && { targetUrl }), payment: paymentView(opened), replayed }
}

/** The answer to an order that is there already. Throws payment_provider_error when nobody can pay it. */
const asWritten = async (
  placing: Placer,
  request: PlaceRequest,
  id: number,
  replayed: boolean,
): Promise<PlacedOrder> => {
  const { merchant } = placing
  const stored = await untilShown(() => readOrder(merchant, id))
  const { header, history, payment: uuid } = stored.order
  const payment = uuid ? await untilShown(() => getItem(key('payment', { merchant, uuid }))) : null
  const isCancelled = payment?.status === 'cancelled' && payment.external_id === null
  // An equal request could not open the payment, and just set the Idempotency-Key free.
  if (isCancelled && (header.status !== 'cancelled' || history.at(-1)?.actor === opener)) {
    throw new Problem('payment_provider_error')
  }
  return withPayment(placing, request, await writtenOrder(merchant, stored, placing.client), payment, replayed)
}

/** The order that an equal request placed before. */
const repeat = async (placing: Placer, request: PlaceRequest, { used, word }: Used): Promise<PlacedOrder> => {
  if (used.hash !== hashOf(request)) throw new Problem(word)
  return asWritten(placing, request, await shownId(placing, used.uuid), true)
}

const isSame = (a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): boolean =>
  a.size === b.size && [...a].every(([id, quantity]) => b.get(id) === quantity)

/** The draft with present numbers; positions show the stock that is left, so they follow it. */
const renumbered = async (draft: Draft): Promise<Draft | Used | Along> => {
  const { placer, request, uuid, references: before } = draft
  const references = await withPresentNumbers(placer.merchant, before, uuid)
  if ('placedAlong' in references) return references
  const isUnchanged = isSame(before.stock.wine, references.stock.wine)
  if (isUnchanged && isSame(before.stock.product, references.stock.product)) return { ...draft, references }
  try {
    return draftOf({ ...draft, references }, uuid)
  } catch (error) {
    // Sold out meanwhile: to an equal request, perhaps.
    if (error instanceof Problem) return draftUnlessUsed(placer, request, uuid)
    throw error
  }
}

/** One request's way to its order: what it drafted, where it waits, and who cannot be placed along with it. */
class Placing {
  readonly uuid = randomUUID()
  draft: Draft | undefined
  /** The ticket under which the order was laid down for others to place along. */
  private waiting: number | null = null
  private left = new Set<number>()
  private isAlone = false
  /** The clients and addresses that the order brings along, once there is room for them. */
  private reserved: Wanted | undefined
  private readonly placer: Placer
  private readonly request: PlaceRequest

  constructor(placer: Placer, request: PlaceRequest) {
    this.placer = placer
    this.request = request
  }

  private async read(): Promise<Draft | Used | Along> {
    if (this.draft) return renumbered(this.draft)
    const id = this.waiting === null ? undefined : await idOf(this.placer, this.uuid)
    return id ? { placedAlong: id } : draftUnlessUsed(this.placer, this.request, this.uuid)
  }

  private async readPresent(): Promise<Draft | Used | Along> {
    const read = await this.read()
    // What its own order used was used just now, while this was read: by whoever placed it along.
    const isOwn = 'used' in read && read.used.uuid === this.uuid
    return isOwn ? { placedAlong: await shownId(this.placer, this.uuid) } : read
  }

  private async reserve({ newParties }: PreparedOrder): Promise<void> {
    const { merchant } = this.placer
    const wanted = partiesIn(merchant, newParties)
    // Who was new when the order was read may be known by now: then it brings an address along in place of a client.
    if (wanted.clients === this.reserved?.clients) return
    this.giveBack()
    await reserve(merchant, wanted)
    this.reserved = wanted
  }

  /** Numbers the client that the order brings along, late: an order that is refused uses up no number. */
  private async number({ references: { newClient } }: Draft): Promise<void> {
    if (newClient) newClient.number ??= await nextClientNumber(this.placer.merchant)
  }

  /** Nothing of what was reserved is stored. */
  giveBack(): void {
    if (this.reserved) giveBack(this.placer.merchant, this.reserved)
    this.reserved = undefined
  }

  async attempt(turn: Turn): Promise<PreparedOrder | Used | Along> {
    const draft = await this.readPresent()
    // The other's transaction wrote that this turn is over.
    if ('placedAlong' in draft) turn.used = true
    if ('used' in draft || 'placedAlong' in draft) return draft
    // Before anybody is waited for: what is refused here needs no turn, and must not be laid down for others.
    const first = prepare(draft)
    await this.reserve(first)
    await this.number(draft)
    this.draft = draft
    const { queue, seen } = draft.references
    checkDue(turn, seen)
    if (turn.ticket === null && queue.isBusy) throw new OthersWaiting()
    turn.abandoned = queue.tickets
    const goesAlone = turn.ticket === null || this.isAlone
    const along = goesAlone ? [] : await ordersAlong(draft, first, turn.ticket, this.left)
    return write(this.placer, { first, waiting: this.waiting, along }, turn)
  }

  /** Takes a refusal into account: the next attempt begins with what did not stand in the way. */
  refused(error: TransactionRefused): void {
    const tickets = refusedAlong(error)
    for (const ticket of tickets) this.left.add(ticket)
    if (onlyNumbersLost(error)) return
    // Where more than a number was in the way, reading everything again shows what became of it. It may have been the
    // stock of others, too.
    this.draft = undefined
    this.isAlone = true
  }

  async joined(ticket: number, deadline: number): Promise<void> {
    if (!this.draft) return
    // Already before: what fails without an answer may lie there all the same, and is then to be taken back.
    this.waiting = ticket
    if (!(await layDown(this.draft, ticket, deadline))) this.waiting = null
  }

  /** Nobody may place the order any more. Returns its id if somebody did. */
  async takeBack(): Promise<number | undefined> {
    const { waiting } = this
    if (waiting === null || (await takeBack(this.placer.merchant, waiting))) return undefined
    return idOf(this.placer, this.uuid)
  }
}

/**
 * Places an order: reads what it refers to, prices it, and writes order, numbers, documents, stock, basket and payment
 * in one transaction; an external payment is opened after it. Orders that wait for their numbers may be written along
 * by whoever's turn it is. Throws the contract's refusals; nothing is stored then.
 */
export const placeOrder = async (placer: Placer, asked: PlaceRequest): Promise<PlacedOrder> => {
  const request = { ...asked, data: ownOrder(asked.data, placer.client) }
  const placing = new Placing(placer, request)
  const placed = await inTurn(
    { merchant: placer.merchant, counter: 'orders' },
    turn => placing.attempt(turn),
    error => {
      placing.refused(error)
      return true
    },
    (ticket, deadline) => placing.joined(ticket, deadline),
  ).catch(async error => {
    const id = await placing.takeBack()
    if (id !== undefined) return { placedAlong: id }
    if (!(error instanceof Unavailable)) placing.giveBack()
    throw error
  })
  if ('placedAlong' in placed) return asWritten(placer, request, placed.placedAlong, false)
  if ('used' in placed) {
    placing.giveBack()
    await placing.takeBack()
    return repeat(placer, request, placed)
  }
  const data = orderView(placed.order, allRelations, placed.sold, placer.client)
  return withPayment(placer, request, data, placed.payment, false)
}

/** The order that placing it would make now. Stores nothing. Throws the refusals of placing it. */
export const previewOrder = async (placer: Placer, asked: PlaceRequest): Promise<PlacedOrder> => {
  const request = { ...asked, data: ownOrder(asked.data, placer.client) }
  const basket = await readOrderedBasket(placer, request)
  const replaced = basket?.ordered && (await waitingOrderOf(placer, basket))
  if (replaced === 'freed') return previewOrder(placer, request)
  if (basket?.ordered && !replaced) throw new Problem('basket_already_ordered')
  const source = await (basket && replaced
    ? sourceWithout(placer, request, basket, replaced)
    : readSource(placer, request, basket))
  const { order, sold } = prepare(draftOf(source, randomUUID()))
  return { data: orderView(order, allRelations, sold, placer.client), replayed: false }
}
