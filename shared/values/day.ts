import { parseTimestamp, timestamp } from './time.ts'

/** A day of the calendar: `YYYY-MM-DD`. The beginning of a timestamp is none for the compiler: it is the day in UTC. */
export type Day = `${number}-${number}-${number}`

const formats = new Map<string, Intl.DateTimeFormat>()

// A format takes some milliseconds to make, and a microsecond to use.
const formatIn = (zone: string): Intl.DateTimeFormat => {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  return format
}

/** True for an IANA time zone, such as Europe/Berlin; offsets, such as +01:00, are none. */
export const isTimeZone = (text: string): boolean => {
  try {
    return /^[a-z]/i.test(text) && Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
  } catch {
    return false
  }
}

/** How many milliseconds the clocks of a zone are ahead of UTC. */
const offsetAt = (moment: number, zone: string): number => {
  const [, sign, ...parts] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatIn(zone).format(moment)) ?? []
  const [hours = 0, minutes = 0, seconds = 0] = parts.map(part => Number(part ?? 0))
  return (sign === '-' ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds)
}

const calendarDay = (moment: number): Day => timestamp(moment).slice(0, 10) as Day

/** The day of a timestamp in a time zone. */
export const dayOf = (stamp: string, zone: string): Day => {
  const moment = parseTimestamp(stamp)
  return calendarDay(moment + offsetAt(moment, zone))
}

const aDay = 86_400_000

const midnight = (day: Day): number => Date.parse(`${day}T00:00:00Z`)

/** The day so many days later. */
export const laterDay = (day: Day, days: number): Day => calendarDay(midnight(day) + days * aDay)

// Where clocks change at midnight, a day begins at 1, or its first hour is there twice. Clocks do not change twice in two days.
const firstMoment = (midnightInUtc: number, zone: string): number => {
  const moments = [-aDay, aDay].map(beside => midnightInUtc - offsetAt(midnightInUtc + beside, zone))
  return Math.min(...moments.filter(moment => moment + offsetAt(moment, zone) >= midnightInUtc))
}

/** The first moment of a day in a time zone, in epoch milliseconds. */
export const startOf = (day: Day, zone: string): number => firstMoment(midnight(day), zone)

/** The first moment after a day in a time zone, in epoch milliseconds. */
export const endOf = (day: Day, zone: string): number => firstMoment(midnight(day) + aDay, zone)
