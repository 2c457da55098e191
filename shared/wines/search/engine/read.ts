import type { Kind } from './fields.ts'
import type { Scalar } from './values.ts'

const INTEGER = /^\d{1,16}$/
const DECIMAL = /^\d{1,12}(\.\d{1,12})?$/
const TEXT_LENGTH = 255

const readInteger = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** A positive integer below 2^53, also as numeric text; undefined for everything else. */
export const readId = (value: unknown): number | undefined => readInteger(value) || undefined

const readDecimal = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : undefined
}

const readFlag = (value: unknown): number | undefined => {
  if (typeof value === 'boolean') return Number(value)
  const number = readInteger(value)
  return number === 0 || number === 1 ? number : undefined
}

const readText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.length <= TEXT_LENGTH ? text : undefined
}

const READERS: Record<Kind, (value: unknown) => Exclude<Scalar, null> | undefined> = {
  text: readText,
  id: readId,
  integer: readInteger,
  decimal: readDecimal,
  flag: readFlag,
}

/** What a kind accepts, as a caller is told. */
export const expectedOf: Record<Kind, string> = {
  text: `a text of at most ${TEXT_LENGTH} characters`,
  id: 'an id',
  integer: 'an integer of at least 0',
  decimal: 'a number of at least 0',
  flag: '0 or 1',
}

/** A caller's value as the sort key it must equal; null stays null, undefined if the kind does not accept it. */
export const readKey = (kind: Kind, value: unknown): Scalar | undefined =>
  value === null ? null : READERS[kind](value)
