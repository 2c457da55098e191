import { randomUUID } from 'node:crypto'
import { nextClientNumber } from '../../clients/store.ts'
import { Problem } from '../../contract/errors.ts'
import type { Order, Payment } from '../../contract/records/order.ts'
import { type Amounts, giveBack, reserve } from '../../merchants/reservations.ts'
import { paymentView, readPayment } from '../../payments/record.ts'
import { Unavailable, untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { key } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { transact } from '../../platform/table/transact.ts'
import type { Numbers } from '../numbering/numbers.ts'
import { QueueHasLeader, withNumbers } from '../numbering/numbers.ts'
import { waitInQueue } from '../numbering/queue.ts'
import { readOrder } from '../store.ts'
import { allRelations, orderView, writtenOrder } from '../view.ts'
import { ownOrder } from './billing-delivery.ts'
import type { Placer } from './draft.ts'
import { draftOf, hashOf, hashOfKey, type PlaceRequest, readSource } from './draft.ts'
import { countOrders, groupCommit } from './group-commit.ts'
import { opener, openPayment } from './open-payment.ts'
import {
  type Drafted,
  draftUnlessUsed,
  readOrderedBasket,
  sourceWithout,
  type Used,
  waitingOrderOf,
} from './ordered-basket.ts'
import { type Draft, encodeDraft } from './queued-draft.ts'
import { debitReturn } from './redirects.ts'
import { actionsOf, type PreparedOrder, placeActions, prepare } from './transaction.ts'

/** The answer to a placing request; `replayed` if an earlier request placed the order. */
export type PlacedOrder = { data: Order; targetUrl?: string; payment?: Payment; replayed: boolean }

/** The id of the order with a uuid; undefined if it is not written. */
const orderIdByUuid = async ({ merchant }: Pick<Placer, 'merchant'>, uuid: string): Promise<number | undefined> =>
  (await getItem(key('orderUuid', { merchant, uuid })))?.id

/** The id of the order with a uuid that another record names. */
const shownId = (placing: Placer, uuid: string): Promise<number> => untilShown(() => orderIdByUuid(placing, uuid))

/** An order that this request wrote, or the id under which another request did. */
type Written = PreparedOrder | { placed: number }

const write = async ({ merchant }: Placer, before: Numbers, order: PreparedOrder): Promise<Written> => {
  try {
    await transact(placeActions(merchant, before, [order], actionsOf(merchant, order)), randomUUID())
    countOrders([order])
    return order
  } catch (error) {
    // A write that got no answer may have been done.
    const id = error instanceof Unavailable ? await orderIdByUuid({ merchant }, order.order.header.uuid) : undefined
    if (id) return { placed: id }
    throw error
  }
}

/** A placed order with its payment, which is opened now if it was not. */
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

/** The answer for an order that is written already. Throws payment_provider_error if its payment could not be opened. */
const asWritten = async (
  placing: Placer,
  request: PlaceRequest,
  id: number,
  replayed: boolean,
): Promise<PlacedOrder> => {
  const { merchant } = placing
  const stored = await untilShown(() => readOrder(merchant, id))
  const { header, history, payment: uuid } = stored.order
  const payment = uuid ? await untilShown(() => readPayment(merchant, uuid)) : null
  const isCancelled = payment?.status === 'cancelled' && payment.external_id === null
  // An equal request could not open the payment, and has just released the Idempotency-Key.
  // Stryker disable next-line UnaryOperator: The history of an order that was never opened is its placing and its end.
  // Stryker disable next-line OptionalChaining: An order always has a history; the types do not know.
  if (isCancelled && (header.status !== 'cancelled' || history.at(-1)?.actor === opener)) {
    throw new Problem('payment_provider_error', { because: 'an equal request could not open the payment' })
  }
  return withPayment(placing, request, await writtenOrder(merchant, stored, placing.client), payment, replayed)
}

/** The answer to a repeated request. Throws if it differs from the first request. */
const repeat = async (placing: Placer, request: PlaceRequest, { used, word }: Used): Promise<PlacedOrder> => {
  if (used.hash !== hashOf(request)) throw new Problem(word, { because: 'the data differ' })
  return asWritten(placing, request, await shownId(placing, used.uuid), true)
}

/** The state of a request that places an order. */
class Placing {
  readonly uuid = randomUUID()
  readonly #placer: Placer
  readonly #request: PlaceRequest
  #draft: Draft | undefined
  /** True once the order cannot be queued: it is too large, or was rejected. */
  #isAlone = false
  /** The quota reserved for new clients and addresses. */
  #reserved: Amounts | undefined
  #clientNumber: string | undefined

  constructor(placer: Placer, request: PlaceRequest) {
    this.#placer = placer
    this.#request = request
  }

  async #read(): Promise<Drafted | Used | { placed: number }> {
    // An earlier attempt that seemed to fail, or a leader, may have written the order.
    const id = this.#draft && (await orderIdByUuid(this.#placer, this.uuid))
    if (id) return { placed: id }
    const read = await draftUnlessUsed(this.#placer, this.#request, this.uuid)
    // A leader may have written it while this was read: then the basket or key is used by this very order.
    const isOwn = 'used' in read && read.used.uuid === this.uuid
    return isOwn ? { placed: await shownId(this.#placer, this.uuid) } : read
  }

  async #reserve({ newParties: { client, addresses } }: Draft): Promise<void> {
    const wanted = { clients: client ? 1 : 0, addresses: addresses.length }
    // A guest who was new may be a client by now: then the order creates an address instead.
    if (wanted.clients === this.#reserved?.clients) return
    this.giveBack()
    await reserve(this.#placer.merchant, wanted)
    this.#reserved = wanted
  }

  /** Gives a new client its number, late: a refused order must not use up a number. */
  async #number({ newParties: { client } }: Draft): Promise<void> {
    if (!client) return
    this.#clientNumber ??= await nextClientNumber(this.#placer.merchant)
    client.record.number = this.#clientNumber
  }

  /** Releases the reserved quota. */
  giveBack(): void {
    if (this.#reserved) giveBack(this.#placer.merchant, this.#reserved)
    this.#reserved = undefined
  }

  async attempt(): Promise<Written | Used> {
    const read = await this.#read()
    if ('used' in read || 'placed' in read) return read
    const { draft, references } = read
    // An order without quota must not be queued.
    await this.#reserve(draft)
    await this.#number(draft)
    this.#draft = draft
    if (references.hasLeader && !this.#isAlone) throw new QueueHasLeader()
    return write(this.#placer, references.numbers, prepare(draft, references))
  }

  /** Queues the order. Returns undefined if this request has to write it itself. */
  async wait(deadline: number): Promise<Written | undefined> {
    const { merchant } = this.#placer
    const order = this.#isAlone || !this.#draft ? undefined : encodeDraft(this.#draft)
    const outcome = order && (await waitInQueue(merchant, order, groupCommit(merchant), deadline))
    this.#isAlone = outcome !== 'committed'
    return this.#isAlone ? undefined : { placed: await shownId(this.#placer, this.uuid) }
  }

  /** The id of the order if it was written though the last attempt failed. */
  findWritten(): Promise<number | undefined> {
    return this.#draft ? orderIdByUuid(this.#placer, this.uuid) : Promise.resolve(undefined)
  }
}

/**
 * Places an order: reads what it refers to, prices it, and writes order, numbers, documents, stock, basket and payment
 * in one transaction; an external payment is opened after it. Of many concurrent requests, a leader commits the orders of the
 * others too (numbering/README.md). Throws the contract's refusals; nothing is stored then.
 */
export const placeOrder = async (placer: Placer, asked: PlaceRequest): Promise<PlacedOrder> => {
  const request = { ...asked, data: ownOrder(asked.data, placer.client) }
  const placing = new Placing(placer, request)
  const placed = await withNumbers({
    attempt: () => placing.attempt(),
    wait: deadline => placing.wait(deadline),
  }).catch(async error => {
    const isUnknown = error instanceof Unavailable
    const id = isUnknown ? await placing.findWritten() : undefined
    if (id !== undefined) return { placed: id }
    if (!isUnknown) placing.giveBack()
    throw error
  })
  if ('placed' in placed) return asWritten(placer, request, placed.placed, false)
  if ('used' in placed) {
    placing.giveBack()
    return repeat(placer, request, placed)
  }
  const data = orderView(placed.order, allRelations, placed.sold, placer.client)
  return withPayment(placer, request, data, placed.payment, false)
}

/** Returns the order that placing would store. Throws the same refusals. */
export const previewOrder = async (placer: Placer, asked: PlaceRequest): Promise<PlacedOrder> => {
  const request = { ...asked, data: ownOrder(asked.data, placer.client) }
  const basket = await readOrderedBasket(placer, request)
  const replaced = basket?.ordered && (await waitingOrderOf(placer, basket))
  if (replaced === 'freed') return previewOrder(placer, request)
  if (basket?.ordered && !replaced)
    throw new Problem('basket_already_ordered', { because: 'its order waits for no payment' })
  const source = await (basket && replaced
    ? sourceWithout(placer, request, basket, replaced)
    : readSource(placer, request, basket))
  const { order, sold } = prepare(draftOf(source, randomUUID()), source.references)
  return { data: orderView(order, allRelations, sold, placer.client), replayed: false }
}
