import type * as v from 'valibot'

/** The parts of a schema that are read here; each kind of schema has some of them. */
export type Shape = {
  type: string
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
  value?: Shape
  options?: unknown[]
  literal?: string
}

export const shapeOf = (schema: v.GenericSchema) => schema as unknown as Shape

/** The paths of the objects in a value whose fields are not in the order of its schema. */
export const outOfOrder = (shape: Shape, value: unknown, path = ''): string[] => {
  if (shape.wrapped) return outOfOrder(shape.wrapped, value, path)
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return shape.item ? value.flatMap((one, n) => outOfOrder(shape.item as Shape, one, `${path}.${n}`)) : []
  const { entries, options = [], value: ofRecord } = shape
  // Of a union, the option that has the fields.
  const own = (options as Shape[]).find(one => one.entries && Object.keys(value).every(key => one.entries?.[key]))
  if (own) return outOfOrder(own, value, path)
  const named = Object.keys(entries ?? {}).filter(key => Object.hasOwn(value, key))
  const given = Object.keys(value).slice(0, named.length)
  const below = Object.entries(value).flatMap(([key, one]) => {
    const inner = entries?.[key] ?? ofRecord
    return inner ? outOfOrder(inner, one, `${path}.${key}`) : []
  })
  return [...(given.join() === named.join() ? [] : [`${path}: ${given}`]), ...below]
}
