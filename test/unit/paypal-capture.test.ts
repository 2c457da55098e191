import type { Answer } from '../support/paypal/answers.ts'
import { captured, captureId, order, orderId, payment, refusal } from '../support/paypal/scripted.ts'
import { paid, server, verbs, wordOf } from '../support/paypal-harness.ts'

describe('a capture', () => {
  const capture = (...answers: Answer[]) => {
    server.answers({ capture: answers })
    return verbs.capture()
  }
  const asCaptured = (status: string, changes?: object) => ({
    ...order('COMPLETED', [captured(status, changes)]),
    status: 201,
  })

  test('requests the whole order under the given request id', async () => {
    expect(await capture(asCaptured('COMPLETED'))).toEqual(paid)
    const [{ path, headers, body } = {}] = server.seen('capture')
    expect(path).toBe(`/v2/checkout/orders/${orderId}/capture`)
    expect(headers).toMatchObject({ 'paypal-request-id': `${payment}:capture`, prefer: 'return=representation' })
    expect(body).toBe('{}')
  })

  test.each([
    ['COMPLETED', 'captured', { refunded: 0 }],
    ['PENDING', 'pending', { refunded: null, reason: 'ECHECK' }],
    ['DECLINED', 'declined', { refunded: null }],
    ['FAILED', 'declined', { refunded: null }],
    ['REFUNDED', 'refunded', { refunded: 2519 }],
    ['REVERSED', 'refunded', { refunded: 2519 }],
    ['PARTIALLY_REFUNDED', 'captured', { refunded: null }],
    ['SOMETHING_NEW', 'pending', { refunded: null }],
  ])('that is %s counts as %s, whatever the order says', async (status, state, more) => {
    expect(await capture(asCaptured(status))).toEqual({ ...paid, state, ...more })
  })

  test.each([
    ['PENDING', 'CHARGEBACK', 'refunded'],
    ['DECLINED', 'REFUNDED', 'refunded'],
    ['PENDING', 'BUYER_COMPLAINT', 'pending'],
    ['PENDING', 'PENDING_REVIEW', 'pending'],
    ['DECLINED', 'DECLINED_BY_RISK_FRAUD_FILTERS', 'declined'],
  ])('that is %s for %s counts as %s', async (status, reason, state) => {
    expect(await capture(asCaptured(status, { status_details: { reason } }))).toMatchObject({ state, reason })
  })

  test.each([
    ['no word', 'Ask the bank!'],
    ['no text', 7],
    ['too long', 'X'.repeat(65)],
  ])('whose reason is %s is read without it', async (_, reason) => {
    expect(await capture(asCaptured('PENDING', { status_details: { reason } }))).toMatchObject({
      state: 'pending',
      reason: null,
    })
    expect(await capture(asCaptured('COMPLETED', { status_details: reason }))).toEqual(paid)
  })

  test('that is not final is not paid', async () => {
    expect(await capture(asCaptured('COMPLETED', { final_capture: false }))).toMatchObject({ state: 'pending' })
    expect(await capture(asCaptured('COMPLETED', { final_capture: undefined }))).toMatchObject({ state: 'pending' })
  })

  test('has its own amount, currency and custom id, not the order’s', async () => {
    const changes = { amount: { currency_code: 'USD', value: '0.01' }, custom_id: 'another' }
    const view = { ...paid, amount: 1, currency: 'USD', customId: 'another' }
    expect(await capture(asCaptured('COMPLETED', changes))).toEqual(view)
  })

  test('that is completed takes precedence over an earlier declined one', async () => {
    const captures = [captured('DECLINED', { id: 'FIRST' }), captured('COMPLETED')]
    expect(await capture({ ...order('COMPLETED', captures), status: 201 })).toEqual(paid)
  })

  test('adds to the others that took money, which shows double captures', async () => {
    const second = (status: string, value: string, changes = {}) =>
      captured(status, { id: 'SECOND', amount: { currency_code: 'EUR', value }, ...changes })
    const views = (one: object, two: object) => capture({ ...order('COMPLETED', [one, two]), status: 201 })
    expect(await views(captured(), second('COMPLETED', '25.19'))).toEqual({ ...paid, amount: 5038 })
    expect(await views(captured(), second('PENDING', '0.01'))).toEqual({ ...paid, amount: 2520 })
    expect(await views(second('DECLINED', '25.19'), captured('PENDING'))).toMatchObject({
      state: 'pending',
      amount: 2519,
      captureId,
    })
    expect(await views(captured('REFUNDED'), second('COMPLETED', '25.19'))).toMatchObject({
      state: 'captured',
      amount: 2519,
      captureId: 'SECOND',
    })
    const dollars = { amount: { currency_code: 'USD', value: '1.00' } }
    expect(await views(captured(), second('COMPLETED', '', dollars))).toMatchObject({ amount: null, currency: null })
    expect(await views(captured(), second('COMPLETED', '1.00', { custom_id: 'x' }))).toMatchObject({ customId: null })
  })

  test('may have an amount of ten digits', async () => {
    const amount = { currency_code: 'EUR', value: '9998999999900.01' }
    expect(await capture(asCaptured('COMPLETED', { amount }))).toEqual({ ...paid, amount: 999_899_999_990_001 })
  })

  test.each([
    ['ORDER_NOT_APPROVED', 'open'],
    ['PAYER_ACTION_REQUIRED', 'open'],
    ['INSTRUMENT_DECLINED', 'declined'],
    ['PAYER_ACCOUNT_RESTRICTED', 'declined'],
    ['PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'declined'],
    ['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'declined'],
    ['REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', 'declined'],
    ['CARD_EXPIRED', 'declined'],
    ['COMPLIANCE_VIOLATION', 'declined'],
    ['PAYEE_BLOCKED_TRANSACTION', 'declined'],
    ['TRANSACTION_BLOCKED_BY_PAYEE', 'declined'],
    ['TRANSACTION_LIMIT_EXCEEDED', 'declined'],
    ['ORDER_EXPIRED', 'cancelled'],
    ['ORDER_VOIDED', 'cancelled'],
  ])('refused with %s is %s', async (issue, state) => {
    const reason = state === 'open' ? null : issue
    expect(await capture(refusal(issue))).toMatchObject({ state, amount: null, captureId: null, reason })
    expect(server.seen('capture')).toHaveLength(1)
  })

  test('of an order that PayPal does not know is looked up, and missing', async () => {
    const unknown = refusal('INVALID_RESOURCE_ID', 404, 'RESOURCE_NOT_FOUND')
    server.answers({ capture: [unknown], look: [unknown] })
    expect(await verbs.capture()).toMatchObject({ state: 'missing', captureId: null })
  })

  test('of an order that was captured before is looked up', async () => {
    server.answers({
      capture: [refusal('ORDER_ALREADY_CAPTURED')],
      look: [order('COMPLETED', [captured('COMPLETED', { amount: { currency_code: 'EUR', value: '25.18' } })])],
    })
    expect(await verbs.capture()).toEqual({ ...paid, amount: 2518 })
  })

  test('that is missing in a completed order is looked up', async () => {
    server.answers({
      capture: [{ status: 201, body: { id: orderId, status: 'COMPLETED' } }],
      look: [order('COMPLETED', [captured('PENDING')])],
    })
    expect(await verbs.capture()).toEqual({ ...paid, state: 'pending', refunded: null, reason: 'ECHECK' })
    server.answers({
      capture: [{ status: 201, body: { id: orderId, status: 'COMPLETED' } }],
      look: [order('COMPLETED')],
    })
    expect(await verbs.capture()).toMatchObject({ state: 'pending', captureId: null })
  })

  test('fails with any other refusal', async () => {
    expect(await wordOf(capture(refusal('DUPLICATE_INVOICE_ID')))).toBe('payment_provider_error')
    expect(await wordOf(capture(refusal('A_NEW_WORD')))).toBe('payment_provider_error')
    expect(await wordOf(capture(refusal('PERMISSION_DENIED', 403, 'NOT_AUTHORIZED')))).toBe('payment_provider_error')
    expect(await wordOf(capture({ status: 422, body: null }))).toBe('payment_provider_error')
    expect(await wordOf(capture({ status: 302, raw: '', headers: { location: 'http://169.254.169.254/' } }))).toBe(
      'payment_provider_error',
    )
  })

  test('reports a definite refusal with its word, and an indefinite one without', async () => {
    const { ProviderRefusal } = await import('../../shared/payments/provider-failure.ts')
    const thrown = (answer: Answer) => capture(answer).catch(error => error)
    expect(await thrown(refusal('PAYEE_ACCOUNT_RESTRICTED'))).toMatchObject({ reason: 'PAYEE_ACCOUNT_RESTRICTED' })
    expect(await thrown(refusal('A_NEW_WORD'))).toBeInstanceOf(ProviderRefusal)
    for (const answer of [
      { status: 500, body: {} },
      { status: 422, raw: 'what?' },
      { status: 409, body: {} },
    ]) {
      expect(await thrown(answer)).not.toBeInstanceOf(ProviderRefusal)
    }
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
  ])('fails on an answer with %s', async (_, answer) => {
    server.answers({ capture: [answer] })
    expect(await wordOf(verbs.capture())).toBe('payment_provider_error')
    expect(server.seen('capture')).toHaveLength(1)
  })
})
