import { randomUUID } from 'node:crypto'
import { Problem } from '../../shared/contract/errors.ts'
import type { OpenRequest } from '../../shared/payments/provider.ts'
import { sandbox } from '../../shared/payments/sandbox/sandbox.ts'
import { type Choice, choose, findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import type { SandboxBehaviour, SandboxPaymentItem } from '../../shared/platform/table/items.ts'
import { failing } from '../support/failing-table.ts'
import { useFakeClock } from '../support/fake-clock.ts'

// The sandbox on its table alone; sandbox-page.test.ts has its approve page.

process.env.SANDBOX_URL = 'https://pay.example'
const clock = useFakeClock(Date.UTC(2026, 4, 1, 12))
const provider = sandbox({ slow: 8000, limit: 5000 })

const requestOf = (payment: string = randomUUID()): OpenRequest => ({
  payment,
  order: { uuid: randomUUID(), number: '17' },
  merchantName: 'Weingut Elbufer',
  amount: 2519,
  currency: 'EUR',
  returnUrl: 'https://shop.example/danke',
  cancelUrl: 'https://shop.example/korb',
  requestId: `${payment}:open`,
})

const stored = async (id: string): Promise<SandboxPaymentItem> => {
  const payment = await findSandboxPayment(id)
  if (!payment) throw new Error('there is no such payment')
  return payment
}

const pick = async (id: string, choice: Choice, behaviour: SandboxBehaviour = 'prompt') =>
  choose(id, { nonce: (await stored(id)).nonce, choice, behaviour })

/** A payment on which was chosen. */
const chosen = async (choice: Choice, behaviour?: SandboxBehaviour): Promise<string> => {
  const { externalId } = await provider.open(requestOf())
  await pick(externalId, choice, behaviour)
  return externalId
}

/** A payment whose money is taken. */
const taken = async (): Promise<string> => {
  const id = await chosen('approve')
  await capture(id)
  return id
}

const capture = (id: string, by = provider) => by.capture(id, `${id}:take`)
const wordOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch(error => (error instanceof Problem ? error.word : Promise.reject(error)))

describe('a payment that is opened', () => {
  test('has an id of its request, an approve page, and everything that the page shows', async () => {
    const request = requestOf('0193d2a4-7c1e-7b55-9d3a-6f0c2e91ab47')
    const { externalId: id, targetUrl } = await provider.open(request)
    expect(id).toMatch(/^SBX[0-9A-F]{21}$/)
    expect(targetUrl).toBe(`https://pay.example/sandbox/pay/${id}`)
    const { payment, merchantName, amount, currency, returnUrl, cancelUrl } = request
    expect(await stored(id)).toEqual({
      ...{ id, payment, merchantName, amount, currency, returnUrl, cancelUrl, orderNumber: '17' },
      ...{ state: 'open', behaviour: 'prompt', payerId: null, captures: 0, captureId: null, effective: null },
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      refunded: 0,
    })
    expect(await provider.inspect(id)).toEqual({
      ...{ state: 'open', amount: 2519, currency: 'EUR', customId: payment },
      ...{ payerId: null, captureId: null, refunded: null, reason: null },
    })
  })

  test('stays as it is when it is opened again', async () => {
    const request = requestOf()
    const { externalId: id } = await provider.open(request)
    await pick(id, 'approve')
    const before = await stored(id)
    expect((await provider.open({ ...request, amount: 1 })).externalId).toBe(id)
    expect(await stored(id)).toEqual(before)
  })

  test('needs the URL of its approve page', async () => {
    const { SANDBOX_URL } = process.env
    delete process.env.SANDBOX_URL
    const opened = wordOf(provider.open(requestOf()))
    process.env.SANDBOX_URL = SANDBOX_URL
    expect(await opened).toBe('payment_provider_error')
  })
})

describe('a choice', () => {
  test('to approve names a payer, and the form cannot be sent again', async () => {
    const { externalId: id } = await provider.open(requestOf())
    const { nonce } = await stored(id)
    const payment = await choose(id, { nonce, choice: 'approve', behaviour: 'slow' })
    expect(payment).toMatchObject({
      state: 'approved',
      behaviour: 'slow',
      payerId: expect.stringMatching(/^[0-9A-F]{13}$/),
    })
    expect(payment?.nonce).toMatch(/^[0-9a-f]{32}$/)
    expect(payment?.nonce).not.toBe(nonce)
    expect(await choose(id, { nonce, choice: 'cancel', behaviour: 'prompt' })).toBeUndefined()
    expect(await stored(id)).toEqual(payment)
    expect((await provider.inspect(id)).payerId).toBe(payment?.payerId)
  })

  test('to decline names a payer as well, and takes effect at the capture', async () => {
    const id = await chosen('decline')
    expect(await stored(id)).toMatchObject({ state: 'approved', payerId: expect.stringMatching(/^[0-9A-F]{13}$/) })
    expect(await capture(id)).toMatchObject({ state: 'declined', captureId: null, reason: 'INSTRUMENT_DECLINED' })
    expect((await stored(id)).captures).toBe(0)
  })

  test('to cancel captures no money, and the payer may still approve', async () => {
    const id = await chosen('cancel')
    expect(await capture(id)).toMatchObject({ state: 'cancelled' })
    await pick(id, 'approve')
    expect(await capture(id)).toMatchObject({ state: 'captured' })
    expect(await pick(id, 'approve')).toBeUndefined()
  })

  test.each(['settle', 'fail'] as const)('to %s is valid for a pending payment only', async choice => {
    const { externalId: id } = await provider.open(requestOf())
    expect(await pick(id, choice)).toBeUndefined()
    await pick(id, 'approve', 'pending')
    expect(await pick(id, choice)).toBeUndefined()
    await capture(id)
    expect(await pick(id, 'cancel')).toBeUndefined()
    expect(await pick(id, choice)).toMatchObject({ state: choice === 'settle' ? 'captured' : 'declined' })
  })

  test('fails if the table is unavailable, without the answer that the form was used', async () => {
    const id = await chosen('cancel')
    const again = failing(
      command => (command.startsWith('Update') ? 'before' : undefined),
      () => pick(id, 'approve'),
    )
    await expect(again).rejects.toBeInstanceOf(Unavailable)
  })
})

describe('the money of a payment', () => {
  test('that is not approved is not captured', async () => {
    const { externalId: id } = await provider.open(requestOf())
    expect(await capture(id)).toMatchObject({ state: 'open', captureId: null, refunded: null })
    expect((await stored(id)).captures).toBe(0)
  })

  test('that is unknown is missing, and cannot be captured', async () => {
    expect(await provider.inspect('SBX0')).toMatchObject({ state: 'missing', amount: null })
    expect(await wordOf(capture('SBX0'))).toBe('payment_provider_error')
  })

  test('is captured immediately, once', async () => {
    const id = await chosen('approve')
    const before = clock.now
    const view = { state: 'captured', captureId: `${id}-C1`, refunded: 0, reason: null }
    expect(await capture(id)).toMatchObject(view)
    expect(await capture(id)).toMatchObject(view)
    expect(await provider.inspect(id)).toMatchObject(view)
    expect(clock.now).toBe(before)
    expect((await stored(id)).captures).toBe(1)
  })

  test('is pending until it arrives', async () => {
    const id = await chosen('approve', 'pending')
    const pending = { state: 'pending', captureId: `${id}-C1`, refunded: 0, reason: 'ECHECK' }
    expect(await capture(id)).toMatchObject(pending)
    expect(await capture(id)).toMatchObject(pending)
    await pick(id, 'settle')
    expect(await provider.inspect(id)).toMatchObject({ state: 'captured', refunded: 0, reason: null })
    expect((await stored(id)).captures).toBe(1)
  })

  test('that is slow is waited for as long as the caller’s patience lasts, and is not visible before', async () => {
    const id = await chosen('approve', 'slow')
    const asked = clock.now
    expect(await wordOf(capture(id))).toBe('payment_provider_timeout')
    expect(clock.now).toBe(asked + 5000)
    expect(await provider.inspect(id)).toMatchObject({ state: 'approved', captureId: null, refunded: null })
    expect(await capture(id)).toMatchObject({ state: 'captured', captureId: `${id}-C1`, refunded: 0 })
    expect(clock.now).toBeGreaterThanOrEqual(asked + 8000)
    expect((await stored(id)).captures).toBe(1)
  })

  test('that arrives at the last moment is captured', async () => {
    const id = await chosen('approve', 'slow')
    expect(await capture(id, sandbox({ slow: 5000, limit: 5000 }))).toMatchObject({ state: 'captured' })
  })

  test('may be captured without an answer, once', async () => {
    const id = await chosen('approve', 'lost')
    expect(await wordOf(capture(id))).toBe('payment_provider_timeout')
    expect(await provider.inspect(id)).toMatchObject({ state: 'captured' })
    expect(await capture(id)).toMatchObject({ state: 'captured' })
    expect((await stored(id)).captures).toBe(1)
  })
})

describe('a refund', () => {
  test('has an id made of its request, by which it is found again', async () => {
    const id = await taken()
    const first = await provider.refund(`${id}-C1`, 2000, 'first', 'p', 'EUR')
    expect(first).toEqual({ state: 'refunded', refundId: expect.stringMatching(new RegExp(`^${id}-R[0-9A-F]{8}$`)) })
    expect(await provider.refund(`${id}-C1`, 2000, 'first', 'p', 'EUR')).toEqual(first)
    expect(await provider.inspect(id)).toMatchObject({ state: 'captured', refunded: 2000 })
    const second = await provider.refund(`${id}-C1`, 519, 'second', 'p', 'EUR')
    expect(second.refundId).not.toBe(first.refundId)
    expect(await provider.inspect(id)).toMatchObject({ state: 'refunded', refunded: 2519 })
    for (const one of [first, second]) expect(await provider.inspectRefund(one.refundId ?? '')).toEqual(one)
    expect(await wordOf(provider.inspectRefund(`${id}-R00000000`))).toBe('payment_provider_error')
  })

  test.each([
    ['of nothing', '-C1', 0],
    ['of less than nothing', '-C1', -1],
    ['of more than was taken', '-C1', 2520],
    ['of another capture', '-C2', 1],
  ])('%s is refused, and changes nothing', async (_, ending, amount) => {
    const id = await taken()
    const before = await stored(id)
    expect(await wordOf(provider.refund(`${id}${ending}`, amount, 'refund', 'p', 'EUR'))).toBe('payment_provider_error')
    expect(await stored(id)).toEqual(before)
  })

  test('of money that was not captured is refused', async () => {
    const id = await chosen('approve')
    expect(await wordOf(provider.refund(`${id}-C1`, 1, 'refund', 'p', 'EUR'))).toBe('payment_provider_error')
    expect(await wordOf(provider.refund('3C679366HH908993F', 1, 'refund', 'p', 'EUR'))).toBe('payment_provider_error')
  })
})

test('if the table is unavailable the provider does not answer in time', async () => {
  const id = await chosen('approve')
  const verbs = [() => provider.open(requestOf()), () => capture(id), () => provider.inspect(id)]
  for (const verb of verbs) {
    expect(
      await failing(
        () => 'before',
        () => wordOf(verb()),
      ),
    ).toBe('payment_provider_timeout')
  }
  expect(await provider.inspect(id)).toMatchObject({ state: 'approved' })
})

test('outside the twin it accepts no payments, unless the stage allows it', async () => {
  const id = await chosen('approve')
  const { STAGE } = process.env
  try {
    process.env.STAGE = 'prod'
    expect(await wordOf(provider.open(requestOf()))).toBe('payment_provider_error')
    expect(await wordOf(capture(id))).toBe('payment_provider_error')
    process.env.ALLOW_SANDBOX = '1'
    expect(await capture(id)).toMatchObject({ state: 'captured' })
  } finally {
    process.env.STAGE = STAGE
    delete process.env.ALLOW_SANDBOX
  }
})
