import * as v from 'valibot'
import { addressFields, isNamed } from '../records/address.ts'
import { Order, Payment } from '../records/order.ts'
import { route } from '../route.ts'
import {
  CountryCode,
  described,
  Flag,
  filled,
  Id,
  list,
  Money,
  nothingAsNull,
  optionalLines,
  requirement,
  saleInShop,
  Total,
  text,
  Uuid,
  wholeBetween,
  word,
} from '../schema/wire.ts'
import { billingTypes, deliveryTypes, genders, goodsTypes, invoiceTypes } from '../vocabulary.ts'
import { AskedPaymentType, OrderReference, writesOrders } from './checkout.ts'

const Goods = (type: (typeof goodsTypes)[number]) =>
  v.object({
    item_type: described(v.literal(type), 'Kind of the item.'),
    item_id: described(Id, `Id of the ${type}.`),
    quantity: described(wholeBetween(1, 9999), 'Number of pieces, 1 to 9999.'),
  })

/** An amount of a rebate: 0 or below. */
const Negative = v.pipe(Money, v.maxValue(0))

const RebateItem = v.object({
  item_type: described(v.literal('rebate'), 'Kind of the item.'),
  name: described(filled(), 'Name of the rebate, as the invoice shows it.'),
  net: described(Negative, 'Amount without tax, in euros; 0.00 or less.'),
  tax: described(Negative, 'Tax of the amount, in euros; 0.00 or less.'),
  gross: described(Negative, 'Amount with tax, in euros; 0.00 or less.'),
  quantity: described(v.nullish(wholeBetween(1, 9999), 1), 'Number of times the rebate is given.'),
})

/** An ordered item: its price is that of the catalogue; only rebates have amounts of their own. */
export const OrderedItem = v.variant('item_type', [
  ...goodsTypes.map(Goods),
  RebateItem,
  v.object({
    item_type: described(v.literal('package'), 'Kind of the item: a package instead of the one that would be chosen.'),
    item_id: described(Id, 'Id of the package.'),
  }),
])

const { title, first_name, last_name, name, company, address, address_supplement, zip, city, phone, mail } =
  addressFields

/** An address typed at the checkout, with or without a name; the default countrycode is that of the merchant. */
export const InlineDelivery = v.object({
  gender: described(
    v.optional(nothingAsNull(word(genders)), null),
    'Form of address: `m` Mr, `f` Ms, `d` neither, `fam` a family.',
  ),
  title: v.nullish(title, null),
  first_name: v.nullish(first_name, null),
  last_name: v.nullish(last_name, null),
  name: v.nullish(name, null),
  company: v.nullish(company, null),
  address,
  address_supplement: v.nullish(address_supplement, null),
  zip,
  city,
  countrycode: described(
    v.optional(nothingAsNull(CountryCode), null),
    "Country, as two letters in either case; the merchant's if left out.",
  ),
  phone: v.nullish(phone, null),
  mail: v.nullish(mail, null),
})

/** The address of a buyer, who has a name. */
export const InlineAddress = v.pipe(
  InlineDelivery,
  v.partialCheck(
    [['name'], ['last_name'], ['company']],
    requirement('named', 'given a name, last_name or company', isNamed),
  ),
)

const remark = (sentence: string) => described(v.nullish(optionalLines(4000), null), sentence)

const check = (amount: string) => `Expected ${amount}, in euros; another result is refused with \`price_mismatch\`.`

