import * as v from 'valibot'
import { Package } from './records/package.ts'
import { route } from './route.ts'
import { invoiceTypes, packageTypes } from './vocabulary.ts'
import { between, scalar, word } from './wire.ts'

// 50 items of 9,999 bottles, or of products that take up as much.
const mostBottles = 50 * 9999 * 9999

const roundedCents = (input: unknown): number | undefined => {
  if (typeof input === 'string' && !/^-?\d{1,12}(\.\d{1,20})?$/.test(input.trim())) return undefined
  const amount = typeof input === 'string' ? Number(input) : input
  if (typeof amount !== 'number' || !(Math.abs(amount) < 10 ** 12)) return undefined
  return Math.round(amount * 100)
}

/** An amount as a shop reckoned it, in floating point, rounded to cents. */
const RoughMoney = v.nullish(
  scalar('money', 'an amount such as 59.4', roundedCents, { takes: { type: ['number', 'string'] } }),
)

/** What a number of bottles costs to send; the amounts are for all packages together. */
export const Freight = v.strictObject({
  id: v.number(),
  name: v.string(),
  net: v.string(),
  tax: v.string(),
  gross: v.string(),
  taxrate: v.number(),
  quantity: v.number(),
})

export type Freight = v.InferOutput<typeof Freight>

/** The gross value of goods from which sending is free; null for never. */
const Summary = v.strictObject({ freightfreelimit: v.nullable(v.string()) })

export const PackagingQuestion = v.object({
  type: v.nullish(word(packageTypes), 'bottles'),
  bottles: between(0, mostBottles),
  net: RoughMoney,
  tax: RoughMoney,
  gross: RoughMoney,
  invoice_type: v.nullish(word(invoiceTypes), 'gross'),
})

export type PackagingQuestion = v.InferOutput<typeof PackagingQuestion>

export const packagingFind = route({
  path: '/service/packaging/find',
  level: 'service',
  client: 'prices',
  envelope: 'bare',
  permissions: { packages: ['batchGet'], merchant: ['batchGet'] },
  body: PackagingQuestion,
  response: v.strictObject({ data: Freight, summary: Summary }),
  errors: ['package_not_found'],
  summary: 'Tells what sending a number of bottles costs, by the rule that prices orders.',
})

/** A package with what it is called. */
export const NamedPackage = v.strictObject({ ...Package.entries, name: v.string() })

export const packagingGetAll = route({
  path: '/service/packaging/getAll',
  level: 'service',
  envelope: 'list',
  permissions: { packages: ['get'] },
  body: v.object({}),
  response: NamedPackage,
  summary: "Lists the merchant's packages.",
})
