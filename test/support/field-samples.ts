import * as v from 'valibot'
import { wineFields } from '../../shared/contract/records/wine.ts'
import { wineryFields } from '../../shared/contract/records/winery.ts'
import type { Field, FieldKind, FieldTable, ValueSchema } from '../../shared/contract/schema/fields.ts'
import type { WineShop } from './wine-shop.ts'

/** Values of each kind, of which a field takes the first that its schema accepts and that is not its default. */
const usual: Readonly<Record<FieldKind, readonly unknown[]>> = {
  text: ['Probe'],
  id: [3],
  integer: [2031, 7],
  decimal: ['3.50', '3.5'],
  flag: [1, 0],
  ids: [[2, 5]],
}

/** A value for a field as a caller writes it: the example of the table, or one that fits the field's kind. */
const sampleOf = ({ example, kind = 'text', default: unset }: Field, schema: ValueSchema): unknown => {
  const sample = example ?? usual[kind].find(candidate => v.is(schema, candidate) && candidate !== unset)
  if (sample === undefined) throw new Error('the table must give an example of the field')
  return sample
}

const fields: FieldTable = wineFields

/** All that the table says of a wine's field. */
export const fieldOf = (name: string): Field => fields[name] ?? { description: '' }

/** The names of a wine's fields of which something holds. */
export const fieldsWith = (holds: (field: Field) => unknown): string[] =>
  Object.keys(fields).filter(name => holds(fieldOf(name)))

/** The input that sets one field, and the value that is returned. */
export type Sample = { given: object; shown: unknown }

/** Further fields that a value requires. */
const beside: Readonly<Record<string, object>> = {
  countrycode: { region: 8000 },
  origin_id: { language: 'fr' },
  net: { taxrate: 19 },
  tax: { taxrate: 19, gross: '3.50' },
}

/** A value of a field as the routes take it; ids are those of the shop's records, and `original` that of a wine. */
export const bodySample = (name: string, shop: WineShop, original: number): Sample => {
  const field = fieldOf(name)
  const schema = field.body ?? v.never()
  const known: Readonly<Record<string, unknown>> = {
    // No two wines of a shop have one name.
    name: shop.least().name,
    path_segment: shop.least().name.toLowerCase().replaceAll(' ', '-'),
    tax: '0.56',
    image: '/Images/wine/1/0123456789abcdef0123456789abcdef-720x1600.webp',
    winery_id: shop.winery,
    origin_id: original,
    categoryIds: shop.categories,
    prices: [{ price_range_id: shop.ranges[0], gross: '1.19' }],
  }
  const value = known[name] ?? sampleOf(field, schema)
  return { given: { ...beside[name], [name]: value }, shown: v.parse(schema, value) }
}

const wineryRow = () =>
  Object.fromEntries(
    Object.entries<Field>(wineryFields).flatMap(([name, field]) =>
      field.column ? [[name, v.parse(field.column, sampleOf(field, field.column))]] : [],
    ),
  )

/** A value of a column as a row of a file has it. */
export const columnSample = (name: string): Sample => {
  const field = fieldOf(name)
  const schema = field.column ?? v.never()
  const known: Readonly<Record<string, unknown>> = {
    tax: '0.56',
    categories: ['Probekategorie', 'Bio'],
    prices: [{ priceRange: 'Gastronomie', gross: '1.19' }],
    stock: 7,
    winery: wineryRow(),
  }
  const shown = v.parse(schema, known[name] ?? sampleOf(field, schema))
  return { given: { ...beside[name], [name]: shown }, shown }
}
