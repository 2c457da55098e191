import type { Client } from '../../shared/contract/records/client.ts'
import type { PaymentType } from '../../shared/contract/vocabulary.ts'
import { partition } from '../../shared/platform/table/keys.ts'
import { query } from '../../shared/platform/table/table.ts'
import { type Cellar, itemsOf, newCellar } from './cellar.ts'
import { type Answer, type Json, newClient } from './harness.ts'

const allTypes: PaymentType[] = ['invoice', 'prepaid', 'paypal', 'card', 'debit', 'bank', 'cash']

/** A shop of all payment types with a client who orders there: one Riesling on account by default. */
export type Buyer = {
  shop: Cellar
  client: Client
  send(body: object, headers?: Record<string, string>): Promise<Answer>
  add(data: object): Promise<Answer>
  /** Places an order that must succeed. Returns it. */
  placed(data: object): Promise<Json>
  wines(quantities: Record<string, unknown>): Json[]
  newBasket(items: object[]): Promise<string>
  /** The numbers of clients, addresses and orders. */
  stored(): Promise<number[]>
}

/** Creates a shop and its client. */
export const newBuyer = async (name: string): Promise<Buyer> => {
  const shop = await newCellar(name, allTypes)
  const client = await newClient(shop)
  const wines = (quantities: Record<string, unknown>): Json[] => itemsOf(shop, quantities)
  const send = (body: object, headers: Record<string, string> = {}) => shop.call('orders/add', body, { headers })
  const add = (data: object) =>
    send({ data: { billing_id: client.id, payment_type: 'invoice', items: wines({ riesling: 1 }), ...data } })
  const count = async (shape: 'client' | 'address') =>
    (await query({ pk: partition(shape, { merchant: shop.id }) })).length
  return {
    shop,
    client,
    send,
    add,
    wines,
    placed: async data => {
      const answer = await add(data)
      expect([answer.status, answer.json.error]).toEqual([200, undefined])
      return answer.json.data
    },
    newBasket: async items => {
      const { uuid } = (await shop.call('baskets/add')).json.data
      for (const data of items) await shop.call('baskets/addItem', { uuid, data })
      return uuid
    },
    stored: async () => [
      await count('client'),
      await count('address'),
      (await shop.call('orders/getAll', { pageSize: 1 })).json.totalCount,
    ],
  }
}

/** A refusal in short: status, word, and the paths of its fields. */
export const refusal = ({ status, json }: Answer): unknown[] => [
  status,
  json.error,
  ...(json.fields ?? []).map(({ path }: Json) => path),
]

/** A buyer as a checkout form sends one. */
export const person = {
  gender: 'f',
  first_name: 'Änne',
  last_name: 'Groß',
  company: '',
  address: 'Am Markt 3',
  zip: '01067',
  city: 'Dresden',
  countrycode: 'DE',
  mail: 'aenne@example.org',
  phone: '',
}
