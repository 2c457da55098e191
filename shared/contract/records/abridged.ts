import { abridged, withShortTexts } from '../../text.ts'
import { jsonBytes } from './size.ts'

type Plain = Readonly<Record<string, unknown>>

/** What a record may have of JSON, in bytes, where up to 50 of them stand in one answer. */
export const abridgedBytes = 40 * 1024

const fits = (record: Plain): boolean => jsonBytes(record) <= abridgedBytes

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The longest beginning of a text that takes no more bytes of JSON than there are left. */
const beginning = (text: string, left: number): string => {
  let [fitting, tooLong] = [1, text.length]
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1
    if (jsonBytes(abridged(text, middle)) <= left) fitting = middle
    else tooLong = middle
  }
  return abridged(text, fitting)
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
const kept = ['hash', 'path_segment', 'pdf', 'expertisePdf', 'image', 'quality', 'crstamp', 'chstamp'] as const

const cutAll =
  (characters: number) =>
  (record: Plain): Plain => {
    const short = withShortTexts(record, characters)
    const whole = Object.fromEntries(kept.flatMap(name => (name in record ? [[name, record[name]]] : [])))
    const { winery } = record
    const { crstamp, chstamp, image } = isPlain(winery) ? winery : {}
    return {
      ...short,
      ...whole,
      ...(isPlain(short.winery) && { winery: { ...short.winery, crstamp, chstamp, image } }),
    }
  }

// From what is missed least on. What is large then is large by its many prices.
const steps: readonly ((record: Plain) => Plain)[] = [
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
  for (const step of steps) {
    if (fits(short)) break
    short = step(short)
  }
  return short
}
