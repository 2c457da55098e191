import type * as v from 'valibot'
import type { SchemaPart } from '../contract/schema/schema-parts.ts'

type Entries = NonNullable<SchemaPart['entries']>

/** Returns a copy of a value with its fields in the order of a schema. */
type Arrange = (value: unknown) => unknown

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSchema = (option: unknown): option is SchemaPart => isRecord(option)

const arrangeFields = (entries: Entries): Arrange => {
  // Copies of a template have the same hidden class, so this and JSON.stringify are fast.
  const template = Object.fromEntries(Object.keys(entries).map(key => [key, undefined]))
  const nested = Object.entries(entries).flatMap(([key, shape]) => {
    const arrange = arrangementOf(shape)
    return arrange ? [{ key, arrange }] : []
  })
  return value => {
    if (!isRecord(value)) return value
    // A spread, unlike an assignment, copies a key `__proto__` as a key.
    const arranged: Record<string, unknown> = { ...template, ...value }
    for (const { key, arrange } of nested) arranged[key] = arrange(arranged[key])
    return arranged
  }
}

/** Arranges an object of a union as the option that has its fields. */
const arrangeAny = (options: readonly SchemaPart[]): Arrange | undefined => {
  const all = options.flatMap(({ entries }) => (entries ? [{ entries, arrange: arrangeFields(entries) }] : []))
  if (all.length === 0) return undefined
  return value => {
    if (!isRecord(value)) return value
    const fields = Object.keys(value)
    const own = all.find(({ entries }) => fields.every(field => Object.hasOwn(entries, field))) ?? all[0]
    return own?.arrange(value)
  }
}

const arrangeItems =
  (arrange: Arrange): Arrange =>
  list =>
    Array.isArray(list) ? list.map(arrange) : list

const arrangeValues =
  (arrange: Arrange): Arrange =>
  value =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, arrange(one)])) : value

/** Returns the function for a schema; undefined if it contains no object. */
const arrangementOf = ({ entries, options, wrapped, item, value }: SchemaPart): Arrange | undefined => {
  if (entries) return arrangeFields(entries)
  if (options) return arrangeAny(options.filter(isSchema))
  const arrange = (wrapped ?? item ?? value) && arrangementOf((wrapped ?? item ?? value) as SchemaPart)
  if (!arrange || wrapped) return arrange
  return item ? arrangeItems(arrange) : arrangeValues(arrange)
}

const keepOrder: Arrange = value => value

const arrangements = new WeakMap<v.GenericSchema, Arrange>()

/**
 * Returns a copy of a value with the fields of its objects in the order of the schema, followed by unknown fields. Objects
 * from the table have their fields in any order. The keys of a record stay in their order.
 */
export const inFieldOrder = (schema: v.GenericSchema, value: unknown): unknown => {
  const arrange = arrangements.get(schema) ?? arrangementOf(schema as unknown as SchemaPart) ?? keepOrder
  arrangements.set(schema, arrange)
  return arrange(value)
}
