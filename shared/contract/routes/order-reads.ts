import * as v from 'valibot'
import { Order } from '../records/order.ts'
import { route } from '../route.ts'
import { onlyFields } from '../schema/lists.ts'
import { Day, described, documented, Flag, Id, list, must, nothingAsNull, paging, text, word } from '../schema/wire.ts'
import { type OrderRelation, orderRelations, statuses } from '../vocabulary.ts'
import { AskedPaymentType, OrderReference } from './checkout.ts'

/** A value or a list of values; read into a list. */
const oneOrSome = <T>(value: v.GenericSchema<unknown, T>) => {
  const some = list(value, 100)
  const one = v.pipe(
    value,
    v.transform(only => [only]),
  )
  return v.pipe(
    v.lazy(input => (Array.isArray(input) ? some : one)),
    documented<T[]>({ anyOf: [value, some] }),
  )
}

const withoutShop = (input: unknown): unknown => {
  if (typeof input !== 'object' || input === null || !('shop' in input)) return input
  const { shop, ...rest } = input
  return rest
}

/** Fields that orders must have; a list means any of its values. */
const OrderFilter = v.pipe(
  v.unknown(),
  // PHP clients in shop mode send `{"shop": true}` with every request.
  v.transform(withoutShop),
  onlyFields({
    status: described(v.optional(oneOrSome(word(statuses))), 'Status of the order, or several.'),
    paid: described(v.optional(oneOrSome(Flag)), 'True for paid orders, false for the others.'),
    payment_type: described(v.optional(oneOrSome(AskedPaymentType)), 'Payment type, or several.'),
    client_id: described(v.optional(oneOrSome(Id)), 'Id of the ordering client, or several.'),
    source: described(v.optional(oneOrSome(text())), 'Origin of the order, as `shop`, or several.'),
  }),
)

const day = (sentence: string) => described(v.optional(nothingAsNull(Day), null), sentence)

/** The parameters that select the orders of a list. */
const orderChoice = {
  filter: described(v.optional(OrderFilter, {}), 'Values that the orders must have, by field.'),
  from: day('First day of the orders, as `2026-01-31`, in the merchant’s time zone.'),
  to: day('Last day of the orders, as `2026-01-31`, in the merchant’s time zone.'),
  query: described(
    v.nullish(text(200)),
    'Number or UUID of an order, or part of a name or mail of the billing or delivery address, in either case.',
  ),
}

export type OrderChoice = Partial<v.InferOutput<v.ObjectSchema<typeof orderChoice, undefined>>>

const known = new Set<string>(orderRelations)

/** The relations in the response: a list, or words separated by commas. */
const include = (usual: readonly OrderRelation[]) =>
  v.pipe(
    v.nullish(v.union([text(), list(text(), 20)]), [...usual]),
    v.transform(words => (typeof words === 'string' ? words.split(',') : words).map(one => one.trim()).filter(Boolean)),
    must('one_of', orderRelations.join(', '), words => words.every(one => known.has(one)), {
      // Forms send an empty word.
      items: { enum: [...orderRelations, ''] },
    }),
    v.transform(words => new Set(words as OrderRelation[])),
    v.description(
      `Relations to return with the order: ${orderRelations.join(', ')}; a list, or a text separated by commas.`,
    ),
  )

/** Permissions, parameters and response of the routes that read an order. */
const readsOrder = {
  permissions: { order: ['batchGet'], orderItems: ['batchGet'], orderUuid: ['get'] },
  body: v.object({
    ...OrderReference.entries,
    include: include(['client', 'billing', 'delivery', 'documents', 'items']),
  }),
  response: Order,
  errors: ['missing_identifier', 'identifier_conflict', 'order_not_found'],
} as const

export const ordersGet = route({
  path: '/service/orders/get',
  level: 'service',
  client: 'narrows',
  ...readsOrder,
  summary: 'Reads one order by id or uuid, with the requested relations.',
})

export const ordersGetAll = route({
  path: '/service/orders/getAll',
  level: 'service',
  client: 'narrows',
  envelope: 'list',
  permissions: {
    order: ['query', 'queryIndex', 'get'],
    orderItems: ['batchGet'],
    orderUuid: ['get'],
    numbers: ['get'],
    merchant: ['get'],
  },
  body: v.object({ include: include(['billing', 'delivery']), ...orderChoice, ...paging }),
  response: Order,
  summary: 'Lists orders, the newest first.',
})

export const clientsOrdersGet = route({
  path: '/service/clients/orders/get',
  level: 'service',
  forBuyers: true,
  client: 'required',
  ...readsOrder,
  summary: 'Reads one order of the client who is signed in.',
})

export const clientsOrdersGetAll = route({
  path: '/service/clients/orders/getAll',
  level: 'service',
  forBuyers: true,
  client: 'required',
  envelope: 'list',
  permissions: { order: ['queryIndex'], orderItems: ['batchGet'] },
  body: v.object({ include: include(['billing', 'delivery', 'items']), ...paging }),
  response: Order,
  summary: 'Lists the orders of the client who is signed in, the newest first.',
})
