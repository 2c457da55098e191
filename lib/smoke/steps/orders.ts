import type { PaymentType } from '../../../shared/contract/vocabulary.ts'
import { isExternal, statusOnAdd } from '../../../shared/orders/states.ts'
import type { Body } from '../../client/client.ts'
import { demand, Missing, same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'
import { person } from './clients.ts'

/** The payment type of the order: if possible one without a provider and an invoice, because invoice numbers are not reused. */
const paymentTypeOf = (walk: Walk): PaymentType => {
  const types = walk.need('payments')
  const later = (['prepaid', 'bank', 'invoice', 'cash', 'debit'] as const).find(type => types.includes(type))
  const type = later ?? types[0]
  if (type) return type
  throw new Missing('payment type that the merchant takes')
}

/** The order: two bottles of the walk's own wine, for its own client. */
export const orderOf = (walk: Walk, payment_type: PaymentType): Body<'/service/orders/add'>['data'] => ({
  source: 'shop',
  note: walk.mark,
  billing_type: 'client',
  billing_id: walk.need('client').id,
  delivery_type: 'address',
  delivery_id: walk.need('address').id,
  payment_type,
  items: [{ item_type: 'wine', item_id: walk.need('wine').id, quantity: 2 }],
  ...(isExternal(payment_type) && { return_url: walk.options.returnUrl, cancel_url: walk.options.returnUrl }),
})

const byClient = (walk: Walk) => ({ clientToken: walk.need('clientToken') })

const find = async (walk: Walk) => {
  const { data } = await walk.ask('/service/orders/getAll', { include: 'billing,user', pageSize: 100 })
  return data.find(({ uuid }) => uuid === walk.need('order').uuid)
}

/** Calculates an order, places it, and reads it as the merchant and as the client. */
export const orderSteps: readonly Step[] = [
  step('/service/orders/add', 'calculates an order of a guest, and stores nothing', async walk => {
    const { billing_type, billing_id, delivery_type, delivery_id, ...order } = orderOf(walk, paymentTypeOf(walk))
    const billing = { ...person, last_name: walk.mark }
    const { data } = await walk.ask('/service/orders/add', { data: { ...order, billing }, dry_run: true })
    walk.things.priced = data.gross
    if (!walk.need('merchant').tax_free) same(data.item_gross, '20.00', 'data.item_gross')
  }),
  step('/service/orders/add', 'places the order; a repeat with the same key returns it', async walk => {
    const type = paymentTypeOf(walk)
    const [body, how] = [{ data: orderOf(walk, type) }, { headers: { 'idempotency-key': walk.mark } }]
    walk.writes('order')
    const { data } = await walk.ask('/service/orders/add', body, how)
    walk.things.order = data
    same(data, { status: statusOnAdd(type), gross: walk.need('priced'), note: walk.mark, payment_type: type })
    const { json, headers } = await walk.succeed('/service/orders/add', body, how)
    same(json, { data: { uuid: data.uuid } }, 'the repeat')
    same(headers.get('idempotency-replayed'), 'true', 'the header Idempotency-Replayed')
    return `paid by ${type}`
  }),
  step('/service/orders/get', 'reads the order with all relations', async walk => {
    const { id, uuid, number, gross } = walk.need('order')
    const include = ['client', 'billing', 'delivery', 'documents', 'items', 'user'] as const
    const { data } = await walk.ask('/service/orders/get', { uuid, include: [...include] })
    same(data, {
      ...{ id, uuid, number, gross },
      client: { last_name: walk.mark },
      delivery: { id: walk.need('address').id, city: walk.need('address').city },
      positions: [{ item_type: 'wine', item_id: walk.need('wine').id, quantity: 2, item: { name: walk.mark } }],
    })
    const sent = await walk.ask('/service/packaging/find', { bottles: 2, gross: '20.00' }).catch(() => undefined)
    if (sent && data.package) same(data.package.gross, sent.data.gross, 'data.package.gross')
  }),
  step('/service/orders/getAll', 'lists the order', async walk => {
    same(await find(walk), { uuid: walk.need('order').uuid, billing: { id: walk.need('client').id } }, 'the order')
  }),
  step('/service/orders/touch', 'marks the order as read', async walk => {
    const { uuid } = walk.need('order')
    const { data } = await walk.ask('/service/orders/touch', { uuid })
    demand(data.touched > 0, 'data.touched is not set')
  }),
  step('/service/clients/orders/getAll', 'lists the orders of a client', async walk => {
    const { data } = await walk.ask('/service/clients/orders/getAll', {}, byClient(walk))
    same(data, [{ uuid: walk.need('order').uuid }])
  }),
  step('/service/clients/orders/get', 'reads an order of a client', async walk => {
    const { uuid, number } = walk.need('order')
    same((await walk.ask('/service/clients/orders/get', { uuid }, byClient(walk))).data, { uuid, number })
  }),
  step('/service/orders/advance', 'ships an order, with its tracking number', async walk => {
    if (!walk.options.usesInvoices) {
      const { uuid } = walk.need('order')
      await walk.refused('/service/orders/advance', { uuid, event: 'close' }, 'not_in_this_status')
      return 'no order with an invoice is placed: not_in_this_status'
    }
    walk.writes('order')
    const { data } = await walk.ask('/service/orders/add', { data: orderOf(walk, 'invoice') })
    walk.things.invoiced = data
    const sent = { carrier: 'DHL', tracking: '00340434161094042557' }
    const shipped = await walk.ask('/service/orders/advance', { uuid: data.uuid, event: 'ship', ...sent })
    same(shipped.data, { status: 'in_delivery', documents: { deliveryNotes: [sent] } })
    return
  }),
  step('/service/orders/getDocument', 'links to the invoice of an order that has one', async walk => {
    const { uuid, fixed } = walk.things.invoiced ?? walk.need('order')
    const body = { uuid, document: 'invoice', format: 'pdf' } as const
    if (!fixed) return void (await walk.refused('/service/orders/getDocument', body, 'document_not_found'))
    const { data } = await walk.ask('/service/orders/getDocument', body)
    demand(URL.canParse(data.url), 'data.url is not a link')
  }),
  step('/service/orders/credit', 'credits a bottle, once by its key, and then the rest', async walk => {
    const { uuid } = walk.things.invoiced ?? walk.need('order')
    if (!walk.things.invoiced) {
      const body = { uuid, refund: 'none', dry_run: true } as const
      const answer = await walk.askUnless('/service/orders/credit', body, ['not_in_this_status'])
      return typeof answer === 'string' ? `the order has no invoice: ${answer}` : 'nothing is stored'
    }
    const [bottles] = (await walk.ask('/service/orders/get', { uuid })).data.positions ?? []
    const positions = [{ id: bottles?.id ?? 0, quantity: 1 }]
    const body: Body<'/service/orders/credit'> = { uuid, positions, refund: 'none', restock: true }
    const how = { headers: { 'idempotency-key': walk.mark } }
    const { credit } = await walk.ask('/service/orders/credit', body, how)
    const { json, headers } = await walk.succeed('/service/orders/credit', body, how)
    same(json, { credit: { number: credit.number }, data: { credited: 'part' } }, 'the repeat')
    same(headers.get('idempotency-replayed'), 'true', 'the header Idempotency-Replayed')
    const rest = await walk.ask('/service/orders/credit', { uuid, refund: 'none' })
    same(rest.data, { status: 'in_delivery', credited: 'whole' })
    return
  }),
  step('/service/orders/history', 'lists the steps of the order', async walk => {
    const { uuid, status } = walk.things.invoiced ?? walk.need('order')
    const { data } = await walk.ask('/service/orders/history', { uuid })
    same(data[0], { event: 'add', status })
  }),
]

/** Cancels the order. */
export const cancelSteps: readonly Step[] = [
  step('/service/orders/checkout/cancel', 'cancels the order; a repeat returns the same', async walk => {
    const { uuid } = walk.need('order')
    const { data } = await walk.ask('/service/orders/checkout/cancel', { uuid })
    same(data, { uuid, status: 'cancelled' })
    const again = await walk.ask('/service/orders/checkout/cancel', { order_id: uuid })
    same(again.data.chstamp, data.chstamp, 'data.chstamp of the repeat')
    same((await walk.ask('/service/orders/get', { uuid })).data.status, 'cancelled', 'data.status')
  }),
]
