import { paid, server, verbs, wordOf } from '../support/paypal-harness.ts'
import { type Answer, captured, order, orderId, payment, refusal } from '../support/paypal-server.ts'

describe('taking the money', () => {
  const capture = (...answers: Answer[]) => {
    server.answers({ capture: answers })
    return verbs.capture()
  }
  const asCaptured = (status: string, changes?: object) => ({
    ...order('COMPLETED', [captured(status, changes)]),
    status: 201,
  })

  test('asks with the given request id for the whole order', async () => {
    expect(await capture(asCaptured('COMPLETED'))).toEqual(paid)
    const [{ path, headers, body } = {}] = server.seen('capture')
    expect(path).toBe(`/v2/checkout/orders/${orderId}/capture`)
    expect(headers).toMatchObject({ 'paypal-request-id': `${payment}:capture`, prefer: 'return=representation' })
    expect(body).toBe('{}')
  })

  test.each([
    ['COMPLETED', 'captured'],
    ['PENDING', 'pending'],
    ['DECLINED', 'declined'],
    ['FAILED', 'declined'],
    ['REFUNDED', 'cancelled'],
    ['PARTIALLY_REFUNDED', 'pending'],
    ['SOMETHING_NEW', 'pending'],
  ])('a capture that is %s counts as %s, whatever the order says', async (status, state) => {
    expect(await capture(asCaptured(status))).toEqual({ ...paid, state })
  })

  test('a capture that is not the final one is not paid', async () => {
    expect(await capture(asCaptured('COMPLETED', { final_capture: false }))).toMatchObject({ state: 'pending' })
    expect(await capture(asCaptured('COMPLETED', { final_capture: undefined }))).toMatchObject({ state: 'pending' })
  })

  test('amount, currency and custom id are the capture’s, not the order’s', async () => {
    const changes = { amount: { currency_code: 'USD', value: '0.01' }, custom_id: 'another' }
    const view = { ...paid, amount: 1, currency: 'USD', customId: 'another' }
    expect(await capture(asCaptured('COMPLETED', changes))).toEqual(view)
  })

  test('a completed capture counts more than a declined one before it', async () => {
    const captures = [captured('DECLINED', { id: 'FIRST' }), captured('COMPLETED')]
    expect(await capture({ ...order('COMPLETED', captures), status: 201 })).toEqual(paid)
  })

  test.each([
    ['ORDER_NOT_APPROVED', 'open'],
    ['PAYER_ACTION_REQUIRED', 'open'],
    ['INSTRUMENT_DECLINED', 'declined'],
  ])('the refusal %s means %s', async (issue, state) => {
    expect(await capture(refusal(issue))).toMatchObject({ state, amount: null, captureId: null })
  })

  test('an order that was captured before is looked up', async () => {
    server.answers({
      capture: [refusal('ORDER_ALREADY_CAPTURED')],
      look: [order('COMPLETED', [captured('COMPLETED', { amount: { currency_code: 'EUR', value: '25.18' } })])],
    })
    expect(await verbs.capture()).toEqual({ ...paid, amount: 2518 })
  })

  test('a completed order without its captures is looked up', async () => {
    server.answers({
      capture: [{ status: 201, body: { id: orderId, status: 'COMPLETED' } }],
      look: [order('COMPLETED', [captured('PENDING')])],
    })
    expect(await verbs.capture()).toEqual({ ...paid, state: 'pending' })
    server.answers({
      capture: [{ status: 201, body: { id: orderId, status: 'COMPLETED' } }],
      look: [order('COMPLETED')],
    })
    expect(await verbs.capture()).toMatchObject({ state: 'pending', captureId: null })
  })

  test('any other refusal is a failure', async () => {
    expect(await wordOf(capture(refusal('COMPLIANCE_VIOLATION')))).toBe('payment_provider_error')
    expect(await wordOf(capture(refusal('PERMISSION_DENIED', 403, 'NOT_AUTHORIZED')))).toBe('payment_provider_error')
    expect(await wordOf(capture({ status: 422, body: null }))).toBe('payment_provider_error')
    expect(await wordOf(capture({ status: 302, raw: '', headers: { location: 'http://169.254.169.254/' } }))).toBe(
      'payment_provider_error',
    )
  })

  test.each([
    ['another order', order('COMPLETED', [captured()], { id: 'ANOTHER' })],
    ['two purchase units', order('COMPLETED', [captured()], { purchase_units: [{}, {}] })],
    [
      'an amount that is none',
      order('COMPLETED', [captured('COMPLETED', { amount: { currency_code: 'EUR', value: '25,19' } })]),
    ],
    [
      'an amount as a number',
      order('COMPLETED', [captured('COMPLETED', { amount: { currency_code: 'EUR', value: 25.19 } })]),
    ],
    ['no amount', order('COMPLETED', [captured('COMPLETED', { amount: undefined })])],
    ['no JSON', { status: 200, raw: '<html>busy</html>' }],
    ['no body', { status: 200, raw: '' }],
    [
      'more than 64 KB',
      { status: 200, raw: JSON.stringify({ ...(order('X').body as object), more: 'x'.repeat(70_000) }) },
    ],
  ])('an answer with %s is a failure', async (_, answer) => {
    server.answers({ capture: [answer] })
    expect(await wordOf(verbs.capture())).toBe('payment_provider_error')
    expect(server.seen('capture')).toHaveLength(1)
  })
})
