import { Problem } from '../../shared/contract/errors.ts'
import { paypal } from '../../shared/payments/paypal/paypal.ts'
import type { OpenRequest, PaymentView } from '../../shared/payments/provider.ts'
import { captureId, orderId, payment, startPayPal } from './paypal/scripted.ts'

/** The PayPal of a test file, and what it is asked with. */
export const server = await startPayPal()
afterAll(() => server.close())

const limits = { call: 5000, verb: 10_500, pause: 10 }

/** A provider that has no token yet. */
export const fresh = (changes: Partial<typeof limits> = {}, baseUrl = server.url) =>
  paypal({ clientId: 'client-7', clientSecret: 'secret-7', baseUrl }, { ...limits, ...changes })

export const request: OpenRequest = {
  payment,
  order: { uuid: 'd9f80740-38f0-11e8-b467-0ed5f89f718b', number: '1' },
  merchantName: 'Weingut Elbufer',
  amount: 2519,
  currency: 'EUR',
  returnUrl: `https://shop.example/danke?pid=${payment}`,
  cancelUrl: 'https://shop.example/korb',
  requestId: `${payment}:create`,
}

/** Each verb of a fresh provider, asked for the payment of the documented answers. */
export const verbs = {
  open: () => fresh().open(request),
  inspect: () => fresh().inspect(orderId),
  capture: () => fresh().capture(orderId, `${payment}:capture`),
  refund: () => fresh().refund(captureId, 2519, `${payment}:refund`, payment, 'EUR'),
  inspectRefund: () => fresh().inspectRefund('1JU08902781691411'),
}

/** The error word a promise is refused with; its value when it is not. Anything but a Problem fails the test. */
export const wordOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch(error => (error instanceof Problem ? error.word : Promise.reject(error)))

/** The payment of the documented answers once its money was taken. */
export const paid: PaymentView = {
  state: 'captured',
  amount: 2519,
  currency: 'EUR',
  customId: payment,
  payerId: 'QYR5Z8XDVJNXQ',
  captureId,
  refunded: 0,
  reason: null,
}
