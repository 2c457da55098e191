import * as v from 'valibot'
import { AskedPaymentType, OrderReference, writesOrders } from './checkout.ts'
import { isNamed } from './records/address.ts'
import { Order, Payment } from './records/order.ts'
import { route } from './route.ts'
import { billingTypes, deliveryTypes, genders, goodsTypes, invoiceTypes } from './vocabulary.ts'
import {
  between,
  CountryCode,
  Flag,
  filled,
  Id,
  list,
  Mail,
  Money,
  nothingAsNull,
  optionalLines,
  optionalText,
  requirement,
  Total,
  text,
  Uuid,
  word,
} from './wire.ts'

const Goods = (type: (typeof goodsTypes)[number]) =>
  v.object({ item_type: v.literal(type), item_id: Id, quantity: between(1, 9999) })

/** An amount of a rebate: 0 or below. */
const Negative = v.pipe(Money, v.maxValue(0))

const RebateItem = v.object({
  item_type: v.literal('rebate'),
  name: filled(),
  net: Negative,
  tax: Negative,
  gross: Negative,
  quantity: v.nullish(between(1, 9999), 1),
})

/** An ordered item: the catalogue decides its price; only rebates carry amounts of their own. */
export const OrderedItem = v.variant('item_type', [
  ...goodsTypes.map(Goods),
  RebateItem,
  v.object({ item_type: v.literal('package'), item_id: Id }),
])

/** An address typed at the checkout, whoever lives there; without a countrycode it is of the merchant's country. */
export const InlineDelivery = v.object({
  gender: v.optional(nothingAsNull(word(genders)), null),
  title: v.nullish(optionalText(), null),
  first_name: v.nullish(optionalText(), null),
  last_name: v.nullish(optionalText(), null),
  name: v.nullish(optionalText(), null),
  company: v.nullish(optionalText(), null),
  address: filled(),
  address_supplement: v.nullish(optionalText(), null),
  zip: filled(),
  city: filled(),
  countrycode: v.optional(nothingAsNull(CountryCode), null),
  phone: v.nullish(optionalText(), null),
  mail: v.nullish(Mail, null),
})

/** The address of a buyer, who has a name. */
export const InlineAddress = v.pipe(
  InlineDelivery,
  v.partialCheck(
    [['name'], ['last_name'], ['company']],
    requirement('named', 'given a name, last_name or company', isNamed),
  ),
)

const remark = v.nullish(optionalLines(4000), null)

/** The data of orders/add, in both shapes: references to records, or addresses and a basket. */
export const NewOrder = v.pipe(
  v.object({
    source: v.nullish(text(), 'unknown'),
    billing_type: v.nullish(word(billingTypes)),
    billing_id: v.nullish(Id),
    billing: v.nullish(InlineAddress),
    delivery_type: v.nullish(word(deliveryTypes)),
    delivery_id: v.nullish(Id),
    delivery: v.nullish(InlineDelivery),
    client_id: v.nullish(Id),
    invoice_type: v.nullish(word(invoiceTypes), 'gross'),
    payment_type: v.nullish(AskedPaymentType),
    payment_period: v.nullish(between(0, 365)),
    items: v.nullish(list(OrderedItem, 50)),
    basket_uuid: v.nullish(Uuid),
    basket: v.nullish(Uuid),
    return_url: v.nullish(text(2000)),
    cancel_url: v.nullish(text(2000)),
    net: v.nullish(Total),
    tax: v.nullish(Total),
    gross: v.nullish(Total),
    delivery_note_remark: remark,
    client_remark: remark,
    invoice_remark: remark,
    note: remark,
  }),
  // The interface gives a delivery no names: then it is of whoever is billed. First, because an
  // issue of the whole object would silence it.
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
    waitingOrder: ['batchGet', 'query', 'put', 'update', 'delete'],
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
  body: v.object({ data: NewOrder, dry_run: v.nullish(Flag), inshop: v.nullish(Flag) }),
  response: v.strictObject({ data: Order, targetUrl: v.optional(v.string()), payment: v.optional(Payment) }),
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
