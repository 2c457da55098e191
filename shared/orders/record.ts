import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { CountedStock } from '../catalogue/goods.ts'
import type { Address } from '../contract/records/address.ts'
import type { Client } from '../contract/records/client.ts'
import type { Documents, Header, OrderStep, Rebate, Seller } from '../contract/records/order.ts'
import { abridgedBytes, abridgedRecord } from '../contract/records/size.ts'
import type { OrderItem, OrderItemsPart } from '../platform/table/items.ts'

/** A line as it was sold: amounts are line totals with two decimals, `item` is the record of that moment. */
export type Line = {
  item_type: 'wine' | 'product' | 'package'
  item_id: number
  name: string
  quantity: number
  net: string
  tax: string
  gross: string
  taxrate: number
  item: Record<string, unknown>
}

/** The sold lines; stored apart from the order, so that lists and status changes need not read them. */
export type SoldItems = { positions: Line[]; package: Line | null }

type Unstamped<T> = Omit<T, 'status' | 'chstamp'>
type DeliveryNote = Documents['deliveryNotes'][number]

/** How the goods of an order are sent. */
export type Shipping = Pick<DeliveryNote, 'carrier' | 'tracking'>

type StoredSeller = Omit<Seller, 'timezone'> & Partial<Pick<Seller, 'timezone'>>

/** Documents as they are stored; on read they repeat the order's status and change time. */
export type StoredDocuments = {
  /** Older orders lack the seller, or its time zone. */
  invoices: (Omit<Unstamped<Documents['invoices'][number]>, 'seller'> & { seller?: StoredSeller })[]
  /** Those from before carrier and tracking were kept lack them. */
  deliveryNotes: (Unstamped<Omit<DeliveryNote, keyof Shipping>> & Partial<Shipping>)[]
  payments: Documents['payments']
  creditAdvices: Documents['creditAdvices']
}

/**
 * A step of an order; `actor` is the user's name, `status` the status after it, `documents` those that it wrote,
 * `payment` the money that it brought or gave back. Steps from before these were stored lack them.
 */
export type HistoryEntry = { at: string; event: string; actor: string } & Partial<
  Pick<OrderStep, 'status' | 'documents' | 'payment' | 'remark'>
>

/** An order with the records that it froze when it was placed, without the sold lines. */
export type OrderRecord = {
  header: Header
  client: Client | null
  billing: Client | Address | null
  delivery: Client | Address | null
  documents: StoredDocuments
  rebates: Rebate[]
  counted: CountedStock[]
  /** UUIDs of the basket it was placed from and of its payment at an external provider. */
  basket: string | null
  payment: string | null
  /** The events, oldest first. */
  history: HistoryEntry[]
  /** How much of the invoice its credits cover; absent before the first credit. */
  credited?: 'part' | 'whole'
  /** The number of items with sold lines. */
  parts: number
}

/** An order with one more step in its history, which wrote no documents. */
export const withStep = (
  order: OrderRecord,
  { at, event, actor, payment = null, remark = null }: HistoryEntry,
): OrderRecord => {
  const step = { at, event, actor, status: order.header.status, documents: [], payment, remark }
  return { ...order, history: [...order.history, step] }
}

export const orderOf = ({ doc }: OrderItem): OrderRecord => JSON.parse(doc)

export const itemOf = (order: OrderRecord, version: number): OrderItem => ({
  uuid: order.header.uuid,
  version,
  doc: JSON.stringify(order),
})

// One item holds 400 KB at most, keys and names included.
const partBytes = 350_000

/** Compresses data as JSON; synchronously, because for a few kilobytes another thread would take longer. */
export const pack = (data: unknown): Buffer => zstdCompressSync(JSON.stringify(data))

export const unpack = (packed: Uint8Array) => JSON.parse(zstdDecompressSync(packed).toString())

// Lines of orders that are older than the limits of records.
const withShortItems = ({ positions, package: packageLine }: SoldItems): SoldItems => ({
  positions: positions.map(line => ({ ...line, item: abridgedRecord(line.item) })),
  package: packageLine,
})

/** Sold lines, compressed and cut into parts. */
export const packSold = (sold: SoldItems): Buffer[] => {
  const packed = pack(sold)
  // Stryker disable next-line ArithmeticOperator: It asks for hundreds of millions of parts, and the process that tries
  // it runs out of memory.
  return Array.from({ length: Math.ceil(packed.length / partBytes) }, (_, n) =>
    packed.subarray(n * partBytes, (n + 1) * partBytes),
  )
}

// The size of 50 lines with records of the largest size.
const usualBytes = 50 * (abridgedBytes + 1024)

/** Sold lines from all their parts, in order; abridged to what an answer can hold. */
export const unpackSold = (parts: readonly OrderItemsPart[]): SoldItems => {
  const json = zstdDecompressSync(Buffer.concat(parts.map(({ doc }) => doc)))
  const sold: SoldItems = JSON.parse(json.toString())
  return json.length > usualBytes ? withShortItems(sold) : sold
}

/** True if a payment at a provider is under an order's documents: the order took its money. */
export const showsPayment = ({ documents }: OrderRecord, payment: string): boolean =>
  documents.payments.some(({ uuid }) => uuid === payment)

/** The payment at a provider that paid an order; undefined if it is unpaid, or was paid in another way. */
export const payingPaymentOf = (order: OrderRecord): string | undefined =>
  order.payment && order.header.paid && showsPayment(order, order.payment) ? order.payment : undefined
