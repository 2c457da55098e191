import * as v from 'valibot'
import { hasCapture, viewOf } from '../../shared/payments/paypal/view.ts'
import { Order, reasonIn } from '../../shared/payments/paypal/wire.ts'
import { captured, order, payment, refunded } from '../support/paypal/scripted.ts'

const read = ({ body }: { body?: unknown }): Order => v.parse(Order, body)
const zero = { amount: { currency_code: 'EUR', value: '0.00' } }

describe('captures as one payment', () => {
  const viewed = (captures: object[], refunds: object[] = [], more: object = {}) =>
    viewOf(read(order('COMPLETED', captures as never, more, refunds as never)))

  test('are pending if one is not final, with its amount and its id', () => {
    const { state, amount, captureId } = viewed([captured('COMPLETED', { id: 'C1', final_capture: false })])
    expect([state, amount, captureId]).toEqual(['pending', 2519, 'C1'])
  })

  test('of which one was partly refunded by an unknown amount have an unknown refund', () => {
    const both = [captured('COMPLETED', { id: 'C1' }), captured('PARTIALLY_REFUNDED', { id: 'C2' })]
    expect(viewed(both)).toMatchObject({ state: 'captured', amount: 5038, refunded: null })
  })

  test('of nothing are captured, not refunded', () => {
    expect(viewed([captured('COMPLETED', zero)])).toMatchObject({ state: 'captured', amount: 0, refunded: 0 })
    expect(viewed([captured('PARTIALLY_REFUNDED', zero)])).toMatchObject({ state: 'captured', refunded: null })
  })

  test('that were declined have the first reason among them', () => {
    const reason = { status_details: { reason: 'BUYER_COMPLAINT' } }
    const both = [captured('DECLINED', { id: 'C1' }), captured('DECLINED', { id: 'C2', ...reason })]
    expect(viewed(both)).toMatchObject({ state: 'declined', reason: 'BUYER_COMPLAINT' })
  })

  test('have the custom id of their order if they have none of their own', () => {
    const bare = captured('COMPLETED', { custom_id: undefined })
    expect(viewed([bare])).toMatchObject({ customId: payment })
  })

  test('with refunds beyond the captured amount are refunded by that amount', () => {
    expect(viewed([captured()], [refunded('30.00')])).toMatchObject({ state: 'refunded', refunded: 2519 })
  })
})

describe('an order without captures', () => {
  const bare = { id: '5O', status: 'APPROVED' }

  test('has the state of its status, also with an empty list', () => {
    const unit = { payments: { captures: [] } }
    expect(viewOf(read({ body: { ...bare, purchase_units: [unit] } }))).toMatchObject({ state: 'approved' })
    expect(viewOf(read({ body: { ...bare, purchase_units: [{}] } }))).toMatchObject({ amount: null, currency: null })
  })

  test('has no capture, however few fields it has', () => {
    for (const purchase_units of [undefined, null, [], [{}], [{ payments: {} }], [{ payments: { captures: [] } }]])
      expect(hasCapture(read({ body: { ...bare, purchase_units } }))).toBe(false)
    expect(hasCapture(read(order('COMPLETED', [captured()])))).toBe(true)
  })

  test('has no payer if it names none', () => {
    for (const payment_source of [undefined, null, {}, { paypal: null }, { paypal: {} }])
      expect(viewOf(read({ body: { ...bare, payment_source } })).payerId).toBe(null)
    expect(viewOf(read({ body: { ...bare, payment_source: { paypal: { account_id: 'A' } } } })).payerId).toBe('A')
  })

  test.each(['XEUR', 'EURO', 'eur', ''])('in the currency %j is invalid', currency_code => {
    const unit = { amount: { currency_code, value: '1.00' } }
    expect(v.is(Order, { ...bare, purchase_units: [unit] })).toBe(false)
  })
})

test('a refusal may have few fields', () => {
  const name = 'UNPROCESSABLE_ENTITY'
  const nothing = { name: null, issue: null, debugId: null }
  expect(reasonIn({ name, details: [], debug_id: 'd1' })).toEqual({ name, issue: null, debugId: 'd1' })
  expect(reasonIn({ name, details: [{ issue: 'A' }, { issue: 'B' }] })).toEqual({ name, issue: 'A', debugId: null })
  for (const json of [undefined, null, 'x', [], 7]) expect(reasonIn(json)).toEqual(nothing)
  expect(reasonIn({ name: 'no word', details: 'x', debug_id: 'no id' })).toEqual(nothing)
})
