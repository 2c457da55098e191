import * as v from 'valibot'
import {
  common,
  confidential,
  createCompletion,
  entriesOf,
  type FieldTable,
  filed,
  givenEntries,
  hasPrice,
  oneOfWords,
  Price,
  TaxRate,
} from '../schema/fields.ts'
import { Id, Whole } from '../schema/wire.ts'
import { packageTypes } from '../vocabulary.ts'

const Bound = v.nullable(Whole)

/** The shipping cost of an order (the item of a package position); null leaves a range open. */
export const packageFields = {
  id: {
    ...filed(Id),
    description: 'Id of the package.',
    inFiles: 'A row finds its package by it; without it, by the range of bottles.',
    example: 3,
  },
  type: {
    ...confidential(oneOfWords(packageTypes)),
    default: 'bottles',
    description: 'Measure by which the package is chosen.',
    example: 'bottles',
  },
  min_bottles: {
    ...confidential(Bound),
    default: null,
    description: 'Minimum number of bottles; null (in files empty) sets no limit.',
    example: 1,
  },
  max_bottles: {
    ...confidential(Bound),
    default: null,
    description: 'Maximum number of bottles; null (in files empty) sets no limit.',
    example: 6,
  },
  min_weight: {
    ...confidential(Bound),
    default: null,
    description: 'Minimum weight; stored, but only bottles choose a package.',
    example: 1,
  },
  max_weight: {
    ...confidential(Bound),
    default: null,
    description: 'Maximum weight; stored, but only bottles choose a package.',
    example: 9,
  },
  gross: {
    ...confidential(Price),
    description: 'Price of the shipment with tax, in euros.',
    inFiles: 'A package needs it, or net.',
    example: '9.90',
  },
  net: {
    ...confidential(Price),
    description: 'Price of the shipment without tax, in euros; follows from gross and taxrate if left out.',
    example: '8.32',
  },
  tax: {
    ...confidential(Price),
    description: 'Tax in the price, in euros; follows from gross and taxrate if left out.',
    example: '1.58',
  },
  taxrate: { ...confidential(TaxRate), description: 'Tax rate of the price, in percent.', example: 7 },
  customers_id: common.customers_id,
} as const satisfies FieldTable

export const Package = v.strictObject(entriesOf(packageFields, 'schema'))
export type Package = v.InferOutput<typeof Package>

/** A missing bound is open. */
export const completePackage = createCompletion(packageFields, 'schema')

/** The data of packages/add. */
export const NewPackage = v.pipe(
  v.strictObject(givenEntries(packageFields, 'body', ['taxrate'])),
  v.forward(v.partialCheck([['gross'], ['net']], hasPrice), ['gross']),
)
export type NewPackage = v.InferOutput<typeof NewPackage>

/** The data of packages/edit: only what changes. */
export const PackageChange = v.strictObject(givenEntries(packageFields, 'body', []))
export type PackageChange = v.InferOutput<typeof PackageChange>
