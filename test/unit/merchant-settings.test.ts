import { freshIds } from '../../lib/tool/imports/new-records.ts'
import { readSettings } from '../../lib/tool/settings.ts'
import { readQuantity } from '../../lib/tool/stock.ts'
import { isCountry } from '../../shared/contract/vocabulary.ts'
import { timeZoneOf } from '../../shared/merchants/settings.ts'
import { isTimeZone } from '../../shared/values/day.ts'

describe('settings on the command line', () => {
  test('have a creditor identifier whose business code is free, as its check digits leave it out', () => {
    for (const code of ['ZZZ', 'A01'])
      expect(readSettings({ creditor_id: `de98 ${code}0 9999 9999 99` })).toEqual({
        creditor_id: `DE98${code}09999999999`,
      })
  })

  test('are parsed into the merchant’s attributes', () => {
    expect(
      readSettings({
        payment_types: 'paypal, cash,paypal',
        default_payment_type: 'cash',
        freight_free_from: '150.00',
        redirect_hosts: 'shop.example.org,xn--wein-loa.example',
        ships_to: 'de, AT',
        timezone: 'Europe/Zurich',
        payment_provider: 'paypal',
        company: 'Weinhandel Krug',
      }),
    ).toEqual({
      payment_types: ['paypal', 'cash'],
      default_payment_type: 'cash',
      freight_free_from: '150.00',
      redirect_hosts: ['shop.example.org', 'xn--wein-loa.example'],
      ships_to: ['de', 'at'],
      timezone: 'Europe/Zurich',
      payment_provider: 'paypal',
      company: 'Weinhandel Krug',
    })
    const cleared = { freight_free_from: null, redirect_hosts: [], ships_to: [], timezone: null, company: null }
    expect(
      readSettings({
        freight_free_from: 'none',
        redirect_hosts: 'none',
        ships_to: 'none',
        timezone: 'none',
        company: 'none',
      }),
    ).toEqual(cleared)
    expect([readQuantity('12'), readQuantity('0'), readQuantity('none')]).toEqual([12, 0, null])
  })

  test.each<[string, () => unknown, RegExp]>([
    [
      'an unknown payment type',
      () => readSettings({ payment_types: 'cash,barter' }),
      /`payment_types\.1` must be one of paypal/,
    ],
    ['no payment type', () => readSettings({ payment_types: ' , ' }), /`payment_types` must have at least 1/],
    [
      'a creditor identifier with wrong check digits',
      () => readSettings({ creditor_id: 'DE99ZZZ09999999999' }),
      /`creditor_id` must be a SEPA creditor identifier with valid check digits/,
    ],
    ['an unknown time zone', () => readSettings({ timezone: 'Europe/Bonn' }), /`timezone` must be the name of an IANA/],
    ['an unknown country', () => readSettings({ ships_to: 'de,xx' }), /`ships_to\.1` must be the code of a country/],
    ['an unknown default', () => readSettings({ default_payment_type: '' }), /`default_payment_type` must be one of/],
    ['a limit without cents', () => readSettings({ freight_free_from: '150' }), /an amount with two decimals/],
    ['a limit below zero', () => readSettings({ freight_free_from: '-1.00' }), /at least 0/],
    ...[
      'https://shop.example.org',
      'shop.example.org/x',
      'shop.example.org:8080',
      'Shop.example.org',
      'me@host.example',
    ].map((host): [string, () => unknown, RegExp] => [
      `the host ${host}`,
      () => readSettings({ redirect_hosts: host }),
      /`redirect_hosts\.0` must be the name of a host/,
    ]),
    ['an unknown provider', () => readSettings({ payment_provider: 'stripe' }), /must be one of sandbox, paypal/],
    ['a broken quantity', () => readQuantity('1.5'), /a whole number of 0 or more, or none/],
    ['a quantity below zero', () => readQuantity('-1'), /a whole number of 0 or more, or none/],
    ['a quantity beyond counting', () => readQuantity('9'.repeat(17)), /a whole number of 0 or more, or none/],
  ])('refuse %s', (_, read, message) => {
    expect(read).toThrow(message)
  })
})

describe('the time zone of a merchant', () => {
  const zoneIn = (countrycode: string) => timeZoneOf({ countrycode })

  test('is that of its country, or of most people there', () => {
    const countries = ['de', 'AT', 'ch', 'fr', 'es', 'pt', 'gb', 'us', 'ca', 'br', 'ar', 'cl', 'au', 'nz', 'za', 'ge']
    expect(countries.map(zoneIn)).toEqual([
      ...['Europe/Berlin', 'Europe/Vienna', 'Europe/Zurich', 'Europe/Paris', 'Europe/Madrid', 'Europe/Lisbon'],
      ...['Europe/London', 'America/New_York', 'America/Toronto', 'America/Sao_Paulo'],
      ...['America/Argentina/Buenos_Aires', 'America/Santiago', 'Australia/Sydney', 'Pacific/Auckland'],
      ...['Africa/Johannesburg', 'Asia/Tbilisi'],
    ])
  })

  test('is known for every country', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const countries = letters.flatMap(first => letters.map(second => first + second)).filter(isCountry)
    expect(countries.length).toBeGreaterThan(240)
    expect(countries.filter(country => !isTimeZone(zoneIn(country)))).toEqual([])
  })

  test('is the German one without a country, and the one that is set in any country', () => {
    expect(timeZoneOf({})).toBe('Europe/Berlin')
    expect(timeZoneOf({ countrycode: 'us', timezone: 'America/Denver' })).toBe('America/Denver')
  })
})

describe('ids of new records', () => {
  test('are the requested ids if these are free', () => {
    const [first, second, third] = freshIds([1, 2, 2], [1])
    expect(second).toBe(2)
    expect(new Set([1, first, second, third]).size).toBe(4)
  })

  test('rise in the order of the records and are unique, however many are made concurrently', () => {
    const taken = freshIds(Array(500).fill(undefined), [])
    const ids = freshIds(Array(3000).fill(undefined), taken)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set([...taken, ...ids]).size).toBe(3500)
  })
})
