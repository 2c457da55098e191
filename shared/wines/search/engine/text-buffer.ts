import { fieldSeparator, recordSeparator } from '../../../text.ts'
import { firstPlace, numberAt } from './numbers.ts'

/** The folded searchable text of all rows in one piece: slots separated, records ended; row n begins at `starts[n]`. */
export type TextBuffer = { bytes: Buffer; starts: Uint32Array }

const slotEnd = fieldSeparator.charCodeAt(0)

/** The text of one record as it stands in the buffer. */
export const recordText = (slots: readonly string[]): string => slots.join(fieldSeparator) + recordSeparator

/** A text buffer of records given as text or as finished bytes. */
export const buildText = (records: readonly (string | Buffer)[]): TextBuffer => {
  const starts = new Uint32Array(records.length + 1)
  let end = 0
  for (const [row, record] of records.entries()) {
    end += Buffer.byteLength(record)
    starts[row + 1] = end
  }
  const bytes = Buffer.allocUnsafeSlow(end)
  for (const [row, record] of records.entries()) {
    if (typeof record === 'string') bytes.write(record, numberAt(starts, row))
    else record.copy(bytes, numberAt(starts, row))
  }
  return { bytes, starts }
}

/** The bytes of one record. */
export const recordBytes = ({ bytes, starts }: TextBuffer, row: number): Buffer =>
  bytes.subarray(starts[row], starts[row + 1])

/** The row of a byte position at or behind `from`: doubling steps, then halving, as hits are often close together. */
const rowAt = (starts: Uint32Array, position: number, from: number): number => {
  let step = 1
  while (from + step < starts.length && numberAt(starts, from + step) <= position) step *= 2
  const first = from + (step >>> 1)
  const end = Math.min(from + step, starts.length)
  return first + firstPlace(end - first, n => numberAt(starts, first + n) > position) - 1
}

const separatorsIn = (bytes: Buffer, start: number, end: number): number => {
  let count = 0
  for (let at = start; at < end; at++) if (bytes[at] === slotEnd) count++
  return count
}

const afterSeparators = (bytes: Buffer, start: number, count: number): number => {
  let at = start
  for (let passed = 0; passed < count; passed++) at = bytes.indexOf(slotEnd, at) + 1
  return at
}

/** Marks the rows that contain a folded phrase in any slot. */
export const rowsWith = ({ bytes, starts }: TextBuffer, phrase: string): Uint8Array => {
  const hits = new Uint8Array(starts.length - 1)
  const needle = Buffer.from(phrase)
  let row = 0
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, starts[row + 1])) {
    row = rowAt(starts, at, row)
    hits[row] = 1
  }
  return hits
}

/** Marks the rows that contain a folded phrase in one slot. */
export const rowsWithSlot = ({ bytes, starts }: TextBuffer, slot: number, phrase: string): Uint8Array => {
  const hits = new Uint8Array(starts.length - 1)
  const needle = Buffer.from(phrase)
  let row = 0
  let at = bytes.indexOf(needle)
  while (at !== -1) {
    row = rowAt(starts, at, row)
    const missing = slot - separatorsIn(bytes, numberAt(starts, row), at)
    if (missing === 0) hits[row] = 1
    at = bytes.indexOf(needle, missing > 0 ? afterSeparators(bytes, at, missing) : starts[row + 1])
  }
  return hits
}
