import * as v from 'valibot'
import { NewPackage, Package, PackageChange } from '../records/package.ts'
import { keyHeaders, route } from '../route.ts'
import { described, Id, scalar, wholeBetween, word } from '../schema/wire.ts'
import { invoiceTypes, packageTypes } from '../vocabulary.ts'

// 50 items of 9,999 bottles, or of products that take up as much.
const maxBottles = 50 * 9999 * 9999

const roundedCents = (input: unknown): number | undefined => {
  if (typeof input === 'string' && !/^-?\d{1,12}(\.\d{1,20})?$/.test(input.trim())) return undefined
  const amount = typeof input === 'string' ? Number(input) : input
  if (typeof amount !== 'number' || !(Math.abs(amount) < 10 ** 12)) return undefined
  return Math.round(amount * 100)
}

/** An amount that a shop computed in floating point, rounded to cents. */
const RoughMoney = v.nullish(
  scalar('money', 'an amount such as 59.4', roundedCents, { input: { type: ['number', 'string'] } }),
)

const packageName = described(v.string(), 'Name of the package, as `1-6 bottles`.')

/** The shipping cost of a number of bottles; the amounts are for all packages together. */
export const ShippingCost = v.strictObject({
  id: described(v.number(), 'Id of the package.'),
  name: packageName,
  net: described(v.string(), 'Price of all packages without tax, in euros.'),
  tax: described(v.string(), 'Tax in the price, in euros.'),
  gross: described(v.string(), 'Price of all packages with tax, in euros.'),
  taxrate: described(v.number(), 'Tax rate in percent.'),
  quantity: described(v.number(), 'Number of packages.'),
})

export type ShippingCost = v.InferOutput<typeof ShippingCost>

/** The gross value of goods from which shipping is free; null for never. */
const Summary = v.strictObject({
  freightfreelimit: described(
    v.nullable(v.string()),
    'Gross value of goods, in euros, from which shipping is free; null for never.',
  ),
})

export const PackagingQuestion = v.object({
  type: described(v.nullish(word(packageTypes), 'bottles'), 'Measure by which the package is chosen.'),
  bottles: described(wholeBetween(0, maxBottles), 'Number of bottles.'),
  net: described(RoughMoney, 'Value of the goods without tax, in euros.'),
  tax: described(RoughMoney, 'Tax of the goods, in euros.'),
  gross: described(RoughMoney, 'Value of the goods with tax, in euros; decides whether shipping is free.'),
  invoice_type: described(
    v.nullish(word(invoiceTypes), 'gross'),
    'Prices that the order is calculated from: without tax (`net`) or with it.',
  ),
})

export type PackagingQuestion = v.InferOutput<typeof PackagingQuestion>

export const packagingFind = route({
  path: '/service/packaging/find',
  level: 'service',
  client: 'prices',
  envelope: 'bare',
  permissions: { packages: ['batchGet'], merchant: ['batchGet'] },
  body: PackagingQuestion,
  response: v.strictObject({
    data: described(ShippingCost, 'The package and its price.'),
    summary: described(Summary, 'Terms of shipping.'),
  }),
  errors: ['package_not_found'],
  summary: 'Returns the shipping cost of a number of bottles, by the rule that prices orders.',
})

export const NamedPackage = v.strictObject({ ...Package.entries, name: packageName })

export const packagingGetAll = route({
  path: '/service/packaging/getAll',
  level: 'service',
  envelope: 'list',
  permissions: { packages: ['batchGet'], merchant: ['batchGet'] },
  body: v.object({}),
  response: NamedPackage,
  summary: "Lists the merchant's packages.",
})

const writePackages = {
  merchant: ['batchGet'],
  packages: ['batchGet', 'get', 'put'],
  recordsVersion: ['get', 'put'],
} as const

const packageId = described(Id, 'Id of the package.')

export const packagesAdd = route({
  path: '/service/packages/add',
  level: 'service',
  role: 'desk',
  permissions: { ...writePackages, idempotency: ['get', 'put'] },
  repeat: 'with key',
  headers: keyHeaders,
  body: v.object({ data: described(NewPackage, 'The new package, with `gross` or `net`.') }),
  response: NamedPackage,
  errors: ['package_not_found', 'price_inconsistent', 'idempotency_key_reused'],
  summary: 'Adds a package, for a range of bottles that no other package has.',
})

export const packagesEdit = route({
  path: '/service/packages/edit',
  level: 'service',
  role: 'desk',
  permissions: writePackages,
  // The same fields again are the same package.
  repeat: 'safe',
  body: v.object({ id: packageId, data: described(PackageChange, 'Fields to change; the others stay as they are.') }),
  response: NamedPackage,
  errors: ['package_not_found', 'nothing_to_change', 'price_inconsistent'],
  summary: 'Changes the given fields of a package. Orders that were placed keep the package as it was.',
})

export const packagesDelete = route({
  path: '/service/packages/delete',
  level: 'service',
  role: 'desk',
  permissions: writePackages,
  body: v.object({ id: packageId }),
  response: NamedPackage,
  errors: ['package_not_found', 'package_needed'],
  summary:
    'Deletes a package and returns it as it was. Orders keep their own copy. The last package is refused unless it is free: without it, new orders would have no shipping cost.',
})
