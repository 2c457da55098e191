import type { Address } from '../../shared/contract/records/address.ts'
import { type Client, completeClient } from '../../shared/contract/records/client.ts'
import type { NewOrder, OrderedItem } from '../../shared/contract/routes/orders.ts'
import type { PaymentType } from '../../shared/contract/vocabulary.ts'
import type { DocumentSource } from '../../shared/documents/invoices/content.ts'
import { sellerOf } from '../../shared/merchants/settings.ts'
import { applyEvent } from '../../shared/orders/documents.ts'
import { draftOf } from '../../shared/orders/placing/draft.ts'
import type { References } from '../../shared/orders/placing/references.ts'
import { prepare } from '../../shared/orders/placing/transaction.ts'
import type { OrderEvent } from '../../shared/orders/states.ts'
import type { Merchant } from '../../shared/platform/table/items.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { formatMoney, parseMoney, splitTax } from '../../shared/values/money.ts'
import { merchant as usual } from './order-sample.ts'

/** A wine of an order, by its gross price in cents. */
export type Good = {
  name: string
  gross: number
  quantity: number
  taxrate?: number
  vintage?: number
  bottlesize?: string
  articlenumber?: string
  gtin?: string
}

type Rebate = { name: string; net: string; tax: string; gross: string }

/** An order to be invoiced; `events` follow a day after another, from the day after it is placed. */
export type Sample = {
  goods: Good[]
  mode?: 'net' | 'gross'
  payment?: PaymentType
  client?: Partial<Client>
  delivery?: Partial<Address> | 'none'
  merchant?: Partial<Merchant>
  shipping?: number
  rebates?: Rebate[]
  remark?: string
  events?: OrderEvent[]
}

const stamp = (day: number) => `2026-11-${String(day).padStart(2, '0')} 10:30:00`
const firstDay = 26 - 20

const client: Partial<Client> = {
  number: 'K-1042',
  gender: 'f',
  first_name: 'Clara',
  last_name: 'Amsel',
  address: 'Marktplatz 1',
  zip: '67547',
  city: 'Worms',
  countrycode: 'de',
  mail: 'clara.amsel@example.org',
}

const priced = (gross: number, taxrate: number) => {
  const { net, tax } = splitTax(gross, taxrate, 'gross')
  return { net: formatMoney(net), tax: formatMoney(tax), gross: formatMoney(gross), taxrate }
}

const referencesOf = ({ goods, delivery, shipping = 590, ...sample }: Sample): References => {
  const buyer = completeClient({ id: 3, customers_id: 7, ...client, ...sample.client })
  const party = { type: 'client', id: 3, record: buyer }
  const wines = goods.map(({ gross, taxrate = 19, quantity: _, ...wine }, n) => ({
    ...{ id: n + 1, type: 'white', active: 1, nostock: 0, priced: 1, package_quantity: 1, prices: [] },
    ...{ bottlesize: '0.750', vintage: 2024, articlenumber: `W-${n + 1}`, ...wine },
    ...priced(gross, taxrate),
  }))
  const parcel = { id: 1, type: 'bottles', min_bottles: 1, max_bottles: null, ...priced(shipping, 19) }
  const address = typeof delivery === 'object' ? { type: 'address', id: 9, record: { id: 9, ...delivery } } : party
  return {
    merchant: {
      ...usual,
      id: 7,
      payment_types: ['invoice', 'prepaid', 'bank', 'cash', 'debit', 'card', 'paypal'],
      ...sample.merchant,
    },
    numbers: { orders: 2025, invoices: 1041, deliveryNotes: 981, creditAdvices: 16 },
    hasLeader: false,
    billing: party,
    delivery: delivery === 'none' ? null : address,
    buyer,
    client: buyer,
    wines: new Map(wines.map(wine => [wine.id, wine])),
    products: new Map(),
    packages: [parcel],
    stock: { wine: new Map(), product: new Map() },
  } as unknown as References
}

const dataOf = ({ goods, mode = 'gross', payment = 'invoice', rebates = [], remark, delivery }: Sample): NewOrder => {
  const items: OrderedItem[] = [
    ...goods.map(({ quantity }, n) => ({ item_type: 'wine' as const, item_id: n + 1, quantity })),
    ...rebates.map(({ name, ...amounts }) => ({
      ...{ item_type: 'rebate' as const, name, quantity: 1 },
      ...{
        net: parseMoney(amounts.net) ?? 0,
        tax: parseMoney(amounts.tax) ?? 0,
        gross: parseMoney(amounts.gross) ?? 0,
      },
    })),
  ]
  const urls = { return_url: 'https://shop.example/done', cancel_url: 'https://shop.example/no' }
  return {
    ...{ invoice_type: mode, payment_type: payment, source: 'shop', invoice_remark: remark, items, ...urls },
    ...(delivery === 'none' && { delivery_type: 'none' }),
  } as NewOrder
}

/** The order of a sample, as the service places it and carries it on. */
export const orderOf = (sample: Sample): DocumentSource => {
  const references = referencesOf(sample)
  const { merchant } = references
  const placer = { merchant: 7 as MerchantId, user: { id: 1, name: 'shop' } }
  const request = { data: dataOf(sample), idempotencyKey: null }
  const { now: realNow } = Date
  Date.now = () => Date.parse(`${stamp(firstDay).replace(' ', 'T')}Z`)
  try {
    const draft = draftOf({ placer, request, basket: null, references }, 'order')
    const prepared = prepare(draft, references)
    let { order, numbers } = prepared
    for (const [n, event] of (sample.events ?? []).entries()) {
      const now = stamp(firstDay + n + 1)
      const { payment_type, gross } = order.header
      const payment =
        event === 'payment_completed' || event === 'money_received'
          ? {
              uuid: 'payment',
              payment_type,
              amount: gross,
              currency: 'EUR',
              external_id: null,
              payer_id: null,
              crstamp: now,
            }
          : undefined
      const effect = applyEvent(order, numbers, event, { now, actor: 'shop', merchant, ...(payment && { payment }) })
      if (!('order' in effect)) throw new Error(`the sample cannot take the event ${event}`)
      ;({ order, numbers } = effect)
    }
    return { order, sold: prepared.sold, seller: sellerOf(merchant) }
  } finally {
    Date.now = realNow
  }
}
