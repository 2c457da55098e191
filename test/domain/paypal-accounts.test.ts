import { Refused } from '../../lib/tool/merchants.ts'
import { changePayPal, type PayPalChange } from '../../lib/tool/paypal.ts'
import type { FormerPayment } from '../../shared/payments/record.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'
import { localServer } from '../support/local-server.ts'
import { startParameters } from '../support/parameters.ts'
import { counted } from '../support/partitions.ts'
import { newPayments } from '../support/payment-fixtures.ts'

const { environment, put, textAt } = await startParameters()
const { paypalCredentials } = await import('../../shared/payments/paypal/credentials.ts')

const usual = { ...process.env }
beforeEach(() => {
  process.env = { ...usual, ...environment, STAGE: 'prod' }
})
afterAll(() => {
  process.env = usual
})

let merchants = 0

/** A merchant's account at PayPal, changed and read as the tool and the functions do. */
const newMerchant = () => {
  const id = merchantIdOf(++merchants)
  const name = `/weinkontor/prod/paypal/${id}`
  const change = (wanted: PayPalChange) => changePayPal(id, wanted)
  return {
    id,
    name,
    change,
    set: (clientId: string, more: Partial<PayPalChange> = {}) =>
      change({ clientId, clientSecret: `of ${clientId}`, ...more }),
    stored: async () => JSON.parse((await textAt(name)) ?? 'null'),
    /** A payment at one of its accounts. */
    pay: (account: string, set: Partial<FormerPayment>, days: number, index?: string) =>
      newPayments(id).put({ provider: 'paypal', account, ...set }, days * 24, index),
  }
}

const ids = (accounts: readonly { clientId: string }[]) => accounts.map(({ clientId }) => clientId)

test('an account is stored in the form that the functions read', async () => {
  const { id, set } = newMerchant()
  const written = await set('A', { webhookId: 'HOOK' })
  expect(written).toEqual([{ clientId: 'A', clientSecret: 'of A', webhookId: 'HOOK' }])
  expect(await paypalCredentials(id)).toEqual([
    { clientId: 'A', clientSecret: 'of A', webhookId: 'HOOK', baseUrl: 'https://api-m.paypal.com' },
  ])
})

test('another secret of the same account replaces the old one; the webhook stays', async () => {
  const { change, set, stored } = newMerchant()
  await set('A', { webhookId: 'HOOK' })
  await change({ clientId: 'A', clientSecret: 'new' })
  expect(await stored()).toEqual({ clientId: 'A', clientSecret: 'new', webhookId: 'HOOK', former: [] })
})

test('a webhook is set without the secret, for the present account only', async () => {
  const { change, set, stored } = newMerchant()
  await expect(change({ webhookId: 'HOOK' })).rejects.toThrow(/no PayPal account .*--paypal-client-id/)
  await set('A', { webhookId: 'OLD' })
  await set('B')
  await change({ webhookId: 'HOOK' })
  const former = [{ clientId: 'A', clientSecret: 'of A', webhookId: 'OLD' }]
  expect(await stored()).toEqual({ clientId: 'B', clientSecret: 'of B', webhookId: 'HOOK', former })
})

test('the former account stays, and can be restored with its webhook', async () => {
  const { change, set } = newMerchant()
  await set('A', { webhookId: 'HOOK' })
  expect(ids(await set('B'))).toEqual(['B', 'A'])
  expect(await change({ clientId: 'A', clientSecret: 'new' })).toEqual([
    { clientId: 'A', clientSecret: 'new', webhookId: 'HOOK' },
    { clientId: 'B', clientSecret: 'of B' },
  ])
})

test.each<[string, Partial<FormerPayment>, number, string | undefined, boolean]>([
  ['waits for its check', { status: 'pending' }, 400, 'due#1', true],
  ['needs a human decision', { status: 'review' }, 400, 'review#1', true],
  ['was paid 179 days ago', { status: 'captured' }, 179, undefined, true],
  ['was paid 181 days ago', { status: 'captured' }, 181, undefined, false],
  ['is at no account', { account: null }, 1, undefined, false],
])('a former account is stored only as long as a payment needs it: one that %s', async (_, payment, days, index, isKept) => {
  const { pay, set } = newMerchant()
  await set('A')
  await pay('A', payment, days, index)
  await set('B')
  expect(ids(await set('C'))).toEqual(isKept ? ['C', 'B', 'A'] : ['C', 'B'])
})

test('values that do not fit into a parameter are refused, and nothing is changed', async () => {
  const { pay, set, stored } = newMerchant()
  const long = (n: number) => `${n}`.padStart(80, 'A')
  const setLong = (n: number) => set(long(n), { clientSecret: 'S'.repeat(80), webhookId: 'H'.repeat(17) })
  for (const n of counted(18)) {
    await setLong(n)
    await pay(long(n), { status: 'captured' }, 1)
  }
  const before = await stored()
  const error = await setLong(19).catch(error => error)
  expect(error).toBeInstanceOf(Refused)
  expect(error.message).toMatch(/19 accounts have \d+ characters, and a parameter holds 4096/)
  expect(error.message).not.toContain('SSS')
  expect(await stored()).toEqual(before)
})

test('the maximum number of accounts can be read again', async () => {
  const { id, pay, set } = newMerchant()
  for (const n of counted(30)) {
    await set(`A${n}`)
    await pay(`A${n}`, { status: 'captured' }, 1)
  }
  expect(await paypalCredentials(id)).toHaveLength(30)
})

test.each(['', 'garbage', '{"clientId":"A"}', '[]'])('a parameter that contains %j is not overwritten', async text => {
  const { name, set } = newMerchant()
  await put(name, text)
  const error = await set('A').catch(error => error)
  expect(error).toBeInstanceOf(Refused)
  expect(error.message).toBe(`the parameter ${name} holds no PayPal credentials: remove it, and set them again`)
  expect(await textAt(name)).toBe(text)
})

test('concurrent commands that set an account lose no other account', async () => {
  const { pay, set, stored } = newMerchant()
  const all = ['B', 'C', 'D', 'E']
  for (const one of ['A', ...all]) await pay(one, { status: 'captured' }, 1)
  await set('A')
  const ends = await Promise.allSettled(all.map(one => set(one)))
  const { former, clientId } = await stored()
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
  expect([clientId, ...ids(former)].toSorted()).toEqual(['A', ...all])
})

let refusal = ''
const refusing = await localServer((_, response) => {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' })
  response.end(JSON.stringify({ __type: refusal, message: 'the value of A is wrong' }))
})

test.each([
  ['AccessDeniedException', /get the rights ssm:GetParameter and ssm:PutParameter on it, and run set/],
  ['ParameterLimitExceeded', /wait a moment, and run set/],
])('if Parameter Store answers %s, the message says what to do, and contains nothing of the request', async (type, says) => {
  refusal = type
  process.env.AWS_ENDPOINT_URL_SSM = refusing
  const { name, set } = newMerchant()
  const error = await set('A').catch(error => error)
  expect(error).toBeInstanceOf(Refused)
  expect(error.message).toMatch(says)
  expect(error.message).toContain(`${name} cannot be read or written (${type})`)
  expect(error.message).not.toMatch(/value|of A/)
})
