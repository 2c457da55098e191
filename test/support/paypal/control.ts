import type { Answer } from './answers.ts'
import type { Call, Incoming } from './api.ts'
import {
  type Books,
  centsOf,
  type Funding,
  type Money,
  newPayerId,
  type Order,
  type RefundStatus,
  refundedOf,
} from './books.ts'
import type { Fault, FaultList } from './faults.ts'
import type { RequestIds } from './request-ids.ts'

/** A test's act on an order: as the payer, as the merchant at PayPal, as PayPal itself. */
export type Deed =
  | { deed: 'approve'; funding?: Funding; payer?: string; takes?: Money }
  | { deed: 'cancel' }
  | { deed: 'settle' }
  | { deed: 'fail' }
  | { deed: 'reverse' }
  | { deed: 'refund'; amount?: Money; status?: RefundStatus }
  | { deed: 'refunding'; status: RefundStatus }
  | { deed: 'settleRefund'; status: RefundStatus }
  | { deed: 'void' }
  | { deed: 'forget' }
  | { deed: 'careless' }

/** An order with its counts: how often money was taken, and how much of it was given back, in cents. */
export type Account = Order & { taken: number; takenCents: number; refundedCents: number; calls: Call[] }

/** A payment, or an order of the shop, for which money was taken more than once. */
export type Double = { payment: string; reference: string; orders: string[]; taken: number }

type Stores = { books: Books; ids: RequestIds; faults: FaultList; calls: Call[] }

const tookMoney = ({ captures }: Order) => captures.filter(({ status }) => status !== 'DECLINED')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const only = (order: Order, status: 'PENDING' | 'COMPLETED') => {
  const capture = order.captures.find(one => one.status === status)
  if (!capture) throw new Error(`no capture is ${status}`)
  return capture
}

/** The page at which the payer decides sends them back to the shop. */
const back = (url: string, order: Order, payer?: string | null): string => {
  const target = new URL(url)
  target.searchParams.set('token', order.id)
  if (payer) target.searchParams.set('PayerID', payer)
  return target.href
}

const deeds = (books: Books) => {
  const approve = (order: Order, { funding = 'balance', payer, takes }: Extract<Deed, { deed: 'approve' }>) => {
    if (order.status !== 'PAYER_ACTION_REQUIRED' && order.status !== 'APPROVED')
      throw new Error(`the order is ${order.status}`)
    order.payer = payer ?? order.payer ?? newPayerId()
    Object.assign(order, { status: 'APPROVED', funding, takes: takes ?? null })
    return back(order.returnUrl, order, order.payer)
  }

  /** Does it; returns where the payer is sent, if anywhere. */
  return (order: Order, deed: Deed): string | null => {
    if (deed.deed === 'approve') return approve(order, deed)
    if (deed.deed === 'cancel') return back(order.cancelUrl, order)
    if (deed.deed === 'settle') Object.assign(only(order, 'PENDING'), { status: 'COMPLETED', reason: null })
    else if (deed.deed === 'fail') only(order, 'PENDING').status = 'DECLINED'
    else if (deed.deed === 'reverse')
      Object.assign(only(order, 'COMPLETED'), { status: 'REVERSED', reason: 'CHARGEBACK' })
    else if (deed.deed === 'refunding') order.refunding = deed.status
    else if (deed.deed === 'settleRefund') books.settleRefund(order, deed.status)
    else if (deed.deed === 'void') order.status = 'VOIDED'
    else if (deed.deed === 'forget') order.isForgotten = true
    else if (deed.deed === 'careless') order.isCareless = true
    else {
      const refunding = order.refunding
      order.refunding = deed.status ?? 'COMPLETED'
      books.refund(order.account, tookMoney(order).at(-1)?.id ?? '', deed.amount)
      order.refunding = refunding
    }
    return null
  }
}

/** The control of PayPal's test server: `/control/…`, for tests and processes beside it. */
export const paypalControl = ({ books, ids, faults, calls }: Stores) => {
  const does = deeds(books)

  const accountOf = (order: Order): Account => {
    const taken = tookMoney(order)
    return {
      ...order,
      taken: taken.length,
      takenCents: sum(taken.map(({ amount }) => centsOf(amount))),
      refundedCents: sum(order.captures.map(capture => refundedOf(order, capture))),
      calls: calls.filter(call => call.order === order.id),
    }
  }

  const doubles = (brand: string | null): Double[] => {
    const own = books.all().filter(order => !brand || order.brand === brand)
    return [...Map.groupBy(own, ({ reference }) => reference).entries()].flatMap(([reference, group]) => {
      const taken = sum(group.map(order => tookMoney(order).length))
      return taken > 1
        ? [{ payment: group[0]?.payment ?? '', reference, orders: group.map(({ id }) => id), taken }]
        : []
    })
  }

  const orderCall = (method: string, id: string, body: string): Answer => {
    const order = books.order(id)
    if (!order) return { status: 404, body: { error: 'no such order' } }
    if (method === 'GET') return { status: 200, body: accountOf(order) }
    const location = does(order, JSON.parse(body) as Deed)
    return { status: 200, body: { location } }
  }

  const respond = (method: string, path: string, query: URLSearchParams, body: string): Answer | undefined => {
    const brand = query.get('brand')
    const [, id] = /^\/control\/orders\/([^/]+)$/.exec(path) ?? []
    if (id) return orderCall(method, id, body)
    const name = `${method} ${path}`
    if (name === 'GET /control/orders')
      return {
        status: 200,
        body: books
          .all()
          .filter(order => !brand || order.brand === brand)
          .map(accountOf),
      }
    if (name === 'GET /control/doubles') return { status: 200, body: doubles(brand) }
    if (name === 'POST /control/faults') faults.lay(JSON.parse(body) as Fault)
    else if (name === 'DELETE /control/faults') faults.lift(brand)
    else if (name === 'DELETE /control/request-ids') ids.forget()
    else return undefined
    return { status: 200, body: {} }
  }

  return ({ method, path, body }: Incoming): Answer | undefined => {
    const { pathname, searchParams } = new URL(path, 'http://paypal.test')
    if (!pathname.startsWith('/control/')) return undefined
    try {
      return respond(method, pathname, searchParams, body) ?? { status: 404, body: { error: 'no such control' } }
    } catch (error) {
      return { status: 409, body: { error: (error as Error).message } }
    }
  }
}
