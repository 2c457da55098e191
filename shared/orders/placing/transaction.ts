import type { CountedStock } from '../../catalogue/goods.ts'
import { outboxActions } from '../../events/outbox.ts'
import { idempotencyAction } from '../../merchants/idempotency.ts'
import { taskKeyOf, unopenedFields } from '../../payments/record.ts'
import { absent, equals } from '../../platform/table/expressions.ts'
import type { Merchant, PaymentItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { type Action, put, update } from '../../platform/table/transact.ts'
import { totalCents } from '../../values/money.ts'
import { timestamp } from '../../values/time.ts'
import { applyEvent, newDocuments, noDocuments, withDocuments } from '../documents.ts'
import { type Numbers, takeNumber, updateNumbers } from '../numbering/numbers.ts'
import { type OrderRecord, packSold, type SoldItems } from '../record.ts'
import { documentsOnEnter } from '../states.ts'
import { addOrder, partKey, takeStock } from '../store.ts'
import { partyActions } from './billing-delivery.ts'
import { takenOf } from './order-lines.ts'
import type { Draft } from './queued-draft.ts'
import type { Stock } from './references.ts'

/** An order that is ready to be written. */
export type PreparedOrder = Pick<Draft, 'newParties' | 'basketVersion' | 'idempotencyKey' | 'requestHash'> & {
  order: OrderRecord
  sold: SoldItems
  /** `sold`, compressed and cut into items. */
  parts: readonly Buffer[]
  /** The merchant's numbers after this order. */
  numbers: Numbers
  payment: PaymentItem | null
}

/** The merchant, its numbers and its stock at the moment at which an order is written. */
export type Present = { merchant: Merchant; numbers: Numbers; stock: Stock }

type Numbered = { order: OrderRecord; numbers: Numbers }

/** A free order after its payment: no provider takes 0.00. */
const settleNumbered = ({ order, numbers }: Numbered, merchant: Merchant): Numbered => {
  const { crstamp: now, cruser_name: actor } = order.header
  const effect = applyEvent(order, numbers, 'payment_completed', { now, actor, merchant })
  // Stryker disable next-line ConditionalExpression: A new order can always be settled; the types do not know.
  if (!('order' in effect)) throw new Error('a new order cannot be settled')
  return effect
}

const numberDraft = (draft: Draft, { merchant, numbers: before, stock }: Present, parts: number): Numbered => {
  const { client, billing, delivery, rebates, basket, payment, sold } = draft
  const now = timestamp(Date.now())
  const { id, number, numbers: taken } = takeNumber(before, 'orders', { now, merchant })
  const header = { ...draft.header, id, number, crstamp: now, chstamp: now }
  const kinds = documentsOnEnter(undefined, header.status, { collected: header.delivery_type === 'none' })
  const { documents, numbers } = withDocuments({ header, documents: noDocuments() }, taken, kinds, { now, merchant })
  const order: OrderRecord = {
    header: { ...header, fixed: documents.invoices.length > 0 },
    client,
    billing,
    delivery,
    documents,
    rebates,
    counted: takenOf(sold.positions, stock),
    basket,
    payment: payment?.uuid ?? null,
    history: [
      {
        ...{ at: now, event: 'add', actor: header.cruser_name, status: header.status },
        ...{ documents: newDocuments(documents), payment: null, remark: null },
      },
    ],
    parts,
  }
  const after = { order, numbers }
  return header.gross === '0.00' ? settleNumbered(after, merchant) : after
}

const paymentOf = ({ payment }: Draft, { header }: OrderRecord): PaymentItem | null =>
  payment && {
    uuid: payment.uuid,
    order: header.id,
    order_uuid: header.uuid,
    type: header.payment_type,
    amount: totalCents(header.gross),
    currency: 'EUR',
    status: 'created',
    ...unopenedFields,
    return_url: payment.return_url,
    cancel_url: payment.cancel_url,
    crstamp: header.crstamp,
  }

/** The sold items with the stock that is left after this sale, 0 where it is not counted. */
const withStockLeft = ({ positions, package: packageLine }: SoldItems, stock: Stock): SoldItems => {
  const taken = takenOf(positions, stock)
  const leftOf = (type: string, id: number) => {
    const one = taken.find(counted => counted.type === type && counted.id === id)
    return one ? (stock[one.type].get(id) ?? 0) - one.quantity : 0
  }
  const shown = positions.map(line => ({
    ...line,
    item: { ...line.item, quantity: leftOf(line.item_type, line.item_id) },
  }))
  return { positions: shown, package: packageLine }
}

/** Gives a draft its numbers, its time and its documents. Does not check that the stock suffices. */
export const prepare = (draft: Draft, present: Present): PreparedOrder => {
  const sold = withStockLeft(draft.sold, present.stock)
  const parts = packSold(sold)
  const { order, numbers } = numberDraft(draft, present, parts.length)
  const { newParties, basketVersion, idempotencyKey, requestHash } = draft
  const payment = paymentOf(draft, order)
  return { order, sold, parts, numbers, newParties, basketVersion, payment, idempotencyKey, requestHash }
}

/** Closes the basket; while the order waits for an external payment the buyer may open it again. */
const basketAction = (merchant: MerchantId, basket: string, prepared: PreparedOrder): Action => {
  const { order, basketVersion, requestHash: hash } = prepared
  const { id, uuid, status } = order.header
  const ordered = { uuid, hash, id, version: basketVersion ?? 0, waits: status === 'new' }
  // An item that was put into it meanwhile must not get lost between basket and order.
  return update('basket', key('basket', { merchant, uuid: basket }), { set: { ordered } }, [
    equals('version', basketVersion ?? 0),
    { attribute: 'ordered', is: 'absent' },
  ])
}

const paymentActions = (merchant: MerchantId, payment: PaymentItem): Action[] => [
  put('payment', key('payment', { merchant, uuid: payment.uuid }), payment, {
    when: [absent],
    index: taskKeyOf(payment) ?? undefined,
  }),
  // The provider's events name the payment, but no merchant.
  put('owner', key('paymentOwner', { payment: payment.uuid }), { customers_id: merchant }, { when: [absent] }),
]

/** The actions that place an order, except those for numbers and stock. */
export const actionsOf = (merchant: MerchantId, prepared: PreparedOrder): Action[] => {
  const { order, parts, newParties, payment, idempotencyKey, requestHash } = prepared
  const { id, uuid } = order.header
  return [
    addOrder(merchant, order),
    ...outboxActions(merchant, order),
    put('uuid', key('orderUuid', { merchant, uuid }), { id }, { when: [absent] }),
    ...parts.map((doc, part) => put(`part ${part}`, partKey(merchant, id, part), { doc }, { when: [absent] })),
    ...partyActions(merchant, newParties),
    ...(order.basket ? [basketAction(merchant, order.basket, prepared)] : []),
    ...(payment ? paymentActions(merchant, payment) : []),
    ...(idempotencyKey ? [idempotencyAction(merchant, idempotencyKey, { uuid, hash: requestHash })] : []),
  ]
}

/** The stock that some orders take together. */
const stockTaken = (orders: readonly PreparedOrder[]): CountedStock[] => {
  const counted = orders.flatMap(({ order }) => order.counted)
  return [...Map.groupBy(counted, ({ type, id }) => `${type} ${id}`).values()].flatMap(same =>
    same.slice(0, 1).map(one => ({ ...one, quantity: same.reduce((sum, { quantity }) => sum + quantity, 0) })),
  )
}

/** The transaction that places some orders, by the actions of each; `before` are the merchant's numbers as they were read. */
export const placeActions = (
  merchant: MerchantId,
  before: Numbers,
  orders: readonly PreparedOrder[],
  actions: readonly Action[],
): Action[] => [
  ...updateNumbers(merchant, before, orders.at(-1)?.numbers ?? before),
  ...actions,
  ...stockTaken(orders).map(counted => takeStock(merchant, counted)),
]
