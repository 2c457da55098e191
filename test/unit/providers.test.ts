import { Problem } from '../../shared/contract/errors.ts'
import { paypalCredentials } from '../../shared/payments/paypal/credentials.ts'
import { webhookTrust } from '../../shared/payments/paypal/module.ts'
import { ProviderUnusable } from '../../shared/payments/provider-failure.ts'
import { providerOf, providerOfPayment } from '../../shared/payments/providers.ts'
import { webhookTrust as sandboxTrust } from '../../shared/payments/sandbox/module.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'
import { localServer } from '../support/local-server.ts'
import { startParameters } from '../support/parameters.ts'
import { order, orderId, startPayPal } from '../support/paypal/scripted.ts'

const server = await startPayPal()
const { environment, asked, put } = await startParameters()

const usual = { ...process.env }
beforeEach(() => {
  process.env = { ...usual, ...environment, STAGE: 'prod' }
})
afterAll(async () => {
  process.env = usual
  await server.close()
})

let merchants = 1000
// Credentials of a merchant are cached for five minutes.
const nextMerchant = () => ++merchants

const wordOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch(error => (error instanceof Problem ? error.word : Promise.reject(error)))

describe('the credentials', () => {
  const account = { clientId: 'client', clientSecret: 'secret' }

  test.each([
    ['prod', 'https://api-m.paypal.com'],
    ['test', 'https://api-m.sandbox.paypal.com'],
    ['twin', 'https://api-m.sandbox.paypal.com'],
  ])('are in the merchant’s parameter of stage %s, at %s', async (stage, baseUrl) => {
    process.env.STAGE = stage
    const merchant = nextMerchant()
    await put(`/weinkontor/${stage}/paypal/${merchant}`, '{"clientId":"seven","clientSecret":"of seven"}')
    expect(await paypalCredentials(merchant)).toEqual([{ clientId: 'seven', clientSecret: 'of seven', baseUrl }])
  })

  test('may name a local API on the twin only', async () => {
    for (const stage of ['twin', 'dev']) {
      process.env.STAGE = stage
      const merchant = nextMerchant()
      await put(`/weinkontor/${stage}/paypal/${merchant}`, JSON.stringify({ ...account, baseUrl: server.url }))
      if (stage === 'twin') expect(await paypalCredentials(merchant)).toEqual([{ ...account, baseUrl: server.url }])
      else await expect(paypalCredentials(merchant)).rejects.toBeInstanceOf(ProviderUnusable)
    }
  })

  test('name the webhook whose events are valid, each account its own', async () => {
    const former = [
      { ...account, clientId: 'old', webhookId: 'OLD' },
      { ...account, clientId: 'older' },
    ]
    await put('/weinkontor/prod/paypal/11', JSON.stringify({ ...account, webhookId: '0EH40505U7160970P', former }))
    const idOf = async (name: string) => (await webhookTrust(merchantIdOf(11), name))?.webhookId
    const ids = ['client', 'old', 'older', 'never'].map(idOf)
    expect(await Promise.all(ids)).toEqual(['0EH40505U7160970P', 'OLD', undefined, undefined])
    expect(await wordOf(webhookTrust(merchantIdOf(13), 'client'))).toBe('payment_provider_error')
  })

  // A wrong one must not keep payments from being taken.
  test.each([
    '',
    'https://shop.example/webhook',
    'x'.repeat(51),
    7,
    null,
  ])('are valid without the webhook %j', async id => {
    const merchant = nextMerchant()
    await put(`/weinkontor/prod/paypal/${merchant}`, JSON.stringify({ ...account, webhookId: id }))
    expect(await paypalCredentials(merchant)).toEqual([{ ...account, baseUrl: 'https://api-m.paypal.com' }])
    expect(await webhookTrust(merchantIdOf(merchant), 'client')).toBe(null)
  })

  test('of the sandbox are valid on the twin only', async () => {
    Object.assign(process.env, { STAGE: 'twin', SANDBOX_URL: 'http://localhost:3000/' })
    expect(sandboxTrust()).toEqual({
      webhookId: 'SANDBOX',
      certificates: { origin: 'http://localhost:3000', commonNames: ['localhost'] },
    })
    for (const stage of ['prod', 'dev']) {
      Object.assign(process.env, { STAGE: stage, ALLOW_SANDBOX: '1' })
      expect(sandboxTrust()).toBe(null)
    }
  })

  test.each([
    ['missing', undefined],
    ['no JSON', 'seven'],
    ['no object', '["seven"]'],
    ['incomplete', '{"clientId":"seven"}'],
    ['with invalid former accounts', '{"clientId":"7","clientSecret":"7","former":[{"clientId":"6"}]}'],
    ['of a host that is not PayPal’s', '{"clientId":"7","clientSecret":"7","baseUrl":"https://paypal.example"}'],
  ])('are refused if they are %s', async (_, text) => {
    const merchant = nextMerchant()
    if (text !== undefined) await put(`/weinkontor/prod/paypal/${merchant}`, text)
    await expect(paypalCredentials(merchant)).rejects.toBeInstanceOf(ProviderUnusable)
  })
})

