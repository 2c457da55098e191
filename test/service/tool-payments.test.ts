import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import { changeSettings } from '../../lib/tool/settings.ts'
import type { MerchantItem } from '../../shared/table/items.ts'
import { key, type MerchantId } from '../../shared/table/keys.ts'
import { updateItem } from '../../shared/table/table.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { paypalEnvironment } from '../support/paypal/environment.ts'
import { type PayPalTwin, startPayPalTwin } from '../support/paypal/server.ts'
import { startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import type { Run } from '../support/tool.ts'

// What a body holds is the test's claim; a wrong claim fails the test.
// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely in assertions
type Json = any

// A twin of this file's own: the tool's sweep goes through the orders of all merchants.
let folder: string
let twin: TwinProcess
let payPal: PayPalTwin
let credentials: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weinkontor-payments-'))
  payPal = await startPayPalTwin()
  credentials = paypalEnvironment(payPal.url)
  twin = await startTwinProcess(folder, { environment: { DEMO: 'no', ...credentials } })
  actAsOperator(twin.connection)
})

afterAll(async () => {
  await twin.stop()
  await payPal.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Runs the merchant tool in a process of its own, which knows nothing but where the data are, and what it is told. */
const toolWith = (environment: Record<string, string>, ...args: string[]): Promise<Run> =>
  new Promise(done => {
    const env = childEnvironment({ DATA_DIR: folder, ...environment })
    const child = execFile(process.execPath, ['bin/merchant.ts', ...args], { env }, (_, out, errors) =>
      done({ code: child.exitCode ?? -1, out, errors }),
    )
  })

const tool = (...args: string[]): Promise<Run> => toolWith({}, ...args)

const home = { address: 'Kellergasse 1', zip: '01067', city: 'Dresden', countrycode: 'de', company: 'Zum Korken' }
const riesling = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1008, gross: '9.50', taxrate: 19 }
const urls = { return_url: 'https://shop.example/done', cancel_url: 'https://shop.example/cancelled' }

type Placed = { data: { id: number; uuid: string; status: string }; payment: { uuid: string } }

/** A merchant whose shop takes payments by a provider, and a way to place orders there. */
const newShop = async (name: string, provider: 'paypal' | 'sandbox' = 'sandbox') => {
  const account: MerchantItem = await createMerchant({ name, paymentTypes: ['paypal'] })
  await changeSettings(account.id as MerchantId, { payment_provider: provider })
  const { token: apiToken } = await issueToken(account, 'test')
  let token = ''
  const call = async (route: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const options = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await (await fetch(`${twin.connection.url}/service/${route}`, options)).json()) as Json
  }
  token = (await call('login', { authid: account.authid, token: apiToken })).token
  const wine = (await call('wines/add', { data: riesling })).data.id
  const address = (await call('addresses/add', { data: home })).data.id
  const items = [{ item_type: 'wine', item_id: wine, quantity: 2 }]
  const order = { billing_type: 'address', billing_id: address, payment_type: 'paypal', items, ...urls }
  const merchant = account.id as MerchantId
  return {
    name,
    merchant,
    place: (): Promise<Placed> => call('orders/add', { data: order }),
    statusOf: async (id: number): Promise<string> => (await call('orders/get', { id })).data.status,
  }
}

test('a sweep asks the provider of the stage that runs here, and ends what nobody paid', async () => {
  const shop = await newShop('Weingut Kehraus')
  const { data } = await shop.place()
  const { code, out, errors } = await tool('sweep', '--hours', '0')
  expect([code, errors]).toEqual([0, ''])
  expect(out).toMatch(
    /^1 orders cancelled, 0 paid after all, 0 payments paid back, 0 want a person, \d left for later\n$/,
  )
  expect(await shop.statusOf(data.id)).toBe('cancelled')
})

// PayPal without credentials is a provider that fails: the service has them, a tool that is not told them has none.
test('a sweep whose provider fails says for which orders, does the others, and ends with 1', async () => {
  const [failing, well] = [await newShop('Weingut Ausfall', 'paypal'), await newShop('Weingut Wohlauf')]
  const [broken, fine] = [await failing.place(), await well.place()]
  const { code, out, errors } = await tool('sweep', '--hours', '0')
  expect(code).toBe(1)
  expect(out).toMatch(
    /^1 orders cancelled, 0 paid after all, 0 payments paid back, 0 want a person, \d left for later$/m,
  )
  // Before it stands what the log says of the reason.
  expect(errors).toMatch(/no credentials/)
  expect(errors.split('\n').slice(-3)).toEqual([
    `merchant ${failing.merchant}, order ${broken.data.id}: The payment provider failed.`,
    '1 payments could not be looked after',
    '',
  ])
  expect(await well.statusOf(fine.data.id)).toBe('cancelled')
  expect(await failing.statusOf(broken.data.id)).toBe('new')
  expect(await toolWith(credentials, 'sweep', '--hours', '0')).toMatchObject({ code: 0, errors: '' })
  expect(await failing.statusOf(broken.data.id)).toBe('cancelled')
})

test('cancelling an order asks the provider about a capture that was broken off; if that fails, it ends with 1', async () => {
  const shop = await newShop('Weingut Abbruch', 'paypal')
  const { data, payment } = await shop.place()
  const place = key('payment', { merchant: shop.merchant, uuid: payment.uuid })
  await updateItem(place, { set: { status: 'capturing', lease: 0 } })
  const order = ['order', shop.name, String(data.id)]
  const failed = await tool(...order, 'cancel')
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.errors).toMatch(new RegExp(`\norder ${data.id}: The payment provider failed.\n$`))
  expect(await shop.statusOf(data.id)).toBe('new')
  expect(await toolWith(credentials, ...order, 'cancel')).toEqual({
    code: 0,
    out: `order ${data.id} is cancelled\n`,
    errors: '',
  })
})

test('a table on AWS wants its stage named', async () => {
  const { code, errors } = await tool('--table', 'a-table', '--bucket', 'a-bucket', 'list')
  expect([code, errors]).toEqual([1, 'name the stage of the table as well, as it was deployed: --stage NAME\n'])
})
