import type { Kind } from '../contract/records/wine-fields.ts'
import type { Scalar } from '../contract/schema/wine-query.ts'
import { inGerman } from '../values/text.ts'

/** The sort key of a value: a text itself, anything else as a number; null if it is none. */
export const sortKey = (kind: Kind, value: Scalar): Scalar => {
  if (value === null) return null
  if (typeof value === 'number') return kind === 'text' ? String(value) : value
  if (kind === 'text') return value
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

/** Ascending order of two sort keys of one field: German collation or by amount, null last. */
export const compareKeys = (a: Scalar, b: Scalar): number => {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  // The sort keys of a field are all numbers or all texts.
  return inGerman(String(a), String(b))
}

/** A value as text on the wire; nothing for null. */
export const wireText = (value: Scalar | undefined): string => String(value ?? '')
