import { withShortTexts } from '../../values/text.ts'
import { type Rule, validationProblem } from '../errors.ts'

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

type Plain = Readonly<Record<string, unknown>>

/** What a record may have of JSON, in bytes, where up to 50 of them stand in one answer. */
export const abridgedBytes = 40 * 1024

const fits = (record: Plain): boolean => jsonBytes(record) <= abridgedBytes

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

const ellipsis = '…'

/** How many bytes of JSON a character takes; of a text that was checked, control characters are line ends and tabs. */
const characterBytes = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || character === '"' || character === '\\') return 2
  if (code < 0x80) return 1
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

/** The longest beginning of a text that takes, with an ellipsis, no more bytes of JSON than there are left. */
const beginning = (text: string, left: number): string => {
  let bytes = jsonBytes(ellipsis)
  let end = 0
  for (const character of text) {
    bytes += characterBytes(character)
    if (bytes > left) break
    end += character.length
  }
  return text.slice(0, end) + ellipsis
}

/** Cuts one text to what the rest of the record leaves of its bytes. */
const cutField =
  (name: string) =>
  (record: Plain, bytes = abridgedBytes): Plain => {
    const text = record[name]
    if (typeof text !== 'string') return record
    return { ...record, [name]: beginning(text, bytes - jsonBytes({ ...record, [name]: '' }) + 2) }
  }

const cutWinery = (record: Plain): Plain => {
  const { winery } = record
  if (!isPlain(winery)) return record
  const bytes = abridgedBytes - jsonBytes({ ...record, winery: null }) + 4
  return { ...record, winery: cutField('freetext')(winery, bytes) }
}

// Of what names or leads to something, a part is worth nothing. The shortest texts hold any amount.
const neverCut = ['hash', 'path_segment', 'pdf', 'expertisePdf', 'image', 'quality', 'crstamp', 'chstamp'] as const

const cutAll =
  (characters: number) =>
  (record: Plain): Plain => {
    const short = withShortTexts(record, characters)
    const whole = Object.fromEntries(neverCut.flatMap(name => (name in record ? [[name, record[name]]] : [])))
    const { winery } = record
    const { crstamp, chstamp, image } = isPlain(winery) ? winery : {}
    return {
      ...short,
      ...whole,
      ...(isPlain(short.winery) && { winery: { ...short.winery, crstamp, chstamp, image } }),
    }
  }

// From what is missed least on. What is large then is large by its many prices.
const cuts: readonly ((record: Plain) => Plain)[] = [
  record => cutField('description')(record),
  cutWinery,
  ...[250, 120, 60, 30, 16].map(cutAll),
  record => ({ ...record, prices: [] }),
]

/**
 * A record of goods in at most 40 KB of JSON: where it has more, its texts are cut and end in an ellipsis, the longest
 * first.
 */
export const abridgedRecord = (record: Plain): Record<string, unknown> => {
  let short = record
  for (const step of cuts) {
    if (fits(short)) break
    short = step(short)
  }
  return short
}
