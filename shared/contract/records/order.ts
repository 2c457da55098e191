import * as v from 'valibot'
import {
  billingTypes,
  deliveryTypes,
  invoiceTypes,
  type OrderRelation,
  paymentTypes,
  positionTypes,
  statuses,
} from '../vocabulary.ts'
import { Flag, Timestamp, word } from '../wire.ts'
import { Address } from './address.ts'
import { ShownClient } from './client.ts'

const nullableText = v.nullable(v.string())
const money = { net: v.string(), tax: v.string(), gross: v.string() }
const Sum = v.strictObject(money)
const record = v.record(v.string(), v.unknown())

/** A line of an order (interface document 2.3); amounts are line totals, `item` is the record as it was sold. */
export const Position = v.strictObject({
  id: v.number(),
  sorting: v.number(),
  item_type: word(positionTypes),
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

export const Rebate = v.strictObject({ name: v.string(), ...money, quantity: v.number() })

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
  billing_type: word(billingTypes),
  billing_id: v.number(),
  payment_type: word(paymentTypes),
  payment_period: v.number(),
  invoice_type: word(invoiceTypes),
  tax_free: Flag,
}

export const Invoice = v.strictObject({ ...document, ...terms, ...sums, delivery_note_id: v.nullable(v.number()) })
export const DeliveryNote = v.strictObject({ ...document, invoice_id: v.nullable(v.number()) })

const { delivery_type: _type, delivery_id: _id, status: _status, chstamp: _chstamp, ...unstamped } = document

/** What is given back for an invoice whose order was cancelled. */
export const CreditAdvice = v.strictObject({ ...unstamped, ...terms, ...sums, invoice_id: v.nullable(v.number()) })

/** Money that arrived for an order, by a provider or by the merchant's hand. */
export const Received = v.strictObject({
  uuid: v.string(),
  payment_type: word(paymentTypes),
  amount: v.string(),
  currency: v.string(),
  external_id: nullableText,
  payer_id: nullableText,
  crstamp: Timestamp,
})

export const Documents = v.strictObject({
  invoices: v.array(Invoice),
  deliveryNotes: v.array(DeliveryNote),
  payments: v.array(Received),
  creditAdvices: v.array(CreditAdvice),
})

/** An order without its relations (interface document 2.1). */
const header = {
  id: v.number(),
  uuid: v.string(),
  number: v.string(),
  ...terms,
  delivery_type: word(deliveryTypes),
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

/** Whom an order is billed or sent to. */
const Party = v.union([ShownClient, Address])

/** What is there only where a relation is asked for. */
const related = <Schema extends v.GenericSchema>(relation: OrderRelation, schema: Schema) =>
  v.optional(v.pipe(schema, v.description(`There where \`include\` names \`${relation}\`.`)))

/** An order with whatever relations were asked for. */
export const Order = v.strictObject({
  ...header,
  client: related('client', v.nullable(ShownClient)),
  billing: related('billing', v.nullable(Party)),
  delivery: related('delivery', v.nullable(Party)),
  positions: related('items', v.array(Position)),
  package: related('items', v.nullable(Position)),
  rebates: related('items', v.array(Rebate)),
  documents: related('documents', Documents),
  user: related('user', v.strictObject({ id: v.number(), name: v.string() })),
})

export type Header = v.InferOutput<typeof Header>
export type Order = v.InferOutput<typeof Order>
export type Position = v.InferOutput<typeof Position>
export type Rebate = v.InferOutput<typeof Rebate>
export type Documents = v.InferOutput<typeof Documents>

/** A payment at an external provider, as add and finish show it. */
export const Payment = v.strictObject({
  uuid: v.string(),
  type: word(paymentTypes),
  status: v.string(),
  amount: v.string(),
  currency: v.string(),
  external_id: nullableText,
  target_url: nullableText,
})

export type Payment = v.InferOutput<typeof Payment>

/** A payment as a shop's return page is shown it: paid, or on its way. */
export const ExecutedPayment = v.strictObject({ ...Payment.entries, status: word(['payed', 'pending']) })

export type ExecutedPayment = v.InferOutput<typeof ExecutedPayment>
