import * as v from 'valibot'
import { paymentTypes, statuses } from '../orders/states.ts'
import { route } from './route.ts'
import { between, Flag, Id, list, Money, optionalLines, paging, Timestamp, text, Uuid, word } from './wire.ts'

export const relations = ['client', 'billing', 'delivery', 'items', 'documents', 'user'] as const
const invoiceTypes = ['net', 'gross'] as const

export type Relation = (typeof relations)[number]

const nullableText = v.nullable(v.string())
const money = { net: v.string(), tax: v.string(), gross: v.string() }
const Sum = v.strictObject(money)
const record = v.record(v.string(), v.unknown())

/** A line of an order (interface document 2.3); amounts are line totals, `item` is the record as it was sold. */
export const Position = v.strictObject({
  id: v.number(),
  sorting: v.number(),
  item_type: word(['wine', 'product', 'package']),
  name: v.string(),
  item_id: v.number(),
  quantity: v.number(),
  ...money,
  taxrate: v.number(),
  order_id: v.number(),
  invoice_id: v.nullable(v.number()),
  delivery_note_id: v.nullable(v.number()),
  credit_advice_id: v.nullable(v.number()),
  crstamp: Timestamp,
  chstamp: Timestamp,
  cruser_id: v.number(),
  customers_id: v.number(),
  client_id: v.nullable(v.number()),
  item: record,
})

const Rebate = v.strictObject({ name: v.string(), ...money, quantity: v.number() })

const document = {
  id: v.number(),
  uuid: v.string(),
  order_id: v.number(),
  number: v.string(),
  delivery_type: v.string(),
  delivery_id: v.nullable(v.number()),
  status: word(statuses),
  remark: nullableText,
  crstamp: Timestamp,
  cruser_id: v.number(),
  chstamp: Timestamp,
  customers_id: v.number(),
  client_id: v.nullable(v.number()),
}

const sums = {
  taxrates: v.record(v.string(), Sum),
  ...money,
  item_net: v.string(),
  item_tax: v.string(),
  item_gross: v.string(),
  rebate: v.number(),
  rebate_net: v.string(),
  rebate_tax: v.string(),
  rebate_gross: v.string(),
  cashback: v.number(),
  gross_cashback: v.string(),
  cashback_period: v.number(),
}

const terms = {
  billing_type: word(['client', 'address']),
  billing_id: v.number(),
  payment_type: word(paymentTypes),
  payment_period: v.number(),
  invoice_type: word(invoiceTypes),
  tax_free: Flag,
}

export const Invoice = v.strictObject({ ...document, ...terms, ...sums, delivery_note_id: v.nullable(v.number()) })
export const DeliveryNote = v.strictObject({ ...document, invoice_id: v.nullable(v.number()) })

export const Documents = v.strictObject({
  invoices: v.array(Invoice),
  deliveryNotes: v.array(DeliveryNote),
  payments: v.array(record),
  creditAdvices: v.array(record),
})

/** An order without its relations (interface document 2.1). */
const header = {
  id: v.number(),
  uuid: v.string(),
  number: v.string(),
  ...terms,
  delivery_type: word(['client', 'address', 'none']),
  delivery_id: v.nullable(v.number()),
  delivery_note_remark: nullableText,
  status: word(statuses),
  ...sums,
  source: v.string(),
  crstamp: Timestamp,
  chstamp: Timestamp,
  cruser_id: v.number(),
  customers_id: v.number(),
  client_id: v.nullable(v.number()),
  client_remark: nullableText,
  invoice_remark: nullableText,
  note: nullableText,
  touched: v.number(),
  fixed: v.boolean(),
  paid: v.boolean(),
  cruser_name: v.string(),
}

export const Header = v.strictObject(header)

/** An order with whatever relations were asked for. */
export const Order = v.strictObject({
  ...header,
  client: v.optional(v.nullable(record)),
  billing: v.optional(v.nullable(record)),
  delivery: v.optional(v.nullable(record)),
  positions: v.optional(v.array(Position)),
  package: v.optional(v.nullable(Position)),
  rebates: v.optional(v.array(Rebate)),
  documents: v.optional(Documents),
  user: v.optional(v.strictObject({ id: v.number(), name: v.string() })),
})

