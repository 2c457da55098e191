import * as v from 'valibot'
import { commonEntries } from '../schema/fields.ts'
import { described, Flag, word } from '../schema/wire.ts'
import {
  billingTypes,
  credited,
  deliveryTypes,
  documentNames,
  invoiceTypes,
  type OrderRelation,
  paymentSteps,
  paymentTypes,
  positionTypes,
  refunds,
  statuses,
} from '../vocabulary.ts'
import { Address } from './address.ts'
import { ShownClient } from './client.ts'
import { consumerInformation, MinAge } from './consumer-information.ts'

const id = v.number()
const nullableId = v.nullable(id)
const text = v.string()
const nullableText = v.nullable(text)

const money = (amount: string) => ({
  net: described(text, `${amount} without tax, in euros.`),
  tax: described(text, `Tax of the ${amount.toLowerCase()}, in euros.`),
  gross: described(text, `${amount} with tax, in euros.`),
})
const Sum = v.strictObject(money('Total at this tax rate'))

const client_id = described(nullableId, 'Id of the ordering client; null if the order has none.')
const idOfDocument = (what: string) => described(nullableId, `Id of the ${what}; null if there is none.`)

/** A line of an order; amounts are line totals, `item` is the record as it was sold. */
export const Position = v.strictObject({
  id: described(id, 'Id of the position.'),
  sorting: described(v.number(), 'Rank of the position in its order, from 1.'),
  item_type: described(word(positionTypes), 'Kind of the item.'),
  name: described(text, 'Name of the item as it was sold.'),
  item_id: described(id, 'Id of the wine, product or package.'),
  quantity: described(v.number(), 'Number of pieces.'),
  ...money('Line total'),
  taxrate: described(v.number(), 'Tax rate in percent; 0 in a tax-free order.'),
  order_id: described(id, 'Id of the order.'),
  invoice_id: idOfDocument('invoice'),
  delivery_note_id: idOfDocument('delivery note'),
  credit_advice_id: idOfDocument('credit advice'),
  ...commonEntries,
  client_id,
  item: described(v.record(text, v.unknown()), 'The wine, product or package as it was when the order was placed.'),
  ...consumerInformation,
})

export const Rebate = v.strictObject({
  name: described(text, 'Name of the rebate.'),
  ...money('Total of the rebate (0.00 or less)'),
  quantity: described(v.number(), 'Number of times the rebate was given.'),
})

const status = described(word(statuses), 'Status of the order.')

const delivery = {
  delivery_type: described(word(deliveryTypes), 'Kind of record the goods go to; `none` if the buyer collects them.'),
  delivery_id: described(nullableId, 'Id of that client or address; null if the buyer collects the goods.'),
}

/** The common fields of an order's documents, in the order of the interface. */
const document = (name: string) => ({
  id: described(id, `Id of the ${name}.`),
  uuid: described(text, `UUID of the ${name}.`),
  order_id: described(id, 'Id of the order.'),
  number: described(text, `Number of the ${name}, in the merchant’s format, such as \`R-5\`; counted without gaps.`),
  ...delivery,
  status,
  remark: described(nullableText, `Text on the ${name}.`),
  crstamp: commonEntries.crstamp,
  cruser_id: commonEntries.cruser_id,
  chstamp: commonEntries.chstamp,
  customers_id: commonEntries.customers_id,
  client_id,
})

const sums = {
  taxrates: described(v.record(text, Sum), 'Totals by tax rate in percent, as `{"19": {"net": …}}`.'),
  ...money('Order total'),
  item_net: described(text, 'Value of the goods without tax, in euros.'),
  item_tax: described(text, 'Tax of the goods, in euros.'),
  item_gross: described(text, 'Value of the goods with tax, in euros.'),
  rebate: described(v.number(), "The client's rebate when the order was placed, in percent."),
  rebate_net: described(text, 'Sum of all rebates without tax, in euros; 0.00 or less.'),
  rebate_tax: described(text, 'Tax of all rebates, in euros; 0.00 or less.'),
  rebate_gross: described(text, 'Sum of all rebates with tax, in euros; 0.00 or less.'),
  cashback: described(v.number(), 'Discount for early payment, in percent.'),
  gross_cashback: described(text, 'Order total with tax less that discount, in euros.'),
  cashback_period: described(v.number(), 'Days within which early payment earns the discount.'),
}

const terms = {
  billing_type: described(word(billingTypes), 'Kind of record the bill goes to.'),
  billing_id: described(id, 'Id of that client or address.'),
  payment_type: described(word(paymentTypes), 'Payment type.'),
  payment_period: described(v.number(), 'Days within which the invoice must be paid.'),
  invoice_type: described(
    word(invoiceTypes),
    'Prices that the order is calculated from: without tax (`net`) or with it.',
  ),
  tax_free: described(Flag, '1 if the order is free of tax.'),
}

const ofSeller = (what: string) => described(nullableText, `${what}; null if it was not set.`)

const ifSet = (what: string) => described(v.optional(text), `${what}; missing if it was not set.`)

