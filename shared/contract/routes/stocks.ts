import * as v from 'valibot'
import { keyHeaders, route } from '../route.ts'
import { described, Id, list, requirement, scalar, Whole, wholePaging, word } from '../schema/wire.ts'
import { goodsTypes, maxPieces } from '../vocabulary.ts'

const goods = {
  item_type: described(word(goodsTypes), 'Kind of the item.'),
  item_id: described(Id, 'Id of the wine or product.'),
}

/** The counted stock of goods; null if it is not counted. */
export const Stock = v.strictObject({
  item_type: goods.item_type,
  item_id: described(v.number(), 'Id of the wine or product.'),
  stock: described(v.nullable(v.number()), 'Number of pieces left, as `24`; null if they are not counted.'),
})

export type Stock = v.InferOutput<typeof Stock>

export const stocksGet = route({
  path: '/service/stocks/get',
  level: 'service',
  role: 'desk',
  envelope: 'list',
  permissions: { stock: ['batchGet', 'query'], wine: ['batchGet'], product: ['batchGet'] },
  body: v.object({
    items: described(v.nullish(list(v.object(goods), 100)), 'At most 100 items; all counted goods if left out.'),
    ...wholePaging,
  }),
  response: Stock,
  errors: ['item_not_found'],
  summary: 'Returns the stock of some goods, or of all goods with a counted stock.',
})

const Pieces = v.pipe(Whole, v.maxValue(maxPieces))

/** A difference of pieces, which may be negative. */
const Difference = scalar(
  'whole_number',
  `a whole number from -${maxPieces} to ${maxPieces}`,
  input => {
    const number = typeof input === 'string' && /^-?\d{1,7}$/.test(input) ? Number(input) : input
    return Number.isInteger(number) && Math.abs(number as number) <= maxPieces ? (number as number) : undefined
  },
  {
    input: { type: ['integer', 'string'], minimum: -maxPieces, maximum: maxPieces, pattern: '^-?[0-9]{1,7}$' },
  },
)

export const stocksAdd = route({
  path: '/service/stocks/add',
  level: 'service',
  role: 'desk',
  permissions: {
    stock: ['get', 'update', 'put', 'delete'],
    idempotency: ['get', 'put'],
    wine: ['batchGet'],
    product: ['batchGet'],
  },
  repeat: 'with key',
  headers: keyHeaders,
  body: v.pipe(
    v.object({
      ...goods,
      quantity: described(
        v.nullish(Difference),
        'Pieces to add, as `6`, to at most a million in all; negative to take some away, as `-1`.',
      ),
      stock: described(
        v.optional(v.nullable(Pieces)),
        'The number of pieces instead, as `24`; null stops counting them.',
      ),
    }),
    v.forward(
      v.partialCheck(
        [['quantity'], ['stock']],
        requirement('one_change', 'given, or stock instead', ({ quantity, stock }) =>
          (quantity ?? null) === null ? stock !== undefined : stock === undefined,
        ),
      ),
      ['quantity'],
    ),
  ),
  response: Stock,
  errors: ['item_not_found', 'stock_not_counted', 'insufficient_stock', 'idempotency_key_reused'],
  summary: 'Adds pieces to a counted stock, or sets it.',
})
