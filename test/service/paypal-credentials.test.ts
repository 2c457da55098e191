import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsIn, parameterName } from '../../shared/payments/paypal/credentials.ts'
import { readParameter } from '../../shared/payments/paypal/parameter.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem } from '../../shared/platform/table/table.ts'
import { newCheckout } from '../support/checkout.ts'
import { newShop } from '../support/harness.ts'
import { givePayPal } from '../support/paypal/account.ts'
import { startPayPal } from '../support/paypal/scripted.ts'
import { patience, type Run, tool, toolProcess } from '../support/tool.ts'

const dataDir = process.env.TEST_TWIN ?? ''
const paypal = await startPayPal()
afterAll(() => paypal.close())

const secret = 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF-YHPTkjs6NKYQvQSBngp4PTTVWkPZRbL'

/** Runs the tool with a text on its stdin. */
const toolWith = (input: string, ...words: string[]): Promise<Run> => toolProcess(words, dataDir, input)
const storedOf = async (id: number) => accountsIn((await readParameter(parameterName(id)))?.text ?? '')

test(
  'the tool changes a secret, which it reads from stdin and never prints; the next payment is opened with it',
  async () => {
    const { shop, add } = await newCheckout('Kellerei Geheimnis')
    await givePayPal(shop, paypal.url)
    const account = ['--payment-provider', 'paypal', '--paypal-client-id', 'test-client']
    const run = await toolWith(`${secret}\r\n`, 'set', String(shop.id), ...account, '--paypal-webhook-id', 'HOOK7')
    expect([run.code, run.errors]).toEqual([0, ''])
    expect(run.out).toMatch(/payment provider +paypal/)
    expect(run.out).toContain('  PayPal account        test-client, webhook HOOK7\n')
    expect(await storedOf(shop.id)).toEqual([
      { clientId: 'test-client', clientSecret: secret, baseUrl: paypal.url, webhookId: 'HOOK7' },
    ])

    expect((await add()).json.payment).toMatchObject({ status: 'open' })
    const [token] = paypal.seen('token')
    const basic = Buffer.from(`test-client:${secret}`).toString('base64')
    expect(token?.headers.authorization).toBe(`Basic ${basic}`)
    expect(run.out + run.errors + (await readFile(join(dataDir, 'service.log'), 'utf8'))).not.toContain(secret)
  },
  patience,
)

test(
  'a new account leaves the former one to its payments; a webhook needs no secret',
  async () => {
    const shop = await newShop()
    const id = String(shop.id)
    expect(await toolWith('one', 'set', id, '--paypal-client-id', 'first')).toMatchObject({ code: 0, errors: '' })
    const { out } = await toolWith('two', 'set', id, '--paypal-client-id', 'second')
    expect(out).toMatch(/ {2}PayPal account {8}second, webhook none\n {2}former account {8}first\n$/)
    expect(await tool('set', id, '--paypal-webhook-id', 'HOOK')).toMatchObject({ code: 0, errors: '' })
    expect(await storedOf(shop.id)).toEqual([
      { clientId: 'second', clientSecret: 'two', webhookId: 'HOOK' },
      { clientId: 'first', clientSecret: 'one' },
    ])
    expect(await getItem(key('merchant', { merchant: shop.id }))).not.toMatchObject({ payment_provider: 'paypal' })
  },
  patience,
)

test(
  'a new merchant may be created with its account',
  async () => {
    const paypalOnly = ['--payment-types', 'paypal', '--payment-provider', 'paypal', '--paypal-client-id', 'new-client']
    const { code, out } = await toolWith(secret, 'create', 'Weingut Neukonto', ...paypalOnly)
    expect([code, out]).toEqual([0, expect.stringContaining('PayPal account        new-client, webhook none')])
    const [, id] = /id +(\d+)/.exec(out) ?? []
    expect(await storedOf(Number(id))).toEqual([{ clientId: 'new-client', clientSecret: secret }])
  },
  patience,
)

test.each([
  ['without a secret', '', ['--paypal-client-id', 'client'], /^the client secret at PayPal is empty/],
  ['with two lines', 'hush\nhush', ['--paypal-client-id', 'client'], /without spaces/],
  ['with a space in the client id', secret, ['--paypal-client-id', 'client id'], /^the client id must be/],
  [
    'with an address as the webhook',
    secret,
    ['--paypal-webhook-id', 'https://shop.example'],
    /^the webhook id must be/,
  ],
  ['with a webhook of no account', secret, ['--paypal-webhook-id', 'HOOK'], /add --paypal-client-id/],
  ['with the secret as a word', '', ['--paypal-client-secret', secret], /unknown option/],
])(
  'a change %s is refused, and nothing is changed',
  async (_, input, words, says) => {
    const shop = await newShop()
    const run = await toolWith(input, 'set', String(shop.id), '--phone', '0351 1', ...words)
    expect([run.code, run.out]).toEqual([1, ''])
    expect(run.errors).toMatch(says)
    expect(run.errors).not.toMatch(/hush|EGnHDxD/)
    expect(await storedOf(shop.id)).toBeUndefined()
    expect((await getItem(key('merchant', { merchant: shop.id })))?.phone).toBeUndefined()
  },
  patience,
)

test(
  'a merchant is not created without its secret',
  async () => {
    const { code, out } = await toolWith('\n', 'create', 'Weingut Ohnewort', '--paypal-client-id', 'client')
    expect([code, out]).toEqual([1, ''])
    expect((await tool('list')).out).not.toContain('Ohnewort')
  },
  patience,
)
