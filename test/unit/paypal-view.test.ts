import * as v from 'valibot'
import { hasCapture, viewOf } from '../../shared/payments/paypal/view.ts'
import { Order, reasonIn } from '../../shared/payments/paypal/wire.ts'
import { captured, order, payment, refunded } from '../support/paypal/scripted.ts'

const read = ({ body }: { body?: unknown }): Order => v.parse(Order, body)
const zero = { amount: { currency_code: 'EUR', value: '0.00' } }

describe('captures as one payment', () => {
  const viewed = (captures: object[], refunds: object[] = [], more: object = {}) =>
    viewOf(read(order('COMPLETED', captures as never, more, refunds as never)))

  test('one that is not the final one is on its way, with its amount and its id', () => {
    const { state, amount, captureId } = viewed([captured('COMPLETED', { id: 'C1', final_capture: false })])
    expect([state, amount, captureId]).toEqual(['pending', 2519, 'C1'])
  })

  test('of which one was refunded in part, by an unknown amount, leave it open how much', () => {
    const both = [captured('COMPLETED', { id: 'C1' }), captured('PARTIALLY_REFUNDED', { id: 'C2' })]
    expect(viewed(both)).toMatchObject({ state: 'captured', amount: 5038, refunded: null })
  })

  test('of nothing are captured, not given back', () => {
    expect(viewed([captured('COMPLETED', zero)])).toMatchObject({ state: 'captured', amount: 0, refunded: 0 })
    expect(viewed([captured('PARTIALLY_REFUNDED', zero)])).toMatchObject({ state: 'captured', refunded: null })
  })

  test('that were declined tell the first reason there is', () => {
    const reason = { status_details: { reason: 'BUYER_COMPLAINT' } }
    const both = [captured('DECLINED', { id: 'C1' }), captured('DECLINED', { id: 'C2', ...reason })]
    expect(viewed(both)).toMatchObject({ state: 'declined', reason: 'BUYER_COMPLAINT' })
  })

  test('are known by the custom id of their order where they have none of their own', () => {
    const bare = captured('COMPLETED', { custom_id: undefined })
    expect(viewed([bare])).toMatchObject({ customId: payment })
  })

  test('with refunds beyond what there was are given back, as much as was taken', () => {
    expect(viewed([captured()], [refunded('30.00')])).toMatchObject({ state: 'refunded', refunded: 2519 })
  })
})

describe('an order without captures', () => {
  const bare = { id: '5O', status: 'APPROVED' }

  test('is what its status says, also where there is a list of none', () => {
    const unit = { payments: { captures: [] } }
    expect(viewOf(read({ body: { ...bare, purchase_units: [unit] } }))).toMatchObject({ state: 'approved' })
    expect(viewOf(read({ body: { ...bare, purchase_units: [{}] } }))).toMatchObject({ amount: null, currency: null })
  })

  test('has no capture, however little it says', () => {
    for (const purchase_units of [undefined, null, [], [{}], [{ payments: {} }], [{ payments: { captures: [] } }]])
      expect(hasCapture(read({ body: { ...bare, purchase_units } }))).toBe(false)
    expect(hasCapture(read(order('COMPLETED', [captured()])))).toBe(true)
  })

  test('has no payer where it names none', () => {
    for (const payment_source of [undefined, null, {}, { paypal: null }, { paypal: {} }])
      expect(viewOf(read({ body: { ...bare, payment_source } })).payerId).toBe(null)
    expect(viewOf(read({ body: { ...bare, payment_source: { paypal: { account_id: 'A' } } } })).payerId).toBe('A')
  })

  test.each(['XEUR', 'EURO', 'eur', ''])('in the currency %j is none', currency_code => {
    const unit = { amount: { currency_code, value: '1.00' } }
    expect(v.is(Order, { ...bare, purchase_units: [unit] })).toBe(false)
  })
})

test('what a refusal says may be little', () => {
  const name = 'UNPROCESSABLE_ENTITY'
  const nothing = { name: null, issue: null, debugId: null }
  expect(reasonIn({ name, details: [], debug_id: 'd1' })).toEqual({ name, issue: null, debugId: 'd1' })
  expect(reasonIn({ name, details: [{ issue: 'A' }, { issue: 'B' }] })).toEqual({ name, issue: 'A', debugId: null })
  for (const json of [undefined, null, 'x', [], 7]) expect(reasonIn(json)).toEqual(nothing)
  expect(reasonIn({ name: 'no word', details: 'x', debug_id: 'no id' })).toEqual(nothing)
})