describe('credentials that cannot be read', () => {
  let answers: { status: number; body: object }[] = []
  let tries = 0
  let url: string
  beforeAll(async () => {
    url = await localServer((_, response) => {
      const { status, body } = answers[Math.min(tries++, answers.length - 1)] ?? {}
      if (!status) return response.destroy()
      return response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    })
  })
  /** Sets the answers of Parameter Store, in order; the last is repeated. */
  const answer = (...given: typeof answers): void => {
    answers = given
    tries = 0
    process.env.AWS_ENDPOINT_URL_SSM = url
  }
  const failing = (status: number, type: string) => ({ status, body: { __type: type, message: 'a secret message' } })
  const throttled = failing(400, 'ThrottlingException')

  test.each([
    ['fails', failing(500, 'InternalServerError'), 4],
    ['hangs up', { status: 0, body: {} }, 4],
    ['does not let the function', failing(400, 'AccessDeniedException'), 1],
  ])('are a failure of the provider: Parameter Store %s', async (_, given, most) => {
    answer(given)
    const error = await paypalCredentials(nextMerchant()).catch(error => error)
    expect([error.word, error instanceof ProviderUnusable]).toEqual(['payment_provider_error', false])
    expect(tries).toBe(most)
  })

  test('are requested again if Parameter Store is busy', async () => {
    const Value = '{"clientId":"seven","clientSecret":"of seven"}'
    answer(throttled, { status: 200, body: { Parameter: { Value, Version: 1 } } })
    expect(await paypalCredentials(nextMerchant())).toMatchObject([{ clientId: 'seven' }])
    expect(tries).toBe(2)
  })
})

test('a payment stays at the account where it was opened; a missing account fails the payment', async () => {
  const former = [{ clientId: 'old', clientSecret: 'of old' }]
  await put('/weinkontor/prod/paypal/20', JSON.stringify({ clientId: 'new', clientSecret: 'of new', former }))
  const at = (account: string) =>
    providerOfPayment(20 as MerchantId, { provider: 'paypal', account, uuid: 'a payment' })
  expect((await providerOf({ id: 20, payment_provider: 'paypal' })).account).toBe('new')
  expect([(await at('new')).account, (await at('old')).account]).toEqual(['new', 'old'])
  expect(await wordOf(at('older'))).toBe('payment_provider_error')
  const sandboxed = { provider: 'sandbox', account: 'sandbox', uuid: 'a payment' } as const
  expect((await providerOfPayment(20 as MerchantId, sandboxed)).account).toBe('sandbox')
})

test('a payment at an account that was set after the credentials were read is served immediately', async () => {
  const old = { clientId: 'old', clientSecret: 'of old' }
  const present = { clientId: 'new', clientSecret: 'of new', webhookId: 'NEW' }
  const payment = { provider: 'paypal', account: 'new', uuid: 'a payment' } as const
  for (const [id, ask] of [
    [21, async () => (await providerOfPayment(merchantIdOf(21), payment)).account],
    [22, async () => (await webhookTrust(merchantIdOf(22), 'new'))?.webhookId.toLowerCase()],
  ] as const) {
    await put(`/weinkontor/prod/paypal/${id}`, JSON.stringify(old))
    expect((await providerOf({ id, payment_provider: 'paypal' })).account).toBe('old')
    await put(`/weinkontor/prod/paypal/${id}`, JSON.stringify({ ...present, former: [old] }))
    expect(await ask()).toBe('new')
  }
})

describe('the provider', () => {
  test('is cached for five minutes, and stays the same unless its credentials have changed', async () => {
    const secret = { clientId: 'thirty', clientSecret: 'of thirty' }
    const write = (change: object) => put('/weinkontor/prod/paypal/30', JSON.stringify({ ...secret, ...change }))
    const [now, sixMinutes] = [Date.now, 360_000]
    let passed = 0
    Date.now = () => now() + passed
    const later = async () => {
      passed += sixMinutes
      return providerOf({ id: 30, payment_provider: 'paypal' })
    }
    try {
      await write({})
      const first = await later()
      expect(await later()).toBe(first)
      for (const change of [
        { clientSecret: 'new' },
        { clientId: 'other' },
        { baseUrl: 'https://api-m.sandbox.paypal.com' },
      ]) {
        await write({})
        const before = await later()
        await write(change)
        expect(await later()).not.toBe(before)
      }
    } finally {
      Date.now = now
    }
  })

  test('of a merchant with PayPal uses PayPal, with one token and one read of the parameter', async () => {
    process.env.STAGE = 'twin'
    const account = { clientId: 'nine', clientSecret: 'of nine', baseUrl: server.url, webhookId: 'NINE' }
    await put('/weinkontor/twin/paypal/9', JSON.stringify(account))
    asked.length = 0
    const provider = await providerOf({ id: 9, payment_provider: 'paypal' })
    expect(await providerOf({ id: 9, payment_provider: 'paypal' })).toBe(provider)
    expect(await webhookTrust(merchantIdOf(9), 'nine')).not.toBe(null)
    expect(asked).toEqual(['/weinkontor/twin/paypal/9'])
    server.answers({ look: [order('APPROVED')] })
    expect(await provider.inspect(orderId)).toMatchObject({ state: 'approved' })
    await (await providerOf({ id: 9, payment_provider: 'paypal' })).inspect(orderId)
    expect(server.seen('token')).toHaveLength(1)
  })

  test('of a merchant without credentials is the sandbox, on the twin only', async () => {
    process.env.STAGE = 'twin'
    const provider = await providerOf({ id: 11 })
    expect(await providerOf({ id: 12, payment_provider: 'sandbox' })).toBe(provider)
    process.env.STAGE = 'prod'
    delete process.env.ALLOW_SANDBOX
    await expect(providerOf({ id: 11 })).rejects.toBeInstanceOf(ProviderUnusable)
    expect(await wordOf(provider.inspect('SBX1'))).toBe('payment_provider_error')
    expect(await wordOf(provider.capture('SBX1', 'capture'))).toBe('payment_provider_error')
    expect(await wordOf(provider.refund('SBX1-C1', 1, 'refund', 'p', 'EUR'))).toBe('payment_provider_error')
  })
})
