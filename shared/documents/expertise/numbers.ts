import { dayOf } from '../../values/day.ts'
import { centsPerLitre, parseMoney } from '../../values/money.ts'
import { timestamp } from '../../values/time.ts'
import type { Labels } from './labels.ts'

const nbsp = '\u00a0'

/** A decimal string with its unit in a locale's form ("12.5" → "12,5 % vol"); null for missing, zero or unreadable values. */
export const measure = (value: string | null, unit: string, locale: string, digits: [number, number]) => {
  const number = Number(value ?? '')
  if (!Number.isFinite(number) || number <= 0) return null
  const [minimumFractionDigits, maximumFractionDigits] = digits
  return `${number.toLocaleString(locale, { minimumFractionDigits, maximumFractionDigits })}${nbsp}${unit}`
}

const plainRange = /^\s*(\d+(?:[.,]\d+)?)\s*(?:(?:[-–—]|bis|to)\s*(\d+(?:[.,]\d+)?)\s*)?(?:°\s*C?)?\s*$/

/** A temperature range in °C ("8-10" → "8–10 °C"); wording of any other shape stays as it is. */
export const temperature = (value: string | null, locale: string): string | null => {
  if (!value?.trim()) return null
  const range = plainRange.exec(value)
  if (!range) return value.trim()
  const ends = range.slice(1).filter(end => end !== undefined)
  return `${ends.map(end => Number(end.replace(',', '.')).toLocaleString(locale)).join('–')}${nbsp}°C`
}

const euros = (cents: number, locale: string) =>
  (cents / 100).toLocaleString(locale, { style: 'currency', currency: 'EUR' })

type Priced = { gross: string; bottlesize: string; taxrate: number }

/**
 * The gross price in euros and, under it, the price per litre (unless it is the same) and the tax included;
 * null when the price is not positive.
 */
export const price = (wine: Priced, labels: Labels, locale: string): { amount: string; note: string } | null => {
  const cents = parseMoney(wine.gross)
  if (cents === undefined || cents <= 0) return null
  const perLitre = centsPerLitre(cents, wine.bottlesize)
  const notes = [
    perLitre === null || perLitre === cents ? null : `${euros(perLitre, locale)} ${labels.perLitre}`,
    wine.taxrate > 0 ? labels.taxIncluded.replace('{rate}', wine.taxrate.toLocaleString(locale)) : null,
  ]
  return { amount: euros(cents, locale), note: notes.filter(note => note !== null).join(' · ') }
}

/** The moment of a stored UTC timestamp (YYYY-MM-DD HH:MM:SS); the epoch when it is unreadable. */
export const momentOf = (stamp: string): Date => {
  const moment = new Date(`${stamp.replace(' ', 'T')}Z`)
  return Number.isNaN(moment.getTime()) ? new Date(0) : moment
}

/** The day of a timestamp in a time zone, written out in a locale ("12. März 2024"). */
export const writtenDay = (stamp: string, zone: string, locale: string): string => {
  const day = dayOf(timestamp(momentOf(stamp)), zone)
  return new Date(day).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}