/** The data of orders/add, in both shapes: references to records, or addresses and a basket. */
export const NewOrder = v.pipe(
  v.object({
    source: described(v.nullish(text(), 'unknown'), 'Origin of the order, as `shop`.'),
    billing_type: described(
      v.nullish(word(billingTypes)),
      'Kind of record that `billing_id` names; `client` if left out.',
    ),
    billing_id: described(
      v.nullish(Id),
      'Id of the client or address that the bill goes to; this or `billing` is required.',
    ),
    billing: described(
      v.nullish(InlineAddress),
      'Address that the bill goes to. Without `client_id` and `billing_type` it becomes a new client, else an address.',
    ),
    delivery_type: described(
      v.nullish(word(deliveryTypes)),
      'Kind of record that `delivery_id` names; `none` if the buyer collects the goods.',
    ),
    delivery_id: described(
      v.nullish(Id),
      'Id of the client or address that the goods go to; the billing one if left out.',
    ),
    delivery: described(v.nullish(InlineDelivery), 'Address that the goods go to; it becomes an address record.'),
    client_id: described(v.nullish(Id), 'Id of the ordering client.'),
    invoice_type: described(
      v.nullish(word(invoiceTypes), 'gross'),
      'Prices that the order is calculated from: without tax (`net`) or with it.',
    ),
    payment_type: described(
      v.nullish(AskedPaymentType),
      "Payment type; the client's, the merchant's or `cash` if left out.",
    ),
    payment_period: described(
      v.nullish(wholeBetween(0, 365)),
      "Days within which the invoice must be paid; the client's if left out, else 14 (1 for `prepaid`).",
    ),
    items: described(v.nullish(list(OrderedItem, 50)), 'Items of the order, at most 50; or send `basket_uuid`.'),
    basket_uuid: described(v.nullish(Uuid), 'UUID of a basket whose items are ordered; overrides `items`.'),
    basket: described(v.nullish(Uuid), 'Another name of `basket_uuid`.'),
    return_url: described(
      v.nullish(text(2000)),
      'Absolute https URL to which the provider returns the buyer; required for `paypal` and `card`.',
    ),
    cancel_url: described(v.nullish(text(2000)), 'The same for a buyer who cancels.'),
    net: described(v.nullish(Total), check('total without tax')),
    tax: described(v.nullish(Total), check('tax')),
    gross: described(v.nullish(Total), check('total with tax')),
    delivery_note_remark: remark("Text on the delivery note; the client's if left out."),
    client_remark: remark("The buyer's remark."),
    invoice_remark: remark("Text on the invoice; the client's if left out."),
    note: remark("The merchant's own note."),
  }),
  // A delivery without names is for the billed person. First in the pipe, because an issue of the whole object would
  // suppress it.
  v.forward(
    v.partialCheck(
      [['delivery', 'name'], ['delivery', 'last_name'], ['delivery', 'company'], ['billing_id'], ['billing']],
      requirement('named', 'given a name, last_name or company', ({ delivery, billing_id, billing }) =>
        Boolean(!delivery || isNamed(delivery) || billing_id || billing),
      ),
    ),
    ['delivery'],
  ),
  v.partialCheck(
    [['billing_id'], ['billing']],
    requirement('billing', 'given billing_id or billing', data => Boolean(data.billing_id || data.billing)),
  ),
)

export type NewOrder = v.InferOutput<typeof NewOrder>
export type InlineAddress = v.InferOutput<typeof InlineAddress>
export type OrderedItem = v.InferOutput<typeof OrderedItem>

export const ordersAdd = route({
  path: '/service/orders/add',
  level: 'service',
  forBuyers: true,
  client: 'narrows',
  envelope: 'bare',
  permissions: {
    ...writesOrders,
    orderUuid: ['batchGet', 'get', 'put'],
    leader: ['batchGet', 'put', 'delete'],
    queuedOrder: ['batchGet', 'query', 'put', 'update', 'delete'],
    packages: ['batchGet'],
    client: ['batchGet', 'get', 'put', 'query'],
    clientMail: ['batchGet', 'put'],
    clientNumbers: ['update', 'put'],
    address: ['batchGet', 'put'],
    wine: ['batchGet'],
    product: ['batchGet'],
    idempotency: ['batchGet', 'get', 'put', 'delete'],
    paymentOwner: ['put'],
    externalPayment: ['put'],
    quota: ['update'],
  },
  repeat: 'with key',
  secrets: true,
  timeout: 29,
  headers: {
    reads: {
      'idempotency-key':
        'A key of 1 to 255 printable characters for this order. A request repeated with its key places no second order: it is answered as the first one was.',
    },
    sends: { 'idempotency-replayed': '`true` where the key had placed the order before.' },
  },
  body: v.object({
    data: described(NewOrder, 'The order.'),
    dry_run: described(v.nullish(Flag), 'True returns the order as it would be and stores nothing.'),
    inshop: saleInShop,
  }),
  response: v.strictObject({
    data: described(Order, 'The order.'),
    targetUrl: described(v.optional(v.string()), 'Page on which the buyer pays; send the buyer there.'),
    payment: described(v.optional(Payment), 'The payment of an order that is paid at a provider.'),
  }),
  errors: [
    'identifier_conflict',
    'basket_already_ordered',
    'order_cancelled',
    'order_paid',
    'order_not_cancellable',
    'payment_in_progress',
    'basket_not_found',
    'empty_order',
    'reference_not_found',
    'item_not_found',
    'item_unavailable',
    'insufficient_stock',
    'rebate_invalid',
    'rebate_exceeds_total',
    'price_mismatch',
    'price_inconsistent',
    'payment_type_not_allowed',
    'country_not_served',
    'redirect_url_invalid',
    'idempotency_key_reused',
    'payment_provider_error',
    'payment_provider_timeout',
  ],
  summary: 'Places an order; the catalogue decides the prices.',
})

export const ordersTouch = route({
  path: '/service/orders/touch',
  level: 'service',
  client: 'narrows',
  permissions: { order: ['get', 'put'], orderUuid: ['get'] },
  body: OrderReference,
  response: Order,
  errors: ['missing_identifier', 'identifier_conflict', 'order_not_found'],
  summary: 'Marks an order as read: sets `touched` to the present time.',
})
