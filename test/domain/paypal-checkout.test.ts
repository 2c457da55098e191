import { finishing } from '../support/checkout.ts'
import { refusal } from '../support/harness.ts'
import { counted } from '../support/partitions.ts'
import { approve, atPayPal, externalIdOf, newPayPalCheckout, payPalOrder } from '../support/paypal-checkout.ts'

const { shop, add, check, finish, approved, orderOf, paymentOf, fault, doubles } =
  await newPayPalCheckout('Kellerei Paypal')

afterAll(async () => {
  expect(await doubles()).toEqual([])
  expect(await check()).toEqual([])
})

describe('an order that is paid at PayPal', () => {
  test('is opened there with its amount, its merchant and our ids', async () => {
    const answer = await add()
    expect(answer.json.payment).toMatchObject({ status: 'open', amount: '24.00', target_url: answer.json.targetUrl })
    expect(await payPalOrder(externalIdOf(answer))).toMatchObject({
      status: 'PAYER_ACTION_REQUIRED',
      brand: 'Kellerei Paypal',
      amount: { currency_code: 'EUR', value: '24.00' },
      payment: answer.json.payment.uuid,
      reference: answer.json.data.uuid,
      taken: 0,
    })
  })

  test('has token and payer in the return URL, and is paid after finish', async () => {
    const answer = await add()
    const back = await approve(answer.json.targetUrl, { payer: 'QYR5Z8XDVJNXQ' })
    expect(Object.fromEntries(back.searchParams)).toEqual({
      cart: '7',
      pid: answer.json.payment.uuid,
      token: externalIdOf(answer),
      PayerID: 'QYR5Z8XDVJNXQ',
    })
    const done = await finish(finishing(answer, back))
    expect(done.json).toMatchObject({
      data: { status: 'need_package', paid: true, documents: { payments: [{ amount: '24.00' }] } },
      payment: { status: 'captured' },
    })
    expect(await orderOf(answer)).toEqual(done.json.data)
    expect(await payPalOrder(externalIdOf(answer))).toMatchObject({ taken: 1, takenCents: 2400, refundedCents: 0 })
  })

  test('has the same answer if finish is repeated, without a call of PayPal', async () => {
    const { request, id } = await approved()
    const first = await finish(request)
    const { calls } = await payPalOrder(id)
    expect((await finish(request)).text).toBe(first.text)
    expect((await payPalOrder(id)).calls).toHaveLength(calls.length)
  })

  test('cannot be finished before the payer approved', async () => {
    const answer = await add()
    const request = finishing(answer, new URL('https://shop.example'))
    expect(refusal(await finish(request))).toEqual([422, 'payment_not_approved'])
    await atPayPal(externalIdOf(answer), { deed: 'cancel' })
    expect(refusal(await finish(request))).toEqual([422, 'payment_not_approved'])
    expect(await orderOf(answer)).toMatchObject({ status: 'new', paid: false })
  })

  test('is paid once by 20 concurrent calls', async () => {
    const { request, id } = await approved()
    const answers = await Promise.all(counted(20).map(() => finish(request)))
    for (const one of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(one)).toEqual([409, 'payment_in_progress'])
    }
    expect((await finish(request)).json.data).toMatchObject({ paid: true })
    expect(await payPalOrder(id)).toMatchObject({ taken: 1, secondCaptures: 0 })
  })
})

describe('a refusal of the payer', () => {
  test.each([
    'INSTRUMENT_DECLINED',
    'PAYER_ACCOUNT_RESTRICTED',
    'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
    'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
    'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
    'CARD_EXPIRED',
    'COMPLIANCE_VIOLATION',
    'PAYEE_BLOCKED_TRANSACTION',
    'ORDER_EXPIRED',
  ])('%s is a declined payment, the order stays new', async issue => {
    const { answer, request, id } = await approved({ issue })
    const declined = await finish(request)
    expect([...refusal(declined), declined.json.details]).toEqual([
      422,
      'payment_declined',
      `The payment was declined: ${issue}.`,
    ])
    expect(await orderOf(answer)).toEqual(answer.json.data)
    expect(await payPalOrder(id)).toMatchObject({ taken: 0 })
  })

  test('with another word than the payer’s is a failure of the provider', async () => {
    const { answer, request, id } = await approved({ issue: 'NOT_ENABLED_FOR_CARD_PROCESSING' })
    expect(refusal(await finish(request))).toEqual([502, 'payment_provider_error'])
    expect(await orderOf(answer)).toMatchObject({ status: 'new', paid: false })
    // After the merchant's account is corrected, a repeat succeeds with a new id; the old id returns the old refusal.
    await approve(answer.json.targetUrl)
    expect((await finish(request)).json.data).toMatchObject({ status: 'need_package', paid: true })
    expect(await payPalOrder(id)).toMatchObject({ taken: 1, secondCaptures: 0 })
  })

  test('ends when the payer pays by other means: the capture has a new id', async () => {
    const { answer, request, id } = await approved({ issue: 'INSTRUMENT_DECLINED' })
    expect(refusal(await finish(request))).toEqual([422, 'payment_declined'])
    // By the same means it is refused again, not only repeated.
    expect(refusal(await finish(request))).toEqual([422, 'payment_declined'])
    const back = await approve(answer.json.targetUrl)
    expect((await finish(finishing(answer, back))).json.data).toMatchObject({ status: 'need_package', paid: true })
    const { calls, taken, secondCaptures } = await payPalOrder(id)
    const captures = calls.filter(({ verb }) => verb === 'capture')
    expect(captures.map(({ status, repeated }) => [status, repeated])).toEqual([
      [422, false],
      [422, false],
      [201, false],
    ])
    expect(new Set(captures.map(({ requestId }) => requestId)).size).toBe(3)
    expect([taken, secondCaptures]).toEqual([1, 0])
  })
})

