import { finishing, newCheckout, setMerchant } from './checkout.ts'
import type { Answer, Json } from './harness.ts'
import { readShown } from './payment-fixtures.ts'
import { givePayPal } from './paypal/account.ts'
import type { Funding } from './paypal/books.ts'
import type { Account, Deed, Double } from './paypal/control.ts'
import type { Fault } from './paypal/faults.ts'

const control = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const response = await fetch(`${process.env.TEST_PAYPAL}/control/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = await response.json()
  if (!response.ok) throw new Error(`PayPal's control refuses ${path}: ${JSON.stringify(json)}`)
  return json
}

/** Does something to an order at PayPal from outside; returns where its payer is sent, if anywhere. */
export const atPayPal = async (externalId: string, deed: Deed): Promise<URL | null> => {
  const { location } = await control('POST', `orders/${externalId}`, deed)
  return location ? new URL(location) : null
}

/** An order as PayPal's books have it: its captures and refunds, the calls about it, how often it was paid. */
export const payPalOrder = (externalId: string): Promise<Account> => control('GET', `orders/${externalId}`)

/** Whatever was paid more than once at PayPal, of one merchant or of all. */
export const paidTwice = (brand?: string): Promise<Double[]> =>
  control('GET', `doubles${brand ? `?brand=${encodeURIComponent(brand)}` : ''}`)

/** The payer approves at PayPal's page and returns to the shop. */
export const approve = async (targetUrl: string, how: Omit<Extract<Deed, { deed: 'approve' }>, 'deed'> = {}) => {
  const back = await atPayPal(new URL(targetUrl).searchParams.get('token') ?? '', { deed: 'approve', ...how })
  if (!back) throw new Error('PayPal sends the payer nowhere')
  return back
}

/** The id at PayPal of the payment that add opened. */
export const externalIdOf = ({ json }: Answer): string => json.payment.external_id

/**
 * A shop that takes PayPal, at the tests' PayPal: otherwise as newCheckout. `approved` is an order whose payer has been
 * at PayPal, with what the shop sends to finish it. `fault` lays a fault for this shop's calls alone, so its name must
 * be its own; `heal` takes them all back; `doubles` is what was paid more than once.
 */
export const newPayPalCheckout = async (name: string) => {
  const checkout = await newCheckout(name)
  const { shop, add } = checkout
  await givePayPal(shop)
  await setMerchant(shop, { payment_provider: 'paypal' })
  const brand = encodeURIComponent(name)
  return {
    ...checkout,
    approved: async (funding: Funding = 'balance', data: object = {}) => {
      const answer = await add(data)
      const request = finishing(answer, await approve(answer.json.targetUrl, { funding }))
      return { answer, request, id: externalIdOf(answer) }
    },
    finish: (request: Json): Promise<Answer> => shop.call('orders/checkout/finish', request),
    orderOf: async ({ json }: Answer): Promise<Json> =>
      (await shop.call('orders/get', { uuid: json.data.uuid })).json.data,
    paymentOf: ({ json }: Answer) => readShown(shop.id, json.payment.uuid),
    fault: (fault: Fault): Promise<void> => control('POST', 'faults', { brand: name, ...fault }),
    heal: (): Promise<void> => control('DELETE', `faults?brand=${brand}`),
    orders: (): Promise<Account[]> => control('GET', `orders?brand=${brand}`),
    doubles: () => paidTwice(name),
  }
}
