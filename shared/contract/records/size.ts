import type { Rule } from '../errors.ts'
import { validationProblem } from '../refusal.ts'

/** What a stored record may have of JSON, in bytes. */
export const maxRecordBytes = 100 * 1024

/** How many bytes of JSON a value takes. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

// The version rises with every change, and is nothing that anybody could shorten.
const recordBytes = (record: object): number => jsonBytes({ ...record, version: undefined })

const longest = (given: object): string | undefined =>
  Object.entries(given).toSorted(([, a], [, b]) => jsonBytes(b) - jsonBytes(a))[0]?.[0]

/**
 * The rule that a record breaks which is too large to be stored, and the longest of the fields that are `given`, if any
 * is. Undefined for one that is small enough, or that is no larger than it was `before`.
 */
export const oversized = (
  record: object,
  given: object,
  before: object | null,
): (Rule & { field: string | undefined }) | undefined => {
  const bytes = recordBytes(record)
  if (bytes <= maxRecordBytes || (before && bytes <= recordBytes(before))) return undefined
  return { field: longest(given), rule: 'max_bytes', expected: `at most ${maxRecordBytes / 1024} KB as JSON` }
}

/** Refuses, with validation_failed, a record that what a caller gave as `data` makes too large to be stored. */
export const checkSize = (record: object, given: object, before: object | null): void => {
  const broken = oversized(record, given, before)
  if (!broken) return
  const { field, ...rule } = broken
  throw validationProblem([{ path: field === undefined ? 'data' : `data.${field}`, ...rule }])
}
