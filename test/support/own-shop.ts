import { createMerchant, issueToken } from '../../lib/tool/merchants.ts'
import type { TwinConnection } from '../../lib/twin/twin-file.ts'
import type { MerchantItem } from '../../shared/platform/table/items.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'

// The shape of a body is the test's claim; a wrong claim fails the test.
// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely in assertions
type Json = any

const home = { address: 'Kellergasse 1', zip: '01067', city: 'Dresden', countrycode: 'de', company: 'Zum Korken' }
const riesling = { name: 'Riesling', type: 'white', countrycode: 'de', region: 1008, gross: '9.50', taxrate: 19 }
const urls = { return_url: 'https://shop.example/done', cancel_url: 'https://shop.example/cancelled' }

export type Placed = {
  data: { id: number; uuid: string; status: string }
  payment: { uuid: string; external_id: string | null }
}

/** A merchant of a twin that a test file started itself: its shop takes payments by a provider, and can place orders. */
export const newOwnShop = async (
  twin: TwinConnection,
  name: string,
  paymentProvider: 'paypal' | 'sandbox' = 'sandbox',
) => {
  const account: MerchantItem = await createMerchant({ name, paymentTypes: ['paypal'], paymentProvider })
  const { token: apiToken } = await issueToken(account, 'test', { role: 'desk' })
  let token = ''
  const call = async (route: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const options = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await (await fetch(`${twin.url}/service/${route}`, options)).json()) as Json
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
    search: (query: string) => call('wines/search', { query }),
    /** The error word of an attempt to finish an order. */
    finish: async ({ data, payment }: Placed): Promise<string | undefined> => {
      const ids = { order_uuid: data.uuid, payment_uuid: payment.uuid, external_id: payment.external_id }
      return (await call('orders/checkout/finish', { payment_type: 'paypal', payer_id: 'P', ...ids })).error
    },
    statusOf: async (id: number): Promise<string> => (await call('orders/get', { id })).data.status,
    /** An account without credentials is a provider that fails; `sandbox` takes a payment again. */
    payAt: (provider: 'nowhere' | 'sandbox', { payment: { uuid } }: Placed) =>
      updateItem(key('payment', { merchant, uuid }), {
        set: provider === 'sandbox' ? { provider, account: provider } : { provider: 'paypal', account: provider },
      }),
  }
}
