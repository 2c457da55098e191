import { bottlingTypes, caps, wineTypes } from '../../../shared/contract/labels/labels.ts'
import { scalarFields } from '../../../shared/contract/records/wine-fields.ts'
import { sortFieldsKeyword } from '../../../shared/contract/schema/lists.ts'
import { publicSortFields } from '../../../shared/contract/schema/wine-parameters.ts'
import type { JsonSchema } from '../../../shared/contract/schema/wire.ts'
import {
  addressTypes,
  clientTypes,
  genders,
  orderRelations,
  paymentTypes,
  statuses,
} from '../../../shared/contract/vocabulary.ts'
import type { Side } from '../../../shared/reference/json-schema.ts'

type Value = string | number | boolean | null

/** The closed lists of values that get a named type. */
const wordLists: Readonly<Record<string, readonly Value[]>> = {
  AddressType: addressTypes,
  BottlingType: bottlingTypes,
  Cap: caps,
  ClientType: clientTypes,
  Gender: genders,
  OrderRelation: orderRelations,
  OrderStatus: statuses,
  PaymentType: paymentTypes,
  WineType: wineTypes,
}

/** The schemas of the named types. A flag may be sent as answers contain it. */
export const wordSchemas: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(Object.entries(wordLists).map(([name, words]) => [name, { enum: words }])),
  Flag: { enum: [0, 1, false, true] },
}

const refs = '#/definitions/'

/** The type name of a named schema; `Client` is the name of the API client. */
export const typeName = (name: string): string => (name === 'Client' ? 'ClientRecord' : name)

/** The schema of some values: a named list if they contain one, and the others. */
const namedWords = (values: readonly Value[]): JsonSchema => {
  const found = Object.entries(wordLists).find(([, words]) => {
    const others = values.filter(value => !words.includes(value))
    return words.every(word => values.includes(word)) && others.every(value => value === null || value === '')
  })
  if (!found) return { enum: values }
  const [name, words] = found
  const others = values.filter(value => !words.includes(value)).map(value => ({ enum: [value] }))
  return others.length === 0 ? { $ref: refs + name } : { anyOf: [{ $ref: refs + name }, ...others] }
}

const isArray = ({ type }: JsonSchema): boolean => [type].flat().includes('array')

// A comment beside a reference would make the compiler copy the type.
const withDescription = (reference: JsonSchema, description: string): JsonSchema =>
  description ? { allOf: [reference], description } : reference

const flag: JsonSchema = { $ref: `${refs}Flag` }

const refTo = (ref: string): JsonSchema => ({ $ref: refs + typeName(ref.slice(ref.lastIndexOf('/') + 1)) })

/** A union type of words. */
export const union = (words: readonly unknown[]): string => words.map(word => `'${word}'`).join(' | ')

/** Sort fields that several lists share, by type name. */
export const sortFields: Readonly<Record<string, readonly string[]>> = {
  WineSortField: scalarFields,
  PublicWineSortField: publicSortFields,
}

const sortOrderOf = (fields: readonly unknown[]): string => {
  const [name] = Object.entries(sortFields).find(([, all]) => all.join() === fields.join()) ?? []
  return `SortOrder<${name ?? union(fields)}> | '' | null`
}

/** The schema of an object with one of some properties, not null. */
const oneOf = (properties: JsonSchema, names: readonly string[]): JsonSchema => ({
  anyOf: names.map(name => ({
    type: 'object',
    properties: { [name]: present(properties[name] as JsonSchema) },
    required: [name],
  })),
})

const isNull = (schema: JsonSchema): boolean => schema.type === 'null'

const present = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(Array.isArray(schema.type) && { type: schema.type.filter(type => type !== 'null') }),
  ...(Array.isArray(schema.anyOf) && { anyOf: schema.anyOf.filter(one => !isNull(one)) }),
})

/**
 * The schema of a request that needs one property of each group, a rule that its own schema cannot express because null
 * is allowed.
 */
export const givenOneOf = (schema: JsonSchema, groups: readonly (readonly string[])[]): JsonSchema => ({
  allOf: [schema, ...groups.map(names => oneOf(schema.properties as JsonSchema, names))],
})

/**
 * The schema of a filter whose fields take the values of the record's: the service accepts any text, and finds nothing by
 * others.
 */
export const filterOf = (filter: JsonSchema, record: JsonSchema): JsonSchema => {
  const fields = record.properties as Readonly<Record<string, JsonSchema>>
  const narrowField = (name: string, schema: JsonSchema): JsonSchema => {
    const words = fields[name]?.enum as readonly Value[] | undefined
    if (!words) return schema
    const values = { enum: [...new Set([...words, null])] }
    return { description: schema.description, anyOf: [values, { type: 'array', items: values }] }
  }
  const inner = (one: JsonSchema): JsonSchema => ({
    ...one,
    ...(Array.isArray(one.anyOf) && { anyOf: one.anyOf.map(inner) }),
    ...(one.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(one.properties as Record<string, JsonSchema>).map(([name, schema]) => [
          name,
          narrowField(name, schema),
        ]),
      ),
    }),
  })
  return inner(filter)
}

/** A schema reduced to what a type expresses. */
export const forTypes = (side: Side, schema: JsonSchema): JsonSchema => {
  const { type, const: only, enum: values, anyOf, items, properties, required, additionalProperties: more } = schema
  const inner = (one: unknown): JsonSchema => forTypes(side, one as JsonSchema)
  const { description = '' } = schema as { description?: string }
  const described = description ? { description } : {}
  if (typeof schema.$ref === 'string') return withDescription(refTo(schema.$ref), description)
  const [sent, ...others] = [type].flat()
  if (side === 'input' && sent === 'boolean' && (others.length === 0 || others.join() === 'null'))
    return others.length === 0 ? withDescription(flag, description) : { anyOf: [flag, { type: 'null' }], ...described }
  const orderedBy = schema[sortFieldsKeyword]
  if (Array.isArray(orderedBy)) return { tsType: sortOrderOf(orderedBy), ...described }
  if (Array.isArray(values)) return withDescription(namedWords(values), description)
  if (Array.isArray(anyOf)) {
    // `items` next to the choice applies to its lists.
    const choices: JsonSchema[] = anyOf.map(one => (items && isArray(one) ? { ...one, items } : one))
    return { anyOf: choices.map(inner), ...described }
  }
  // PHP sends an empty list for an empty object.
  if (schema.maxItems === 0) return { tsType: '[]' }
  if (properties && Object.keys(properties).length === 0) return { tsType: 'Record<string, never>' }
  const named = Object.entries(properties ?? {}).map(([name, one]) => [name, inner(one)])
  return {
    ...(type !== undefined && { type }),
    ...(only !== undefined && { const: only }),
    ...(items !== undefined && { items: inner(items) }),
    ...(properties !== undefined && { properties: Object.fromEntries(named) }),
    ...(required !== undefined && { required }),
    ...(typeof more === 'object' && { additionalProperties: inner(more) }),
    ...described,
  }
}