describe('a lost answer', () => {
  test.each([
    ['before the effect', 'before'],
    ['after the effect', 'after'],
  ] as const)('once, %s, is requested again within the same finish', async (_, when) => {
    const { request, id } = await approved()
    await fault({ kind: 'cut', when, order: id, verb: 'capture', times: 1 })
    expect((await finish(request)).json.data).toMatchObject({ status: 'need_package', paid: true })
    expect(await payPalOrder(id)).toMatchObject({ taken: 1, secondCaptures: 0 })
  })

  test.each([
    ['before the effect', 'before'],
    ['after the effect', 'after'],
  ] as const)('repeatedly, %s, leaves the order new; a repeat finishes it', async (_, when) => {
    const { answer, request, id } = await approved()
    await fault({ kind: 'cut', when, order: id, verb: 'capture', times: 3 })
    expect(refusal(await finish(request))).toEqual([502, 'payment_provider_error'])
    expect(await orderOf(answer)).toMatchObject({ status: 'new', paid: false })
    expect((await finish(request)).json.data).toMatchObject({ status: 'need_package', paid: true })
    expect(await payPalOrder(id)).toMatchObject({ taken: 1, secondCaptures: 0 })
  })

  test('with Retry-After is passed to the caller', async () => {
    const { answer, request, id } = await approved()
    await fault({ kind: 'throttle', retryAfter: '40', order: id, verb: 'capture', times: 1 })
    const throttled = await finish(request)
    expect(refusal(throttled)).toEqual([502, 'payment_provider_error'])
    expect(throttled.headers.get('retry-after')).toBe('40')
    expect(await orderOf(answer)).toMatchObject({ status: 'new', paid: false })
    expect((await finish(request)).json.data).toMatchObject({ paid: true })
  })
})

describe('money that is pending', () => {
  test('leaves the order pending, and pays it once settled', async () => {
    const { answer, request, id } = await approved('echeck')
    expect((await finish(request)).json).toMatchObject({
      data: { status: 'need_payment', paid: false },
      payment: { status: 'pending' },
    })
    await atPayPal(id, { deed: 'settle' })
    expect((await finish(request)).json).toMatchObject({
      data: { status: 'need_package', paid: true },
      payment: { status: 'captured' },
    })
    expect(await orderOf(answer)).toMatchObject({ paid: true })
    expect(await payPalOrder(id)).toMatchObject({ taken: 1, secondCaptures: 0 })
  })
})

describe('amounts', () => {
  const nine = { item_type: 'wine', quantity: 9999 }
  const precious = async (name: string): Promise<number> => {
    const data = { name, type: 'red', countrycode: 'de', region: 1008, gross: '999999999.99', taxrate: 19 }
    return (await shop.call('wines/add', { data })).json.data.id
  }

  test('of ten digits and more are accepted, compared and written exactly', async () => {
    const items = [{ ...nine, item_id: await precious('Romanée') }]
    const claimed = { gross: '9998999999900.01' }
    const { answer, request, id } = await approved('balance', { items, ...claimed })
    expect(answer.json.payment.amount).toBe('9998999999900.01')
    expect((await finish(request)).json.data).toMatchObject({
      paid: true,
      ...claimed,
      documents: { payments: [{ amount: '9998999999900.01' }] },
    })
    expect(await payPalOrder(id)).toMatchObject({ takenCents: 999_899_999_990_001 })
  })

  test('beyond the limit of cents are refused before anything is written', async () => {
    const item = { ...nine, item_id: await precious('Conti') }
    const before = (await shop.call('orders/getAll', { pageSize: 1 })).json.totalCount
    const answer = await add({ items: counted(50).map(() => item) })
    expect([...refusal(answer), answer.json.details]).toEqual([
      422,
      'price_mismatch',
      'Der Betrag der Bestellung ist zu groß.',
    ])
    expect((await shop.call('orders/getAll', { pageSize: 1 })).json.totalCount).toBe(before)
  })

  test('that PayPal captured differently need a human decision', async () => {
    const answer = await add()
    const takes = { currency_code: 'EUR', value: '23.99' }
    const request = finishing(answer, await approve(answer.json.targetUrl, { takes }))
    expect(refusal(await finish(request))).toEqual([422, 'amount_mismatch'])
    expect((await paymentOf(answer))?.status).toBe('review')
  })
})
