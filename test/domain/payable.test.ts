import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { type PlacedOrder, placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { returning, setMerchant } from '../support/checkout.ts'
import { violations } from '../support/invariants.ts'
import { localServer } from '../support/local-server.ts'
import { newPayer } from '../support/payer.ts'

// An order that cannot be paid is not placed: the merchant has no provider, or that is unknown now.

const { shop, billing_id } = await newPayer('Kellerei Kassenlos')
const merchant = shop.id

/** Parameter Store's status; 0 hangs up. */
let status = 400
const AWS_ENDPOINT_URL_SSM = await localServer((_, response) => {
  if (status === 0) return response.destroy()
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
  return response.end(JSON.stringify({ __type: status === 400 ? 'ParameterNotFound' : 'InternalServerError' }))
})

const usual = { ...process.env }
afterEach(() => {
  process.env = { ...usual }
})

const deployed = () => Object.assign(process.env, { STAGE: 'prod', AWS_ENDPOINT_URL_SSM })
const orders = () => query({ pk: partition('order', { merchant }) })
const placer = { merchant, user: { id: 1, name: 'test' } }
const request = (payment_type: string, idempotencyKey: string | null = null) => ({
  idempotencyKey,
  data: v.parse(NewOrder, { billing_id, payment_type, items: itemsOf(shop, { secco: 1 }), ...returning }),
})

/** Expects ordering and the preview of it to be refused, and nothing to be stored. */
const refusedBy = async (refusal: object) => {
  const before = await orders()
  const refused: ((asked: ReturnType<typeof request>) => Promise<PlacedOrder>)[] = [
    asked => placeOrder(placer, asked),
    asked => previewOrder(placer, asked),
  ]
  for (const act of refused) await expect(act(request('paypal', 'once'))).rejects.toMatchObject(refusal)
  expect(await orders()).toEqual(before)
  expect(await query({ pk: partition('idempotency', { merchant }) })).toEqual([])
  expect(await violations(merchant)).toEqual([])
}

const notAllowed = {
  word: 'payment_type_not_allowed',
  fields: [{ path: 'data.payment_type', rule: 'one_of', expected: 'invoice' }],
}

test('where the sandbox is not allowed, its payments are refused; orders without a provider are placed', async () => {
  await setMerchant(shop, { payment_types: ['invoice', 'paypal'], payment_provider: 'sandbox' })
  deployed()
  await refusedBy(notAllowed)
  expect(await placeOrder(placer, request('invoice'))).toMatchObject({ replayed: false })
  process.env.ALLOW_SANDBOX = '1'
  expect(await placeOrder(placer, request('paypal'))).toMatchObject({ payment: { status: 'open' } })
})

test('a merchant without credentials at its provider accepts no payment there', async () => {
  await setMerchant(shop, { payment_provider: 'paypal' })
  status = 400
  deployed()
  await refusedBy(notAllowed)
})

test.each([500, 0])('while the credentials cannot be read (%s) the provider fails', async answer => {
  await setMerchant(shop, { payment_provider: 'paypal' })
  status = answer
  deployed()
  await refusedBy({ word: 'payment_provider_error' })
})

test('an existing order is found again, even if it could not be paid now', async () => {
  await setMerchant(shop, { payment_provider: 'sandbox' })
  const placed = await placeOrder(placer, request('paypal', 'twice'))
  deployed()
  const again = await placeOrder(placer, request('paypal', 'twice'))
  expect([again.data.uuid, again.replayed, again.targetUrl]).toEqual([placed.data.uuid, true, placed.targetUrl])
})
