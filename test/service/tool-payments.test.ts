import { actAsOperator } from '../../lib/tool/connect.ts'
import { taskKey } from '../../shared/payments/record.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { newOwnShop, type Placed } from '../support/own-shop.ts'
import { startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Run, toolOn } from '../support/tool.ts'

// A twin of this file's own: the tool's sweep reads the orders of all merchants.
const folder = temporaryFolder('payments')
let twin: TwinProcess

beforeAll(async () => {
  twin = await startTwinProcess(folder, { environment: { DEMO: 'no', TIMERS: 'no' } })
  actAsOperator(twin.connection)
})

afterAll(async () => {
  await twin.stop()
})

const tool = (...args: string[]): Promise<Run> => toolOn(folder, args)

const newShop = (name: string) => newOwnShop(twin.connection, name)

test('a sweep calls the provider of the stage that runs here, and cancels unpaid orders', async () => {
  const shop = await newShop('Weingut Kehraus')
  const { data } = await shop.place()
  const { code, out, errors } = await tool('sweep', '--hours', '0')
  expect([code, errors]).toEqual([0, ''])
  expect(out).toMatch(
    /^1 orders cancelled, 0 paid after all, 0 payments refunded, 0 need a decision, \d left for later\n$/,
  )
  expect(await shop.statusOf(data.id)).toBe('cancelled')
})

test('a sweep whose provider fails reports the orders, processes the others, and ends with 1', async () => {
  const [failing, well] = [await newShop('Weingut Ausfall'), await newShop('Weingut Wohlauf')]
  const [broken, fine] = [await failing.place(), await well.place()]
  await failing.payAt('nowhere', broken)
  const { code, out, errors } = await tool('sweep', '--hours', '0')
  expect(code).toBe(1)
  expect(out).toMatch(
    /^1 orders cancelled, 0 paid after all, 0 payments refunded, 0 need a decision, \d left for later$/m,
  )
  // The log's lines about the reason come first.
  expect(errors).toMatch(/no credentials/)
  expect(errors.split('\n').slice(-3)).toEqual([
    `merchant ${failing.merchant}, order ${broken.data.id}: The payment provider refused the request or could not be reached.`,
    '1 payments could not be reconciled',
    '',
  ])
  expect(await well.statusOf(fine.data.id)).toBe('cancelled')
  expect(await failing.statusOf(broken.data.id)).toBe('new')
  await failing.payAt('sandbox', broken)
  expect(await tool('sweep', '--hours', '0')).toMatchObject({ code: 0, errors: '' })
  expect(await failing.statusOf(broken.data.id)).toBe('cancelled')
})

test('cancelling an order asks the provider about an interrupted capture; if that fails, it ends with 1', async () => {
  const shop = await newShop('Weingut Abbruch')
  const placed = await shop.place()
  const { data, payment } = placed
  const place = key('payment', { merchant: shop.merchant, uuid: payment.uuid })
  await updateItem(place, { set: { status: 'capturing', lease: 0 } })
  const order = ['order', shop.name, String(data.id)]
  await shop.payAt('nowhere', placed)
  const failed = await tool(...order, 'cancel')
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.errors).toMatch(
    new RegExp(`\norder ${data.id}: The payment provider refused the request or could not be reached.\n$`),
  )
  expect(await shop.statusOf(data.id)).toBe('new')
  await shop.payAt('sandbox', placed)
  expect(await tool(...order, 'cancel')).toEqual({ code: 0, out: `order ${data.id} is cancelled\n`, errors: '' })
})

test('a payment in review is listed, and ends by an operator’s command', async () => {
  const shop = await newShop('Weingut Zweifel')
  const [accepted, refunded] = [await shop.place(), await shop.place()]
  const order = (placed: Placed, ...words: string[]) => tool('order', shop.name, String(placed.data.id), ...words)
  expect(await order(accepted, 'accept')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^nobody has to decide/),
  })
  for (const { payment } of [accepted, refunded]) {
    await updateItem(key('sandboxPayment', { id: payment.external_id ?? '' }), {
      set: { state: 'captured', captureId: 'taken', amount: 1899 },
    })
    await updateItem(key('payment', { merchant: shop.merchant, uuid: payment.uuid }), {
      set: { status: 'review', reason: 'AMOUNT_MISMATCH', taken: { amount: 1899, currency: 'EUR' } },
      index: taskKey('review', Date.now()),
    })
  }
  // Nothing was taken there.
  const unpaid = await shop.place()
  await updateItem(key('payment', { merchant: shop.merchant, uuid: unpaid.payment.uuid }), {
    set: { status: 'review', reason: 'AMOUNT_MISMATCH' },
  })
  expect(await order(unpaid, 'accept')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^the money of order 3 is not at the provider, where the payment is open: give it/),
  })
  await order(unpaid, 'refund', '--by-hand')
  const listed = await tool('payments', shop.name)
  expect(listed).toMatchObject({ code: 0, errors: '' })
  expect(listed.out).toMatch(
    /^order 1 {2}review {2}19\.00 EUR, 18\.99 EUR taken {2}AMOUNT_MISMATCH {2}since .*decides$/m,
  )
  expect(listed.out).toMatch(/^0 payments are left to the sweep, 2 need a decision\n$/m)
  expect(await order(accepted, 'accept', '--by-hand')).toMatchObject({ code: 1 })
  expect((await order(accepted, 'accept')).out).toMatch(/^order 1 is need_package, paid/)
  expect((await order(refunded, 'refund', '--by-hand')).out).toBe('order 2 is cancelled\n')
  expect((await tool('payments', shop.name)).out).toBe('0 payments are left to the sweep, 0 need a decision\n')
})

test('a table on AWS needs a stage name', async () => {
  const { code, errors } = await tool('--table', 'a-table', '--bucket', 'a-bucket', 'list')
  expect([code, errors]).toEqual([1, 'name the stage of the table as well, as it was deployed: --stage NAME\n'])
})
