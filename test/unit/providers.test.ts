import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Problem } from '../../shared/contract/errors.ts'
import { paypalCredentials } from '../../shared/payments/paypal/credentials.ts'
import { ProviderUnusable } from '../../shared/payments/provider-failure.ts'
import { providerOf, providerOfPayment } from '../../shared/payments/providers.ts'
import { webhookTrust } from '../../shared/payments/webhook-trust.ts'
import type { MerchantId } from '../../shared/table/keys.ts'
import { merchantIdOf } from '../../shared/table/keys.ts'
import { order, orderId, startPayPal } from '../support/paypal-server.ts'

const server = await startPayPal()

/** A Secrets Manager on loopback: secrets by their names. */
const secrets = new Map<string, string>()
const asked: string[] = []
const manager = createServer(async (incoming, response) => {
  const { SecretId } = (await json(incoming)) as { SecretId: string }
  asked.push(SecretId)
  const SecretString = secrets.get(SecretId)
  response.writeHead(SecretString ? 200 : 400, { 'content-type': 'application/x-amz-json-1.1' })
  response.end(JSON.stringify(SecretString ? { SecretString } : { __type: 'ResourceNotFoundException' }))
})
await new Promise<void>(listening => manager.listen(0, '127.0.0.1', listening))

const usual = { ...process.env }
beforeEach(() => {
  process.env = {
    ...usual,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(manager.address() as AddressInfo).port}`,
  }
})
afterAll(async () => {
  process.env = usual
  manager.closeAllConnections()
  manager.close()
  await server.close()
})

const onTwin = { STAGE: 'twin', PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_URL: server.url }

const wordOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch(error => (error instanceof Problem ? error.word : Promise.reject(error)))

describe('the credentials', () => {
  test('are those of the environment on the twin, at PayPal’s test host unless it says another', async () => {
    Object.assign(process.env, onTwin)
    const credentials = { clientId: 'client', clientSecret: 'secret' }
    expect(await paypalCredentials(1)).toEqual([{ ...credentials, baseUrl: server.url }])
    delete process.env.PAYPAL_URL
    expect(await paypalCredentials(1)).toEqual([{ ...credentials, baseUrl: 'https://api-m.sandbox.paypal.com' }])
    expect(asked).toEqual([])
    delete process.env.PAYPAL_CLIENT_SECRET
    expect(await wordOf(paypalCredentials(1))).toBe('payment_provider_error')
  })

  test('name the webhook whose events count, each account its own', async () => {
    const account = { clientId: 'client', clientSecret: 'secret' }
    Object.assign(process.env, onTwin, { PAYPAL_WEBHOOK_ID: '0EH40505U7160970P' })
    expect(await paypalCredentials(1)).toMatchObject([{ webhookId: '0EH40505U7160970P' }])
    // A wrong one must not keep payments from being taken.
    for (const wrong of ['', 'https://shop.example/webhook', 'x'.repeat(51)]) {
      process.env.PAYPAL_WEBHOOK_ID = wrong
      expect(await paypalCredentials(1)).toEqual([{ ...account, baseUrl: server.url }])
    }
    process.env.STAGE = 'prod'
    const former = [
      { ...account, clientId: 'old', webhookId: 'OLD' },
      { ...account, clientId: 'older' },
    ]
    secrets.set('weinkontor/prod/paypal/11', JSON.stringify({ ...account, webhookId: 'NEW', former }))
    const payment = (name: string, provider: 'paypal' | 'sandbox' = 'paypal') => ({ provider, account: name })
    const idOf = async (of: ReturnType<typeof payment>) => (await webhookTrust(merchantIdOf(11), of))?.webhookId
    expect(await idOf(payment('client'))).toBe('NEW')
    expect(await idOf(payment('old'))).toBe('OLD')
    for (const one of [payment('older'), payment('never'), payment('client', 'sandbox')])
      expect(await idOf(one)).toBe(undefined)
    expect(asked.filter(name => name === 'weinkontor/prod/paypal/11')).toHaveLength(1)
    secrets.set('weinkontor/prod/paypal/12', JSON.stringify(account))
    expect(await webhookTrust(merchantIdOf(12), payment('client'))).toBe(null)
    expect(await wordOf(webhookTrust(merchantIdOf(13), payment('client')))).toBe('payment_provider_error')
  })

  test('of the sandbox count on the twin alone', async () => {
    const payment = { provider: 'sandbox', account: 'sandbox' } as const
    const trusted = () => webhookTrust(merchantIdOf(1), payment)
    Object.assign(process.env, { STAGE: 'twin', SANDBOX_URL: 'http://localhost:3000/' })
    expect(await trusted()).toEqual({
      webhookId: 'SANDBOX',
      certificates: { origin: 'http://localhost:3000', commonNames: ['localhost'] },
    })
    for (const stage of ['prod', 'dev']) {
      Object.assign(process.env, { STAGE: stage, ALLOW_SANDBOX: '1' })
      expect(await trusted()).toBe(null)
    }
  })

  test.each([
    ['prod', 'https://api-m.paypal.com'],
    ['test', 'https://api-m.sandbox.paypal.com'],
  ])('are the merchant’s secret in stage %s, at %s', async (stage, baseUrl) => {
    Object.assign(process.env, onTwin, { STAGE: stage })
    secrets.set(`weinkontor/${stage}/paypal/7`, '{"clientId":"seven","clientSecret":"of seven"}')
    expect(await paypalCredentials(7)).toEqual([{ clientId: 'seven', clientSecret: 'of seven', baseUrl }])
  })

  test.each([
    ['missing', undefined],
    ['no JSON', 'seven'],
    ['incomplete', '{"clientId":"seven"}'],
    ['of a host that is not PayPal’s', '{"clientId":"7","clientSecret":"7","baseUrl":"https://paypal.example"}'],
    ['of this machine', JSON.stringify({ clientId: '7', clientSecret: '7', baseUrl: server.url })],
  ])('fail the payment when they are %s', async (_, secret) => {
    process.env.STAGE = 'prod'
    if (secret === undefined) secrets.clear()
    else secrets.set('weinkontor/prod/paypal/8', secret)
    expect(await wordOf(paypalCredentials(8))).toBe('payment_provider_error')
  })
})

test('credentials that cannot be had are asked for once more', async () => {
  process.env.STAGE = 'prod'
  let tries = 0
  const busy = createServer((_, response) => {
    tries++
    response.writeHead(500).end()
  })
  await new Promise<void>(listening => busy.listen(0, '127.0.0.1', listening))
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
  expect(await wordOf(paypalCredentials(8))).toBe('payment_provider_error')
  expect(tries).toBe(2)
  busy.close()
})

test('a payment stays at the account where it was opened; one that is forgotten fails the payment', async () => {
  process.env.STAGE = 'test'
  const former = [{ clientId: 'old', clientSecret: 'of old' }]
  secrets.set('weinkontor/test/paypal/20', JSON.stringify({ clientId: 'new', clientSecret: 'of new', former }))
  const at = (account: string) =>
    providerOfPayment(20 as MerchantId, { provider: 'paypal', account, uuid: 'a payment' })
  expect((await providerOf({ id: 20, payment_provider: 'paypal' })).account).toBe('new')
  expect([(await at('new')).account, (await at('old')).account]).toEqual(['new', 'old'])
  expect(await wordOf(at('older'))).toBe('payment_provider_error')
  const sandboxed = { provider: 'sandbox', account: 'sandbox', uuid: 'a payment' } as const
  expect((await providerOfPayment(20 as MerchantId, sandboxed)).account).toBe('sandbox')
})

describe('the provider', () => {
  test('is the same after five minutes, when its secret is looked at again, unless that has changed', async () => {
    process.env.STAGE = 'test'
    const secret = { clientId: 'thirty', clientSecret: 'of thirty' }
    const write = (change: object) => secrets.set('weinkontor/test/paypal/30', JSON.stringify({ ...secret, ...change }))
    const [now, sixMinutes] = [Date.now, 360_000]
    let passed = 0
    Date.now = () => now() + passed
    const later = async () => {
      passed += sixMinutes
      return providerOf({ id: 30, payment_provider: 'paypal' })
    }
    try {
      write({})
      const first = await later()
      expect(await later()).toBe(first)
      for (const change of [{ clientSecret: 'new' }, { clientId: 'other' }, { baseUrl: 'https://api-m.paypal.com' }]) {
        write({})
        const before = await later()
        write(change)
        expect(await later()).not.toBe(before)
      }
    } finally {
      Date.now = now
    }
  })

  test('of a merchant set to PayPal asks there, with one token and one look at the secret', async () => {
    process.env.STAGE = 'test'
    secrets.set('weinkontor/test/paypal/9', '{"clientId":"nine","clientSecret":"of nine"}')
    asked.length = 0
    const provider = await providerOf({ id: 9, payment_provider: 'paypal' })
    expect(await providerOf({ id: 9, payment_provider: 'paypal' })).toBe(provider)
    expect(asked).toEqual(['weinkontor/test/paypal/9'])

    Object.assign(process.env, onTwin)
    server.answers({ look: [order('APPROVED')] })
    const local = await providerOf({ id: 10, payment_provider: 'paypal' })
    expect(await local.inspect(orderId)).toMatchObject({ state: 'approved' })
    await (await providerOf({ id: 10, payment_provider: 'paypal' })).inspect(orderId)
    expect(server.seen('token')).toHaveLength(1)
  })

  test('of a merchant set to none is the sandbox, which serves the twin only', async () => {
    process.env.STAGE = 'twin'
    const provider = await providerOf({ id: 11 })
    expect(await providerOf({ id: 12, payment_provider: 'sandbox' })).toBe(provider)
    process.env.STAGE = 'prod'
    delete process.env.ALLOW_SANDBOX
    await expect(providerOf({ id: 11 })).rejects.toBeInstanceOf(ProviderUnusable)
    expect(await wordOf(provider.inspect('SBX1'))).toBe('payment_provider_error')
    expect(await wordOf(provider.capture('SBX1', 'capture'))).toBe('payment_provider_error')
    expect(await wordOf(provider.refund('SBX1-C1', 1, 'refund', 'p'))).toBe('payment_provider_error')
  })
})
