import type { Day } from './day.ts'

// Safe in file names, XML and headers; the first character is not one that begins a formula or an option.
const form = /^(?![_.-])(?:[A-Za-z0-9_.-]|\{n(?::(?:[1-9]|1[0-2]))?\}|\{year\}|\{month\})+$/
const counter = /\{n(?::(\d+))?\}/
// The digits of the largest number that is exact.
const mostDigits = 16

const occurs = (format: string, part: string): number => format.split(part).length - 1

/**
 * True for a format of document numbers: literal text, once `{n}` or `{n:5}` (zero padded), and at most once `{year}` and
 * `{month}`. A month without its year would come again.
 */
export const isNumberFormat = (format: string): boolean =>
  format.length <= 40 &&
  form.test(format) &&
  occurs(format, '{n') === 1 &&
  occurs(format, '{year}') <= 1 &&
  occurs(format, '{month}') <= occurs(format, '{year}')

/** The period of a day in which a format counts: `2026-01`, `2026`, or empty if it counts for ever. */
export const periodOf = (format: string, day: () => Day): string => {
  if (format.includes('{month}')) return day().slice(0, 7)
  return format.includes('{year}') ? day().slice(0, 4) : ''
}

const withPeriod = (format: string, year: string, month: string): string =>
  format.replace('{year}', year).replace('{month}', month)

/** The number of a document. */
export const writeNumber = (format: string, period: string, n: number): string =>
  withPeriod(format, period.slice(0, 4), period.slice(5)).replace(counter, (_, width = '0') =>
    String(n).padStart(Number(width), '0'),
  )

/** The `n` of a number in a period; undefined if the format does not write that. */
export const readNumber = (format: string, period: string, number: string): number | undefined => {
  const [before = '', , after = ''] = withPeriod(format, period.slice(0, 4), period.slice(5)).split(counter)
  const n = Number(number.slice(before.length, number.length - after.length))
  return Number.isSafeInteger(n) && n > 0 && writeNumber(format, period, n) === number ? n : undefined
}

/** A format without its padding, because padding keeps the number the same; names of files ignore the case. */
export const skeletonOf = (format: string): string => format.replace(counter, '{n}').toLowerCase()

/** Numbers that a format writes, from 1 on in each period; up to `last` where it counts for ever and is not used any more. */
export type Written = { format: string; last?: number | undefined }

/** The forms of the numbers, one for each length; `#` is any digit. */
const formsOf = ({ format, last }: Written): string[] => {
  const least = Math.max(1, Number(counter.exec(format)?.[1] ?? 1))
  const most = last === undefined || format.includes('{year}') ? mostDigits : Math.max(least, String(last).length)
  const text = withPeriod(format.toLowerCase(), '####', '##')
  return Array.from({ length: most - least + 1 }, (_, more) => text.replace(counter, '#'.repeat(least + more)))
}

const canBeEqual = (a: string, b: string): boolean =>
  a.length === b.length &&
  [...a].every((sign, n) => {
    const other = b.charAt(n)
    return sign === other || (sign === '#' && /\d/.test(other)) || (other === '#' && /\d/.test(sign))
  })

/** True if two formats of different skeletons could write the same number, in any case. */
export const canCollide = (a: Written, b: Written): boolean => {
  const others = formsOf(b)
  return formsOf(a).some(one => others.some(other => canBeEqual(one, other)))
}
