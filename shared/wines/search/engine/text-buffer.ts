import { fieldSeparator, recordSeparator } from '../../../text.ts'

/** The folded searchable text of all rows in one piece: slots separated, records ended; row n begins at `starts[n]`. */
export type TextBuffer = { bytes: Buffer; starts: Uint32Array }

const SLOT_END = fieldSeparator.charCodeAt(0)

/** The text of one record as it stands in the buffer. */
export const recordText = (slots: string[]): string => slots.join(fieldSeparator) + recordSeparator

/** A text buffer of records given as text or as finished bytes. */
export const buildText = (records: (string | Buffer)[]): TextBuffer => {
  const starts = new Uint32Array(records.length + 1)
  for (const [row, record] of records.entries()) starts[row + 1] = (starts[row] as number) + Buffer.byteLength(record)
  const bytes = Buffer.allocUnsafeSlow(starts[records.length] as number)
  for (const [row, record] of records.entries()) {
    const start = starts[row] as number
    if (typeof record === 'string') bytes.write(record, start)
    else record.copy(bytes, start)
  }
  return { bytes, starts }
}

/** The bytes of one record. */
export const recordBytes = ({ bytes, starts }: TextBuffer, row: number): Buffer =>
  bytes.subarray(starts[row], starts[row + 1])

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
    const missing = slot - separatorsIn(bytes, starts[row] as number, at)
    if (missing === 0) hits[row] = 1
    at = bytes.indexOf(needle, missing > 0 ? afterSeparators(bytes, at, missing) : starts[row + 1])
  }
  return hits
}

/** The row of a byte position at or behind `from`: doubling steps, then halving, as hits are often close together. */
const rowAt = (starts: Uint32Array, position: number, from: number): number => {
  let low = from
  let step = 1
  while (low + step < starts.length && (starts[low + step] as number) <= position) {
    low += step
    step *= 2
  }
  let high = low + step < starts.length ? low + step : starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) <= position) low = middle
    else high = middle
  }
  return low
}

const separatorsIn = (bytes: Buffer, start: number, end: number): number => {
  let count = 0
  for (let at = start; at < end; at++) if (bytes[at] === SLOT_END) count++
  return count
}

const afterSeparators = (bytes: Buffer, start: number, count: number): number => {
  let at = start
  for (let passed = 0; passed < count; passed++) at = bytes.indexOf(SLOT_END, at) + 1
  return at
}