export type Header = v.InferOutput<typeof Header>
export type Order = v.InferOutput<typeof Order>
export type Position = v.InferOutput<typeof Position>
export type Rebate = v.InferOutput<typeof Rebate>
export type Documents = v.InferOutput<typeof Documents>

const known = new Set<string>(relations)

/** The relations an answer shall carry: a list, or words separated by commas. */
const include = (usual: readonly Relation[]) =>
  v.pipe(
    v.nullish(v.union([v.string(), list(v.string(), 20)]), [...usual]),
    v.transform(words => (typeof words === 'string' ? words.split(',') : words).map(one => one.trim()).filter(Boolean)),
    v.check(words => words.every(one => known.has(one)), `one_of: one of ${relations.join(', ')}`),
    v.transform(words => new Set(words as Relation[])),
  )

/** An ordered wine: the catalogue decides its price. */
const WineItem = v.object({ item_type: v.literal('wine'), item_id: Id, quantity: between(1, 9999) })

/** The data of orders/add. */
export const NewOrder = v.object({
  source: v.nullish(text(), 'unknown'),
  billing_type: v.nullish(word(['client', 'address']), 'client'),
  billing_id: Id,
  delivery_type: v.nullish(word(['client', 'address', 'none'])),
  delivery_id: v.nullish(Id),
  invoice_type: v.nullish(word(invoiceTypes), 'gross'),
  payment_type: v.nullish(word(paymentTypes)),
  payment_period: v.nullish(between(0, 365)),
  items: list(WineItem, 50),
  net: v.nullish(Money),
  tax: v.nullish(Money),
  gross: v.nullish(Money),
  delivery_note_remark: v.nullish(optionalLines(4000)),
  client_remark: v.nullish(optionalLines(4000)),
  invoice_remark: v.nullish(optionalLines(4000)),
  note: v.nullish(optionalLines(4000)),
})

export type NewOrder = v.InferOutput<typeof NewOrder>

const undecided = v.object({})

export const ordersAdd = route({
  path: '/service/orders/add',
  level: 'service',
  touches: {
    merchant: ['batchGet'],
    numbers: ['batchGet', 'update'],
    client: ['batchGet', 'get'],
    address: ['batchGet'],
    wine: ['batchGet'],
    order: ['put'],
    orderItems: ['put'],
    orderUuid: ['put', 'get'],
  },
  body: v.object({ data: NewOrder }),
  answer: Order,
  fails: [
    'empty_order',
    'reference_not_found',
    'item_not_found',
    'item_unavailable',
    'price_mismatch',
    'payment_type_not_allowed',
  ],
  says: 'Places an order; the catalogue decides the prices.',
})

export const ordersGet = route({
  path: '/service/orders/get',
  level: 'service',
  touches: { order: ['batchGet'], orderItems: ['batchGet'], orderUuid: ['get'] },
  body: v.object({
    id: v.nullish(Id),
    uuid: v.nullish(Uuid),
    include: include(['client', 'billing', 'delivery', 'documents', 'items']),
  }),
  answer: Order,
  fails: ['missing_identifier', 'identifier_conflict', 'order_not_found'],
  says: 'Reads one order by id or uuid, with the relations asked for.',
})

export const ordersGetAll = route({
  path: '/service/orders/getAll',
  level: 'service',
  form: 'list',
  touches: { order: ['query'], orderItems: ['batchGet'], numbers: ['get'] },
  body: v.object({ include: include(['billing', 'delivery']), ...paging }),
  answer: Order,
  says: 'Lists orders, the newest first.',
})

export const checkoutFinish = route({
  path: '/service/orders/checkout/finish',
  level: 'service',
  body: undecided,
  answer: Order,
  says: 'Finishes an order whose payment was made with an external payment method.',
})

export const checkoutCancel = route({
  path: '/service/orders/checkout/cancel',
  level: 'service',
  body: undecided,
  answer: Order,
  says: 'Cancels an order.',
})
