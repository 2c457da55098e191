import { unasked } from '../../payments/record.ts'
import type { PaymentItem } from '../../platform/table/items.ts'
import { parseTotal } from '../../values/money.ts'
import { timestamp } from '../../values/time.ts'
import { applyEvent, noDocuments, withDocuments } from '../documents.ts'
import type { Numbers } from '../numbering/numbers.ts'
import { type OrderRecord, packSold, type SoldItems } from '../record.ts'
import { documentsOnEnter } from '../states.ts'
import { takenOf } from './goods.ts'
import type { Draft } from './laid-down.ts'
import type { PreparedOrder } from './place-actions.ts'
import type { Stock } from './references.ts'

/** The numbers and the stock at the moment at which an order is written. */
export type Present = { numbers: Numbers; stock: Stock }

type Composed = { order: OrderRecord; numbers: Numbers }

/** An order without anything to pay as its payment would leave it: no provider takes 0.00, and nobody transfers it. */
const settled = ({ order, numbers }: Composed): Composed => {
  const { crstamp: now, cruser_name: actor } = order.header
  const effect = applyEvent(order, numbers, 'payment_completed', { now, actor })
  if (!('order' in effect)) throw new Error('a new order cannot be settled')
  return effect
}

/** The order with its numbers and documents. */
const numbered = (draft: Draft, { numbers: before, stock }: Present, parts: number): Composed => {
  const { client, billing, delivery, rebates, basket, payment, sold } = draft
  const [now, id] = [timestamp(Date.now()), before.orders + 1]
  const header = { ...draft.header, id, number: String(id), crstamp: now, chstamp: now }
  const kinds = documentsOnEnter(undefined, header.status, { collected: header.delivery_type === 'none' })
  const { documents, numbers } = withDocuments({ header, documents: noDocuments() }, before, kinds, now)
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
    history: [{ at: now, event: 'add', actor: header.cruser_name }],
    parts,
  }
  const composed = { order, numbers: { ...numbers, orders: id } }
  return header.gross === '0.00' ? settled(composed) : composed
}

const centsOf = ({ gross }: OrderRecord['header']): number => {
  const cents = parseTotal(gross)
  if (cents === undefined) throw new Error(`nobody can pay an order of ${gross}`)
  return cents
}

const paymentOf = ({ payment }: Draft, { header }: OrderRecord): PaymentItem | null =>
  payment && {
    uuid: payment.uuid,
    order: header.id,
    order_uuid: header.uuid,
    type: header.payment_type,
    amount: centsOf(header),
    currency: 'EUR',
    status: 'created',
    ...unasked,
    return_url: payment.return_url,
    cancel_url: payment.cancel_url,
    crstamp: header.crstamp,
  }

/** What was sold as the interface shows it: with the stock that is left after this sale, 0 where it is not counted. */
const withShownStock = ({ positions, package: parcel }: SoldItems, stock: Stock): SoldItems => {
  const taken = takenOf(positions, stock)
  const leftOf = (type: string, id: number) => {
    const one = taken.find(counted => counted.type === type && counted.id === id)
    return one ? (stock[one.type].get(id) ?? 0) - one.quantity : 0
  }
  const shown = positions.map(line => ({
    ...line,
    item: { ...line.item, quantity: leftOf(line.item_type, line.item_id) },
  }))
  return { positions: shown, package: parcel }
}

/** Gives an order its numbers, and what it takes of the stock. Nothing is written, nor whether there is enough checked. */
export const prepare = (draft: Draft, present: Present): PreparedOrder => {
  const sold = withShownStock(draft.sold, present.stock)
  const parts = packSold(sold)
  const { order, numbers } = numbered(draft, present, parts.length)
  const { newParties, basketVersion, idempotencyKey, requestHash } = draft
  const payment = paymentOf(draft, order)
  return { order, sold, parts, numbers, newParties, basketVersion, payment, idempotencyKey, requestHash }
}
