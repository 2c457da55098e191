import fc from 'fast-check'
import { type Day, dayOf, endOf, isTimeZone, laterDay, startOf } from '../../shared/values/day.ts'
import { timestamp } from '../../shared/values/time.ts'

const berlin = 'Europe/Berlin'
const hours = (day: Day, zone: string) => (endOf(day, zone) - startOf(day, zone)) / 3_600_000

describe('the day of a timestamp', () => {
  test.each([
    ['2026-12-31 22:59:59', berlin, '2026-12-31'],
    ['2026-12-31 23:00:00', berlin, '2027-01-01'],
    ['2026-12-31 23:05:00', berlin, '2027-01-01'],
    ['2026-12-31 23:05:00', 'UTC', '2026-12-31'],
    ['2026-12-31 23:05:00', 'Europe/Lisbon', '2026-12-31'],
    ['2026-06-30 21:59:59', berlin, '2026-06-30'],
    ['2026-06-30 22:00:00', berlin, '2026-07-01'],
    ['2026-03-31 22:00:00', berlin, '2026-04-01'],
    ['2028-02-28 23:30:00', berlin, '2028-02-29'],
    ['2027-01-01 04:59:59', 'America/New_York', '2026-12-31'],
    ['2026-12-31 10:00:00', 'Pacific/Kiritimati', '2027-01-01'],
    ['2026-12-31 18:15:00', 'Asia/Kathmandu', '2027-01-01'],
  ])('%s is in %s the day %s', (stamp, zone, day) => {
    expect(dayOf(stamp, zone)).toBe(day)
  })

  test('changes at midnight, on the days on which clocks change as well', () => {
    const edges = (['2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26'] as const).map(day =>
      timestamp(startOf(day, berlin)),
    )
    expect(edges).toEqual(['2026-03-28 23:00:00', '2026-03-29 22:00:00', '2026-10-24 22:00:00', '2026-10-25 23:00:00'])
  })
})

describe('a day', () => {
  test.each([
    ['2026-03-29', berlin, 23],
    ['2026-10-25', berlin, 25],
    ['2026-10-26', berlin, 24],
    // Clocks change at midnight: in Santiago to 1 o'clock and back to 23, in Havana from 1 back to 0.
    ['2026-09-06', 'America/Santiago', 23],
    ['2026-04-04', 'America/Santiago', 25],
    ['2026-11-01', 'America/Havana', 25],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5],
    // Samoa went over the date line.
    ['2011-12-30', 'Pacific/Apia', 0],
  ] as const)('%s has in %s %d hours', (day, zone, length) => {
    expect(hours(day, zone)).toBe(length)
  })

  test('later is a day of the calendar, however long the days between are', () => {
    expect(laterDay('2026-03-15', 14)).toBe('2026-03-29')
    expect(laterDay('2026-03-15', 30)).toBe('2026-04-14')
    expect(laterDay('2026-10-20', 14)).toBe('2026-11-03')
    expect(laterDay('2026-12-31', 1)).toBe('2027-01-01')
    expect(laterDay('2028-02-28', 1)).toBe('2028-02-29')
  })

  test('may be the first or last that four digits write', () => {
    expect(timestamp(startOf('0001-01-01', 'UTC'))).toBe('0001-01-01 00:00:00')
    expect(endOf('9999-12-31', berlin)).toBe(Date.UTC(10_000, 0, 1) - 3_600_000)
  })
})

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
// Seconds from 2026 to 2060.
const moments = fc.integer({ min: 1_767_225_600, max: 2_840_140_800 }).map(seconds => seconds * 1000)

/** The day as Intl writes its parts, by another form than the code reads. */
const written = (moment: number, zone: string): string => {
  const parts = new Intl.DateTimeFormat('de', {
    ...{ timeZone: zone, calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(moment)
  const part = (name: string) => parts.find(({ type }) => type === name)?.value
  return `${part('year')}-${part('month')}-${part('day')}`
}

describe('for any moment and time zone', () => {
  test('the day is the one that Intl writes', () => {
    fc.assert(
      fc.property(moments, zones, (moment, zone) => {
        expect(dayOf(timestamp(moment), zone)).toBe(written(moment, zone))
      }),
      { numRuns: 1000 },
    )
  })

  test('the moment is between the start and the end of its day, which begin another day', () => {
    fc.assert(
      fc.property(moments, zones, (moment, zone) => {
        const day = dayOf(timestamp(moment), zone)
        const [start, end] = [startOf(day, zone), endOf(day, zone)]
        expect(start <= moment && moment < end).toBe(true)
        expect([written(start, zone), written(end - 1000, zone)]).toEqual([day, day])
        expect(written(start - 1000, zone) < day && written(end, zone) > day).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

test('a time zone is a name that Intl knows, and no offset', () => {
  const names = [berlin, 'UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Europe/Kyiv']
  expect(names.filter(isTimeZone)).toEqual(names)
  expect(['', 'Berlin', 'Europe/Bonn', '+01:00', '01:00', 'GMT+1', ' Europe/Berlin'].filter(isTimeZone)).toEqual([])
})