/** The seller of an invoice: the merchant as it was when the order was invoiced. */
export const Seller = v.strictObject({
  name: described(text, 'Name of the merchant.'),
  company: ofSeller('Company name'),
  address: ofSeller('Street and house number'),
  zip: ofSeller('Postal code'),
  city: ofSeller('Town'),
  countrycode: ofSeller('Country, as two letters'),
  phone: ofSeller('Telephone number'),
  mail: ofSeller('Mail address for buyers'),
  www: ofSeller('Website'),
  contact_person: ofSeller('Person or department that answers questions'),
  taxid: ofSeller('Tax number'),
  vatid: ofSeller('VAT number'),
  tax_free_reason: ofSeller('Reason for selling without tax'),
  creditor_id: ifSet('SEPA creditor identifier'),
  register_number: ifSet('Number in the commercial register'),
  legal_note: ifSet('What letters of the company must say'),
  organic_code: ifSet('Code of the control body for organic goods'),
  timezone: described(nullableText, 'Time zone of the days on its documents; null in older invoices.'),
  bank: described(
    v.strictObject({
      owner: ofSeller('Holder of the account'),
      iban: ofSeller('IBAN'),
      bic: ofSeller('BIC of the bank'),
      name: ofSeller('Name of the bank'),
    }),
    'Account for transfers.',
  ),
})

export type Seller = v.InferOutput<typeof Seller>

export const Invoice = v.strictObject({
  ...document('invoice'),
  ...terms,
  ...sums,
  delivery_note_id: idOfDocument('delivery note'),
  seller: described(v.nullable(Seller), 'The merchant as it was when the order was invoiced; null in older invoices.'),
})

/** How goods are sent. */
export const shipping = {
  carrier: described(nullableText, 'Carrier of the goods; null if it is not known.'),
  tracking: described(nullableText, 'Number or address by which the carrier shows where they are; null without one.'),
}

export const DeliveryNote = v.strictObject({
  ...document('delivery note'),
  invoice_id: idOfDocument('invoice'),
  ...shipping,
})

const {
  delivery_type: _type,
  delivery_id: _id,
  status: _status,
  chstamp: _chstamp,
  ...unstamped
} = document('credit advice')

/** Credited pieces of a position or the package, as the invoice has them: without its rebates. */
export const CreditLine = v.strictObject({
  position_id: described(id, 'Id of the position, or of the package.'),
  item_type: described(word(positionTypes), 'Kind of the item.'),
  item_id: described(id, 'Id of the wine, product or package.'),
  name: described(text, 'Name of the item as it was sold.'),
  quantity: described(v.number(), 'Number of credited pieces.'),
  ...money('Total of these pieces'),
  taxrate: described(v.number(), 'Tax rate in percent; 0 in a tax-free order.'),
})

/** A credit for an invoice: of the whole, or of the lines that it has. */
export const CreditAdvice = v.strictObject({
  ...unstamped,
  ...terms,
  ...sums,
  invoice_id: idOfDocument('invoice'),
  lines: described(
    v.optional(v.array(CreditLine)),
    'Credited pieces; the totals are less by their share of the rebates. Missing if the whole invoice is credited because its order was cancelled.',
  ),
  refund: described(
    v.optional(word(refunds)),
    'Way in which the money goes back: by the payment provider, by the merchant, or not at all.',
  ),
  restocked: described(v.optional(Flag), '1 if the credited pieces are back in stock.'),
})

const amount = described(text, 'Amount in the currency, with two decimals.')
const currency = described(text, 'Currency, as `EUR`.')
const external_id = described(nullableText, 'Id of the payment at its provider; null without one.')
const paymentUuid = described(text, 'UUID of the payment.')

/** Money received for an order, by a provider or recorded by the merchant. */
export const Received = v.strictObject({
  uuid: paymentUuid,
  payment_type: described(word(paymentTypes), 'Payment type.'),
  amount,
  currency,
  external_id,
  payer_id: described(nullableText, 'Id of the payer at the provider; null without one.'),
  crstamp: described(commonEntries.crstamp, 'Time at which the money was recorded, UTC.'),
})

export const Documents = v.strictObject({
  invoices: described(v.array(Invoice), 'Invoices of the order.'),
  deliveryNotes: described(v.array(DeliveryNote), 'Delivery notes of the order.'),
  payments: described(v.array(Received), 'Payments received.'),
  creditAdvices: described(v.array(CreditAdvice), 'Credit advices of the order.'),
})

const remarks = {
  client_remark: described(nullableText, "The buyer's remark."),
  invoice_remark: described(nullableText, 'Text on the invoice.'),
  note: described(nullableText, "The merchant's own note."),
}

