import type { Address } from '../contract/records/address.ts'
import { type Client, completeClient, type ShownClient, shownClient } from '../contract/records/client.ts'
import { highestAge, soldInformation } from '../contract/records/consumer-information.ts'
import type { Documents, Header, Order, Position } from '../contract/records/order.ts'
import { type OrderRelation, orderRelations } from '../contract/vocabulary.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { type Side, withOwnPrices } from '../values/money.ts'
import type { Line, OrderRecord, SoldItems } from './record.ts'
import { type OrderOwner, type StoredOrder, soldOf } from './store.ts'

// Delivery notes from before these were kept lack them.
const noShipping = { carrier: null, tracking: null }

// Sellers from before their time zone was kept lack it.
const noTimezone = { timezone: null }

const documentsOf = ({ header, documents }: OrderRecord): Documents => {
  const stamp = { status: header.status, chstamp: header.chstamp }
  const withStamps = <T>(all: T[]) => all.map(one => ({ ...one, ...stamp }))
  const invoices = withStamps(documents.invoices).map(one => ({
    ...one,
    seller: one.seller ? { ...noTimezone, ...one.seller } : null,
  }))
  const notes = documents.deliveryNotes.map(note => ({ ...noShipping, ...note }))
  return { ...documents, invoices, deliveryNotes: withStamps(notes) }
}

const lastId = (documents: readonly { id?: unknown }[]): number | null => {
  const id = documents.at(-1)?.id
  return typeof id === 'number' ? id : null
}

/** The credit advices of a position: for pieces of it, or for the whole invoice. */
const advicesOf = ({ creditAdvices }: Pick<Documents, 'creditAdvices'>, position: number) =>
  creditAdvices.filter(({ lines }) => !lines || lines.some(one => one.position_id === position))

/** The id of a position: an order has up to 50 lines and a package, so two digits suffice. */
export const positionId = (order: number, sorting: number): number => order * 100 + sorting

/** The side of the prices that an order shows. */
export const sideOf = ({ tax_free, invoice_type }: Header): Side => (tax_free ? 'net' : invoice_type)

const positionOf = ({ header, documents }: OrderRecord, line: Line, sorting: number): Position => ({
  id: positionId(header.id, sorting),
  sorting,
  ...line,
  order_id: header.id,
  invoice_id: lastId(documents.invoices),
  delivery_note_id: lastId(documents.deliveryNotes),
  credit_advice_id: lastId(advicesOf(documents, positionId(header.id, sorting))),
  crstamp: header.crstamp,
  chstamp: header.chstamp,
  cruser_id: header.cruser_id,
  customers_id: header.customers_id,
  client_id: header.client_id,
  ...soldInformation(line, sideOf(header)),
})

const itemFor = (item: Line['item'], client: OrderOwner): Line['item'] =>
  Array.isArray(item.prices) ? withOwnPrices({ ...item, prices: item.prices }, client) : item

const linesOf = (order: OrderRecord, { positions: lines, package: packageLine }: SoldItems, client: OrderOwner) => {
  const positions = lines.map((line, n) => positionOf(order, { ...line, item: itemFor(line.item, client) }, n + 1))
  return {
    positions,
    min_age: highestAge(positions),
    package: packageLine && positionOf(order, packageLine, lines.length + 1),
    rebates: order.rebates,
  }
}

// Older orders lack newer fields.
const frozenClient = (client: Client): ShownClient => shownClient(completeClient(client))

/** How much of an order's invoice is credited; credits from before parts were credited are of the whole. */
const creditedOf = ({ credited, documents }: OrderRecord): Order['credited'] =>
  credited ?? (documents.creditAdvices.length > 0 ? 'whole' : 'none')

const shownParty = (party: Client | Address | null): ShownClient | Address | null =>
  party && 'number' in party ? frozenClient(party) : party

/**
 * The form of an order that the interface shows, with the relations in `include`; `sold` is needed for `items` only. Of the
 * prices for price ranges in frozen records, a signed-in client sees only its own.
 */
export const orderView = (
  order: OrderRecord,
  include: ReadonlySet<OrderRelation>,
  sold?: SoldItems,
  client?: OrderOwner,
): Order => ({
  ...order.header,
  credited: creditedOf(order),
  ...(include.has('client') && { client: order.client && frozenClient(order.client) }),
  ...(include.has('billing') && { billing: shownParty(order.billing) }),
  ...(include.has('delivery') && { delivery: shownParty(order.delivery) }),
  ...(include.has('items') && sold && linesOf(order, sold, client)),
  ...(include.has('documents') && { documents: documentsOf(order) }),
  ...(include.has('user') && { user: { id: order.header.cruser_id, name: order.header.cruser_name } }),
})

/** The relations in the answer to a request that wrote an order. */
export const allRelations: ReadonlySet<OrderRelation> = new Set(orderRelations.filter(relation => relation !== 'user'))

/** The view of an order in the answer to a request that wrote it. */
export const writtenOrder = async (merchant: MerchantId, stored: StoredOrder, client?: OrderOwner): Promise<Order> =>
  orderView(stored.order, allRelations, await soldOf(merchant, stored), client)
