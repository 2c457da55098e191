import type { PaymentType } from '../../../shared/contract/vocabulary.ts'
import { isExternal, statusOnAdd } from '../../../shared/orders/states.ts'
import type { Answer, Body } from '../../client/client.ts'
import { demand, Missing, same } from '../compare.ts'
import { sendListed } from '../listed.ts'
import { type ByHand, byHand, type Walk } from '../walk.ts'

/** The payment type of the order: if possible one without a provider and an invoice, because invoice numbers are not reused. */
const paymentTypeOf = (walk: Walk): PaymentType => {
  const types = walk.need('payments')
  const later = (['prepaid', 'bank', 'invoice', 'cash', 'debit'] as const).find(type => types.includes(type))
  const type = later ?? types[0]
  if (type) return type
  throw new Missing('payment type that the merchant takes')
}

const guest = {
  billing: {
    ...{ gender: 'f', first_name: 'Ada', last_name: '{mark}', address: 'Am Hang 3', zip: '01067', city: 'Dresden' },
    countrycode: 'de',
  },
}
const client = {
  ...{ billing_type: 'client', billing_id: '{client.id}', delivery_type: 'address', delivery_id: '{address.id}' },
}

/** The request of an order of two bottles of the walk's own wine. */
export const orderOf = (walk: Walk, payment_type: PaymentType, buyer: object = client) => {
  const urls = { return_url: walk.options.returnUrl, cancel_url: walk.options.returnUrl }
  const items = [{ item_type: 'wine', item_id: '{wine.id}', quantity: 2 }]
  const order = { source: 'shop', note: '{mark}', ...buyer, payment_type, items }
  return { data: { ...order, ...(isExternal(payment_type) && urls) } }
}

/** The calculation of an order, its placement, and what needs an invoice. */
export const orderSteps: readonly ByHand[] = [
  byHand('/service/orders/add', 'calculates an order of a guest, and stores nothing', async (walk, listed) => {
    await sendListed(walk, { ...listed, request: { ...orderOf(walk, paymentTypeOf(walk), guest), dry_run: true } })
    if (!walk.need('merchant').tax_free) same(walk.need('priced').item_gross, '20.00', 'data.item_gross')
  }),
  byHand('/service/orders/add', 'places the order; a repeat with the same key returns it', async (walk, listed) => {
    const type = paymentTypeOf(walk)
    const data = { status: statusOnAdd(type), gross: '{priced.gross}' }
    await sendListed(walk, { ...listed, request: orderOf(walk, type), expect: { data } })
    return `paid by ${type}`
  }),
  byHand('/service/orders/getAll', 'lists the order', async (walk, listed) => {
    const { uuid } = walk.need('order')
    const { data } = (await sendListed(walk, listed)).json as Answer<'/service/orders/getAll'>
    const found = data.find(one => one.uuid === uuid)
    same(found, { uuid, billing: { id: walk.need('client').id } }, 'the order')
  }),
  byHand('/service/orders/advance', 'ships an order, with its tracking number', async (walk, listed) => {
    walk.things.shipped = walk.need('order')
    if (!walk.options.usesInvoices) {
      const request = { uuid: '{order.uuid}', event: 'close' }
      await sendListed(walk, { ...listed, request, refused: 'not_in_this_status' })
      return 'no order with an invoice is placed: not_in_this_status'
    }
    const order = { path: '/service/orders/add', does: 'places an order with an invoice', as: 'shipped' }
    await sendListed(walk, { ...order, request: orderOf(walk, 'invoice') })
    const sent = { carrier: 'DHL', tracking: '00340434161094042557' }
    const expect = { data: { status: 'in_delivery', documents: { deliveryNotes: [sent] } } }
    await sendListed(walk, { ...listed, request: { uuid: '{shipped.uuid}', event: 'ship', ...sent }, expect })
    return undefined
  }),
  byHand('/service/orders/getDocument', 'links to the invoice of an order that has one', async (walk, listed) => {
    if (!walk.need('shipped').fixed) return void (await sendListed(walk, { ...listed, refused: 'document_not_found' }))
    const { word, json } = await sendListed(walk, { ...listed, or: 'invoice_incomplete' })
    if (word) return `the merchant lacks an address or a tax number: ${word}`
    demand(URL.canParse((json as Answer<'/service/orders/getDocument'>).data.url), 'data.url is not a link')
    return undefined
  }),
  byHand('/service/orders/credit', 'credits a bottle, once by its key, and then the rest', async (walk, listed) => {
    const { uuid } = walk.need('shipped')
    if (!walk.options.usesInvoices) {
      const request = { uuid, refund: 'none', dry_run: true }
      const { word } = await sendListed(walk, { ...listed, request, or: 'not_in_this_status' })
      return word ? `the order has no invoice: ${word}` : 'nothing is stored'
    }
    const [bottles] = (await walk.ask('/service/orders/get', { uuid })).data.positions ?? []
    const positions = [{ id: bottles?.id ?? 0, quantity: 1 }]
    const body: Body<'/service/orders/credit'> = { uuid, positions, refund: 'none', restock: true }
    await sendListed(walk, { ...listed, request: body, expect: { data: { credited: 'part' } } })
    const rest = await walk.ask('/service/orders/credit', { uuid, refund: 'none' })
    same(rest.data, { status: 'in_delivery', credited: 'whole' })
    return undefined
  }),
]