/** An order without its relations. */
const header = {
  id: described(id, "Id of the order; the merchant's ids count up without gaps."),
  uuid: described(text, 'UUID of the order.'),
  number: described(text, 'Order number for people.'),
  ...terms,
  ...delivery,
  delivery_note_remark: described(nullableText, 'Text on the delivery note.'),
  status,
  ...sums,
  source: described(text, 'Origin of the order, as `shop` or `manual`.'),
  crstamp: commonEntries.crstamp,
  chstamp: commonEntries.chstamp,
  cruser_id: commonEntries.cruser_id,
  customers_id: commonEntries.customers_id,
  client_id,
  ...remarks,
  touched: described(v.number(), 'Time at which the order was marked as read, in Unix seconds; 0 before.'),
  fixed: described(v.boolean(), 'True once the order has an invoice.'),
  paid: described(v.boolean(), 'True once the order is paid.'),
  cruser_name: described(text, 'Name of the API token that created the order.'),
}

export const Header = v.strictObject(header)

const Party = v.union([ShownClient, Address])

/** A part of an order that is present only if `include` names its relation. */
const relationField = <Schema extends v.GenericSchema>(relation: OrderRelation, schema: Schema, sentence: string) =>
  described(v.optional(schema), `${sentence} Present if \`include\` names \`${relation}\`.`)

const User = v.strictObject({
  id: described(id, 'Number of the API token.'),
  name: described(text, 'Name of the API token.'),
})

/** An order with the requested relations. */
export const Order = v.strictObject({
  ...header,
  credited: described(word(credited), 'How much of the invoice is credited.'),
  client: relationField('client', v.nullable(ShownClient), 'Client as it was when the order was placed.'),
  billing: relationField('billing', v.nullable(Party), 'Client or address that the bill goes to, as it was then.'),
  delivery: relationField('delivery', v.nullable(Party), 'Client or address that the goods go to, as it was then.'),
  positions: relationField('items', v.array(Position), 'Wines and products.'),
  min_age: relationField('items', MinAge, 'Highest minimum age of its positions; null without one.'),
  package: relationField('items', v.nullable(Position), 'Shipping; null without a package.'),
  rebates: relationField('items', v.array(Rebate), 'Rebates.'),
  documents: relationField(
    'documents',
    Documents,
    'Invoices, delivery notes and credit advices, whose PDFs `orders/getDocument` links to, and payments.',
  ),
  user: relationField('user', User, 'API token that created the order.'),
})

/** A document that a step of an order wrote. */
const DocumentReference = v.strictObject({
  document: described(word(documentNames), 'Kind of the document.'),
  number: described(text, 'Number of the document.'),
})

/** Money that came or went back with a step of an order. */
const PaymentStep = v.strictObject({
  uuid: described(nullableText, 'UUID of the payment; null for money that was not paid at a provider.'),
  amount: described(text, 'Amount in the currency of the payment, with two decimals; below 0.00 if it goes back.'),
  state: described(
    word(paymentSteps),
    'What happened to it: `received`; `refund_due` at the provider, `refunded` by it for this service, `returned` by it for others; given back `by_hand`, or by the merchant `at_provider`.',
  ),
})

/** A step in the history of an order; null where a step from before this was recorded lacks it. */
export const OrderStep = v.strictObject({
  at: described(text, 'Time of the step, UTC.'),
  event: described(text, 'What happened, as `add`, `payment_completed`, `ship`, `shipping_changed` or `credit`.'),
  actor: described(text, 'Name of the API token, or of the job of the service.'),
  status: described(v.nullable(word(statuses)), 'Status of the order after it.'),
  documents: described(v.nullable(v.array(DocumentReference)), 'Documents that it wrote.'),
  payment: described(v.nullable(PaymentStep), 'Money that it brought or gave back.'),
  remark: described(nullableText, 'Text that was given with it.'),
})

export type CreditAdvice = v.InferOutput<typeof CreditAdvice>
export type DocumentReference = v.InferOutput<typeof DocumentReference>
export type PaymentStep = v.InferOutput<typeof PaymentStep>
export type OrderStep = v.InferOutput<typeof OrderStep>
export type Header = v.InferOutput<typeof Header>
export type Order = v.InferOutput<typeof Order>
export type Position = v.InferOutput<typeof Position>
export type Rebate = v.InferOutput<typeof Rebate>
export type Documents = v.InferOutput<typeof Documents>

/** A payment at an external provider, as add and finish show it. */
export const Payment = v.strictObject({
  uuid: paymentUuid,
  type: described(word(paymentTypes), 'Payment type.'),
  status: described(
    text,
    'State of the payment: `created`, `open`, `capturing`, `captured`, `pending`, `declined`, `cancelled`, `refund_due`, `refund_pending`, `refunded`, `refunded_in_part` or `review`.',
  ),
  amount,
  currency,
  external_id,
  target_url: described(nullableText, "The provider's page on which the buyer pays; null without one."),
})

export type Payment = v.InferOutput<typeof Payment>

/** A payment as a shop's return page is shown it: paid or pending. */
export const ExecutedPayment = v.strictObject({
  ...Payment.entries,
  status: described(
    word(['payed', 'pending']),
    '`payed` if the money is there, `pending` if the outcome is not known.',
  ),
})

export type ExecutedPayment = v.InferOutput<typeof ExecutedPayment>
