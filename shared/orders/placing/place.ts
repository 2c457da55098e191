import { randomUUID } from 'node:crypto'
import { nextClientNumber } from '../../clients/store.ts'
import { Problem } from '../../contract/errors.ts'
import type { Order, Payment } from '../../contract/records/order.ts'
import { giveBack, reserve, type Wanted } from '../../merchants/quotas.ts'
import { paymentView } from '../../payments/record.ts'
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

/** A placed order; `replayed` when it was there already. */
export type PlacedOrder = { data: Order; targetUrl?: string; payment?: Payment; replayed: boolean }

/** The id of the order with a uuid, once it is there. */
const idOf = async ({ merchant }: Pick<Placer, 'merchant'>, uuid: string): Promise<number | undefined> =>
  (await getItem(key('orderUuid', { merchant, uuid })))?.id

/** The id of the order with a uuid that a basket or a key names. */
const shownId = (placing: Placer, uuid: string): Promise<number> => untilShown(() => idOf(placing, uuid))

/** An order that this request wrote, or the id under which another request did. */
type Written = PreparedOrder | { placed: number }

const write = async ({ merchant }: Placer, before: Numbers, order: PreparedOrder): Promise<Written> => {
  try {
    await transact(placeActions(merchant, before, [order], actionsOf(merchant, order)), randomUUID())
    countOrders([order])
    return order
  } catch (error) {
    // An order whose write got no answer may be there all the same.
    const id = error instanceof Unavailable ? await idOf({ merchant }, order.order.header.uuid) : undefined
    if (id) return { placed: id }
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

/** One request's way to its order. */
class Placing {
  readonly uuid = randomUUID()
  private readonly placer: Placer
  private readonly request: PlaceRequest
  private draft: Draft | undefined
  /** Nobody else can write the order. */
  private isAlone = false
  /** The clients and addresses that the order brings along, once there is room for them. */
  private reserved: Wanted | undefined
  private clientNumber: string | undefined

  constructor(placer: Placer, request: PlaceRequest) {
    this.placer = placer
    this.request = request
  }

  private async read(): Promise<Drafted | Used | { placed: number }> {
    // What was refused may have been written before: by this request, or by whoever led.
    const id = this.draft && (await idOf(this.placer, this.uuid))
    if (id) return { placed: id }
    const read = await draftUnlessUsed(this.placer, this.request, this.uuid)
    // What its own order used was used just now, while this was read.
    const isOwn = 'used' in read && read.used.uuid === this.uuid
    return isOwn ? { placed: await shownId(this.placer, this.uuid) } : read
  }

  private async reserve({ newParties: { client, addresses } }: Draft): Promise<void> {
    const wanted = { clients: client ? 1 : 0, addresses: addresses.length }
    // Who was new when the order was read may be known by now: then it brings an address along in place of a client.
    if (wanted.clients === this.reserved?.clients) return
    this.giveBack()
    await reserve(this.placer.merchant, wanted)
    this.reserved = wanted
  }

  /** Numbers the client that the order brings along, late: an order that is refused uses up no number. */
  private async number({ newParties: { client } }: Draft): Promise<void> {
    if (!client) return
    this.clientNumber ??= await nextClientNumber(this.placer.merchant)
    client.record.number = this.clientNumber
  }

  /** Nothing of what was reserved is stored. */
  giveBack(): void {
    if (this.reserved) giveBack(this.placer.merchant, this.reserved)
    this.reserved = undefined
  }

  async attempt(): Promise<Written | Used> {
    const read = await this.read()
    if ('used' in read || 'placed' in read) return read
    const { draft, references } = read
    // What is refused here must not be laid down for others.
    await this.reserve(draft)
    await this.number(draft)
    this.draft = draft
    if (references.hasLeader && !this.isAlone) throw new QueueHasLeader()
    return write(this.placer, references.numbers, prepare(draft, references))
  }

  /** Leaves the order to whoever leads. Returns undefined when this request has to write it itself. */
  async wait(deadline: number): Promise<Written | undefined> {
    const { merchant } = this.placer
    const order = this.isAlone || !this.draft ? undefined : encodeDraft(this.draft)
    const outcome = order && (await waitInQueue(merchant, order, groupCommit(merchant), deadline))
    this.isAlone = outcome !== 'committed'
    return this.isAlone ? undefined : { placed: await shownId(this.placer, this.uuid) }
  }

  /** The id of the order, if it was written though its request failed. */
  written(): Promise<number | undefined> {
    return this.draft ? idOf(this.placer, this.uuid) : Promise.resolve(undefined)
  }
}

/**
 * Places an order: reads what it refers to, prices it, and writes order, numbers, documents, stock, basket and payment
 * in one transaction; an external payment is opened after it. Of many at once, one request writes the orders of the
 * others along (numbering/README.md). Throws the contract's refusals; nothing is stored then.
 */
export const placeOrder = async (placer: Placer, asked: PlaceRequest): Promise<PlacedOrder> => {
  const request = { ...asked, data: ownOrder(asked.data, placer.client) }
  const placing = new Placing(placer, request)
  const placed = await withNumbers({
    attempt: () => placing.attempt(),
    again: () => true,
    wait: deadline => placing.wait(deadline),
  }).catch(async error => {
    const isUnknown = error instanceof Unavailable
    const id = isUnknown ? await placing.written() : undefined
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
  const { order, sold } = prepare(draftOf(source, randomUUID()), source.references)
  return { data: orderView(order, allRelations, sold, placer.client), replayed: false }
}
