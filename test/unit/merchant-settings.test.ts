import { freshIds } from '../../lib/tool/imports/new-records.ts'
import {
  readFreightLimit,
  readHosts,
  readPaymentType,
  readPaymentTypes,
  readProvider,
} from '../../lib/tool/settings.ts'
import { readQuantity } from '../../lib/tool/stock.ts'

describe('settings on the command line', () => {
  test('are parsed into the merchant’s attributes', () => {
    expect(readPaymentTypes('paypal, cash,paypal')).toEqual(['paypal', 'cash'])
    expect(readFreightLimit('150.00')).toBe('150.00')
    expect(readFreightLimit('none')).toBeNull()
    expect(readHosts('shop.example.org,xn--wein-loa.example')).toEqual(['shop.example.org', 'xn--wein-loa.example'])
    expect(readHosts('none')).toEqual([])
    expect(readProvider('paypal')).toBe('paypal')
    expect([readQuantity('12'), readQuantity('0'), readQuantity('none')]).toEqual([12, 0, null])
  })

  test.each<[string, () => unknown, RegExp]>([
    [
      'an unknown payment type',
      () => readPaymentTypes('cash,barter'),
      /^unknown payment type barter; known are paypal, /,
    ],
    ['no payment type', () => readPaymentTypes(' , '), /at least one payment type/],
    ['an unknown default', () => readPaymentType(''), /^unknown payment type/],
    ['a limit without cents', () => readFreightLimit('150'), /an amount such as 150\.00, or none/],
    ['a limit below zero', () => readFreightLimit('-1.00'), /an amount such as 150\.00, or none/],
    ['a host with a scheme', () => readHosts('https://shop.example.org'), /the name of a host/],
    ['a host with a path', () => readHosts('shop.example.org/x'), /the name of a host/],
    ['a host with a port', () => readHosts('shop.example.org:8080'), /the name of a host/],
    ['a host in capitals', () => readHosts('Shop.example.org'), /the name of a host/],
    ['a host with a user', () => readHosts('me@shop.example.org'), /the name of a host/],
    ['no host', () => readHosts(','), /at least one host/],
    [
      'an unknown provider',
      () => readProvider('stripe'),
      /^unknown payment provider stripe; known are sandbox, paypal/,
    ],
    ['a broken quantity', () => readQuantity('1.5'), /a whole number of 0 or more, or none/],
    ['a quantity below zero', () => readQuantity('-1'), /a whole number of 0 or more, or none/],
    ['a quantity beyond counting', () => readQuantity('9'.repeat(17)), /a whole number of 0 or more, or none/],
  ])('refuse %s', (_, read, message) => {
    expect(read).toThrow(message)
  })
})

describe('ids of new records', () => {
  test('are the requested ones if these are free', () => {
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
