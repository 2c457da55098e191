import type * as v from 'valibot'

type Entries = Record<string, Shape>

/** What is read of a schema here; each kind of schema has some of it. */
type Shape = { entries?: Entries; options?: readonly unknown[]; wrapped?: Shape; item?: Shape; value?: Shape }

type Arrange = (value: unknown) => unknown

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const arrangeFields = (entries: Entries): Arrange => {
  // Objects that grow from one template have one layout; that makes this fast, and JSON.stringify after it.
  const template = Object.fromEntries(Object.keys(entries).map(key => [key, undefined]))
  const nested = Object.entries(entries).flatMap(([key, shape]) => {
    const arrange = arrangementOf(shape)
    return arrange ? [{ key, arrange }] : []
  })
  return value => {
    if (!isRecord(value)) return value
    // A spread, unlike an assignment, leaves a key `__proto__` a key.
    const arranged: Record<string, unknown> = { ...template, ...value }
    for (const { key, arrange } of nested) arranged[key] = arrange(arranged[key])
    return arranged
  }
}

/** The fields of one of several objects: those of the first, then what the others have besides. */
const arrangeAny = (options: readonly Shape[]): Arrange | undefined => {
  const merged: Entries = {}
  for (const { entries = {} } of options) for (const [key, shape] of Object.entries(entries)) merged[key] ??= shape
  return Object.keys(merged).length > 0 ? arrangeFields(merged) : undefined
}

const arrangeItems =
  (arrange: Arrange): Arrange =>
  list =>
    Array.isArray(list) ? list.map(arrange) : list

const arrangeValues =
  (arrange: Arrange): Arrange =>
  value =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, arrange(one)])) : value

/** How values of a schema are arranged; undefined where there is nothing to do. */
const arrangementOf = ({ entries, options, wrapped, item, value }: Shape): Arrange | undefined => {
  if (entries) return arrangeFields(entries)
  if (options) return arrangeAny(options.filter(option => isRecord(option)))
  const arrange = (wrapped ?? item ?? value) && arrangementOf((wrapped ?? item ?? value) as Shape)
  if (!arrange || wrapped) return arrange
  return item ? arrangeItems(arrange) : arrangeValues(arrange)
}

const asItIs: Arrange = value => value

const known = new WeakMap<v.GenericSchema, Arrange>()

/**
 * A copy of a value with the fields of its objects in the order of its schema, and what the schema does not name behind
 * them. Objects read from the table have their fields in any order. A record keeps its keys in their own order.
 */
export const inFieldOrder = (schema: v.GenericSchema, value: unknown): unknown => {
  const arrange = known.get(schema) ?? arrangementOf(schema as Shape) ?? asItIs
  known.set(schema, arrange)
  return arrange(value)
}
