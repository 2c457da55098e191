import { freshIds } from '../../lib/tool/imports/new-records.ts'
import { readSettings } from '../../lib/tool/settings.ts'
import { readQuantity } from '../../lib/tool/stock.ts'

describe('settings on the command line', () => {
  test('are parsed into the merchant’s attributes', () => {
    expect(
      readSettings({
        payment_types: 'paypal, cash,paypal',
        default_payment_type: 'cash',
        freight_free_from: '150.00',
        redirect_hosts: 'shop.example.org,xn--wein-loa.example',
        ships_to: 'de, AT',
        payment_provider: 'paypal',
        company: 'Weinhandel Krug',
      }),
    ).toEqual({
      payment_types: ['paypal', 'cash'],
      default_payment_type: 'cash',
      freight_free_from: '150.00',
      redirect_hosts: ['shop.example.org', 'xn--wein-loa.example'],
      ships_to: ['de', 'at'],
      payment_provider: 'paypal',
      company: 'Weinhandel Krug',
    })
    const cleared = { freight_free_from: null, redirect_hosts: [], ships_to: [], company: null }
    expect(
      readSettings({ freight_free_from: 'none', redirect_hosts: 'none', ships_to: 'none', company: 'none' }),
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
