import * as v from 'valibot'
import { AskedPaymentType, OrderReference } from './checkout.ts'
import { onlyFields } from './lists.ts'
import { Order } from './records/order.ts'
import { route } from './route.ts'
import { type OrderRelation, orderRelations, statuses } from './vocabulary.ts'
import { Day, documented, Flag, Id, list, must, nothingAsNull, paging, text, word } from './wire.ts'

/** A value that an order may have, or a list of such values; read into a list. */
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
  // PHP clients in shop mode send `{"shop": true}` with every request, of whatever records.
  v.transform(withoutShop),
  onlyFields({
    status: v.optional(oneOrSome(word(statuses))),
    paid: v.optional(oneOrSome(Flag)),
    payment_type: v.optional(oneOrSome(AskedPaymentType)),
    client_id: v.optional(oneOrSome(Id)),
    source: v.optional(oneOrSome(text())),
  }),
)

const day = (what: string) => v.optional(v.pipe(nothingAsNull(Day), v.description(what)), null)

/** Which orders a list has: those that meet all of it. */
export const orderChoice = {
  filter: v.optional(OrderFilter, {}),
  from: day('The first day on which the orders were placed, as `2026-01-31`, in UTC.'),
  to: day('The last day on which the orders were placed, as `2026-01-31`, in UTC.'),
  query: v.nullish(
    v.pipe(
      text(200),
      v.description(
        'The number or uuid of an order, or a part of a name or mail of whom it is billed or sent to, in either case.',
      ),
    ),
  ),
}

export type OrderChoice = Partial<v.InferOutput<v.ObjectSchema<typeof orderChoice, undefined>>>

const known = new Set<string>(orderRelations)

/** The relations a response shall carry: a list, or words separated by commas. */
const include = (usual: readonly OrderRelation[]) =>
  v.pipe(
    v.nullish(v.union([text(), list(text(), 20)]), [...usual]),
    v.transform(words => (typeof words === 'string' ? words.split(',') : words).map(one => one.trim()).filter(Boolean)),
    must('one_of', orderRelations.join(', '), words => words.every(one => known.has(one)), {
      // An empty word names nothing; forms send it.
      items: { enum: [...orderRelations, ''] },
      description: `some of ${orderRelations.join(', ')}; as text separated by commas`,
    }),
    v.transform(words => new Set(words as OrderRelation[])),
  )

/** What reading one order takes and gives, whoever asks for it. */
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
  summary: 'Reads one order by id or uuid, with the relations asked for.',
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
