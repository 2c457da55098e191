import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { itemsOf, newCellar } from './cellar.ts'
import { newBasket, returning } from './checkout.ts'
import { newAccount } from './client-account.ts'
import type { Known } from './fuzz.ts'
import { newClient } from './harness.ts'

const home = { address: 'Weg 2', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Krug' }

/** A merchant for the fuzz tests, with ids of its records, so that requests find some. */
export const newFuzzTarget = async (): Promise<{
  known: Known
  token: string
  clientToken: string
  merchant: MerchantId
}> => {
  const shop = await newCellar('Kellerei Rausch', ['invoice', 'paypal', 'prepaid'])
  const client = await newClient(shop)
  const data = { billing_id: client.id, payment_type: 'paypal', items: itemsOf(shop, { juice: 1 }), ...returning }
  const placed = (await shop.call('orders/add', { data })).json
  const address = (await shop.call('addresses/add', { data: home })).json.data.id
  const basket = await newBasket(shop, shop.wine.juice ?? 0, 3)
  const wines = [shop.wine.juice, shop.wine.secco]
  const account = await newAccount(shop)
  const { hash } = (await shop.call('clients/getPasswordHash', account)).json.data
  const known = {
    mail: [account.mail],
    password: [account.password],
    hash: [hash],
    id: [...wines, address, placed.data.id, client.id],
    item_id: wines,
    uuid: [basket, placed.data.uuid],
    basket_uuid: [basket],
    billing_id: [client.id],
    client_id: [client.id],
    order_id: [placed.data.uuid],
    payment_id: [placed.payment.uuid],
    external_id: [placed.payment.external_id],
    return_url: [returning.return_url, 'https:evil.example'],
    cancel_url: [returning.cancel_url],
    authid: [shop.authid],
    filter: [
      [],
      { type: 'white' },
      { shop: true, vintage: [2020, '2021'] },
      { grapetypeIds: Array(1000).fill(7) },
      { x: 1 },
    ],
    query: ['riesling', '🍷'.repeat(200), { name: 'r', place: 'x' }, { categoryIds: 7 }, { x: 'y' }],
    orderBy: ['name', 'vintage DESC, id', 'name,'.repeat(9), 'nonsense'],
  }
  return { known, token: shop.token, clientToken: account.token, merchant: shop.id }
}
