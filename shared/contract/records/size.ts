import { withShortTexts } from '../../values/text.ts'
import { type Rule, validationProblem } from '../errors.ts'

/** The maximum size of a stored record as JSON, in bytes. */
export const maxRecordBytes = 100 * 1024

/** The size of a value as JSON, in bytes. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

// Without the version, which rises with every change and which no caller could shorten.
const recordBytes = (record: object): number => jsonBytes({ ...record, version: undefined })

const longest = (given: object): string | undefined =>
  Object.entries(given).toSorted(([, a], [, b]) => jsonBytes(b) - jsonBytes(a))[0]?.[0]

/**
 * The rule that a record breaks which is too large to be stored, with the longest of the `given` fields, if any. Undefined
 * for a record that is small enough, or no larger than `before`.
 */
export const findOversized = (
  record: object,
  given: object,
  before: object | null,
): (Rule & { field: string | undefined }) | undefined => {
  const bytes = recordBytes(record)
  if (bytes <= maxRecordBytes || (before && bytes <= recordBytes(before))) return undefined
  return { field: longest(given), rule: 'max_bytes', expected: `at most ${maxRecordBytes / 1024} KB as JSON` }
}

/** Throws validation_failed if the `given` data makes a record too large to be stored. */
export const checkSize = (record: object, given: object, before: object | null): void => {
  const broken = findOversized(record, given, before)
  if (!broken) return
  const { field, ...rule } = broken
  throw validationProblem([{ path: field === undefined ? 'data' : `data.${field}`, ...rule }])
}

type Plain = Readonly<Record<string, unknown>>

/** The maximum size of a record as JSON, in bytes, in a response with up to 50 records. */
export const abridgedBytes = 40 * 1024

const fits = (record: Plain): boolean => jsonBytes(record) <= abridgedBytes

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

const ellipsis = '…'

/** The size of a character in JSON, in bytes; the only control characters in a validated text are line ends and tabs. */
const characterBytes = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || character === '"' || character === '\\') return 2
  if (code < 0x80) return 1
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

/** The longest beginning of a text that fits, with an ellipsis, into `left` bytes of JSON. */
const truncate = (text: string, left: number): string => {
  let bytes = jsonBytes(ellipsis)
  let end = 0
  for (const character of text) {
    bytes += characterBytes(character)
    if (bytes > left) break
    end += character.length
  }
  return text.slice(0, end) + ellipsis
}

/** Cuts a text so that the record fits. */
const cutField =
  (name: string) =>
  (record: Plain, bytes = abridgedBytes): Plain => {
    const text = record[name]
    if (typeof text !== 'string') return record
    return { ...record, [name]: truncate(text, bytes - jsonBytes({ ...record, [name]: '' }) + 2) }
  }

const cutWinery = (record: Plain): Plain => {
  const { winery } = record
  if (!isPlain(winery)) return record
  const bytes = abridgedBytes - jsonBytes({ ...record, winery: null }) + 4
  return { ...record, winery: cutField('freetext')(winery, bytes) }
}

// Names and links are useless if cut. The shortest cut leaves every amount intact.
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

// From the least important on. A record that is still too large has many prices.
const cuts: readonly ((record: Plain) => Plain)[] = [
  record => cutField('description')(record),
  cutWinery,
  ...[250, 120, 60, 30, 16].map(cutAll),
  record => ({ ...record, prices: [] }),
]

/**
 * A record of goods in at most 40 KB of JSON: longer texts are cut and end in an ellipsis, the longest first.
 */
export const abridgedRecord = (record: Plain): Record<string, unknown> => {
  let short = record
  for (const cut of cuts) {
    if (fits(short)) break
    short = cut(short)
  }
  return short
}
