import * as v from 'valibot'
import { AskedPaymentType } from './checkout.ts'
import { onlyFields } from './record-list.ts'
import { statuses } from './vocabulary.ts'
import { Day, documented, Flag, Id, list, nothingAsNull, text, word } from './wire.ts'

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
