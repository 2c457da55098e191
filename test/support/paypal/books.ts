import { randomBytes } from 'node:crypto'
import { Refused, unknown } from './answers.ts'

export type Money = { currency_code: string; value: string }

/** How the payer pays: at once, in two ways that are decided later, refused after all, or refused with an issue. */
export type Funding = 'balance' | 'echeck' | 'review' | 'declined' | { issue: string }

type CaptureStatus = 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'REVERSED'
export type Capture = { id: string; status: CaptureStatus; reason: string | null; amount: Money; created: string }

export type RefundStatus = 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED'
export type Refund = { id: string; capture: string; status: RefundStatus; amount: Money }

/** An order in PayPal's books. */
export type Order = {
  id: string
  account: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  reference: string
  payment: string
  invoice: string
  brand: string
  amount: Money
  returnUrl: string
  cancelUrl: string
  payer: string | null
  funding: Funding
  /** Captured instead of the order's amount. */
  takes: Money | null
  /** The status of requested refunds. */
  refunding: RefundStatus
  /** Forgotten orders are not found any more. */
  isForgotten: boolean
  /** A PayPal that takes the money as often as it is asked to: what the caller does wrong shows. */
  isCareless: boolean
  captures: Capture[]
  refunds: Refund[]
  /** Captures that were asked for though there was one, under a request id of their own. */
  secondCaptures: number
}

const newId = (): string => randomBytes(9).toString('hex').slice(0, 17).toUpperCase()

export const newPayerId = (): string => randomBytes(7).toString('hex').slice(0, 13).toUpperCase()

/** Cents of PayPal's amount; PayPal wants two decimals, at most 32 characters. */
export const centsOf = ({ value }: Money): number => {
  if (value.length > 32 || !/^\d+\.\d{2}$/.test(value)) throw new Refused(400, 'INVALID_REQUEST', 'DECIMAL_PRECISION')
  const cents = Number(value.replace('.', ''))
  if (cents === 0) throw new Refused(422, 'UNPROCESSABLE_ENTITY', 'CANNOT_BE_ZERO_OR_NEGATIVE')
  if (!Number.isSafeInteger(cents)) throw new Refused(422, 'UNPROCESSABLE_ENTITY', 'MAX_VALUE_EXCEEDED')
  return cents
}

const sumOf = (amounts: readonly Money[]): number => amounts.reduce((sum, amount) => sum + centsOf(amount), 0)

const refuse = (issue: string): never => {
  throw new Refused(422, 'UNPROCESSABLE_ENTITY', issue)
}

/** Refunded of a capture, in cents; optionally with pending refunds. */
export const refundedOf = ({ refunds }: Order, capture: Capture, withPending = false): number =>
  sumOf(
    refunds
      .filter(one => one.capture === capture.id)
      .filter(({ status }) => status === 'COMPLETED' || (withPending && status === 'PENDING'))
      .map(({ amount }) => amount),
  )

const settleCapture = (order: Order, capture: Capture): void => {
  const given = refundedOf(order, capture)
  if (given === 0) return
  capture.status = given >= centsOf(capture.amount) ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
}

const take = (order: Order): Capture => {
  const pending = { echeck: 'ECHECK', review: 'PENDING_REVIEW' } as const
  const { funding } = order
  const reason = typeof funding === 'string' ? ((pending as Record<string, string>)[funding] ?? null) : null
  const status = funding === 'declined' ? 'DECLINED' : reason ? 'PENDING' : 'COMPLETED'
  const amount = order.takes ?? order.amount
  const capture: Capture = { id: newId(), status, reason, amount, created: new Date().toISOString() }
  order.captures.push(capture)
  order.status = 'COMPLETED'
  return capture
}

/** PayPal's books: orders by id, captures and refunds within them. */
export const openBooks = () => {
  const orders = new Map<string, Order>()

  const find = (id: string, account?: string): Order => {
    const order = orders.get(id)
    if (!order || order.isForgotten || (account !== undefined && order.account !== account)) throw unknown()
    return order
  }

  /** The order of a capture or refund, which are known as long as there is an account. */
  const orderWith = (account: string, has: (order: Order) => boolean): Order => {
    const order = [...orders.values()].find(one => one.account === account && has(one))
    if (!order) throw unknown()
    return order
  }

  return {
    all: () => [...orders.values()],
    find,
    order: (id: string): Order | undefined => orders.get(id),

    create: (account: string, body: unknown): Order => {
      // biome-ignore lint/suspicious/noExplicitAny: what is missing is refused as PayPal refuses it
      const { intent, purchase_units, payment_source } = body as any
      const unit = purchase_units?.[0]
      const context = payment_source?.paypal?.experience_context
      if (intent !== 'CAPTURE' || purchase_units?.length !== 1 || !unit.amount || !context?.return_url)
        throw new Refused(400, 'INVALID_REQUEST', 'MISSING_REQUIRED_PARAMETER')
      centsOf(unit.amount)
      if ([...orders.values()].some(one => one.account === account && one.invoice === unit.invoice_id))
        refuse('DUPLICATE_INVOICE_ID')
      const order: Order = {
        id: newId(),
        account,
        status: 'PAYER_ACTION_REQUIRED',
        reference: unit.reference_id,
        payment: unit.custom_id,
        invoice: unit.invoice_id,
        brand: context.brand_name,
        amount: unit.amount,
        returnUrl: context.return_url,
        cancelUrl: context.cancel_url,
        payer: null,
        funding: 'balance',
        takes: null,
        refunding: 'COMPLETED',
        isForgotten: false,
        isCareless: false,
        captures: [],
        refunds: [],
        secondCaptures: 0,
      }
      orders.set(order.id, order)
      return order
    },

    capture: (account: string, id: string): Order => {
      const order = find(id, account)
      if (order.status === 'COMPLETED') {
        order.secondCaptures++
        if (!order.isCareless) refuse('ORDER_ALREADY_CAPTURED')
      } else if (order.status === 'VOIDED') refuse('ORDER_VOIDED')
      else if (order.status !== 'APPROVED') refuse('ORDER_NOT_APPROVED')
      if (typeof order.funding !== 'string') refuse(order.funding.issue)
      take(order)
      return order
    },

    refund: (account: string, captureId: string, amount: Money | undefined): Refund => {
      const order = orderWith(account, ({ captures }) => captures.some(({ id }) => id === captureId))
      const capture = order.captures.find(({ id }) => id === captureId) as Capture
      if (capture.status === 'PENDING') refuse('PENDING_CAPTURE')
      if (capture.status === 'REVERSED') refuse('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK')
      if (capture.status === 'DECLINED') refuse('REFUND_NOT_ALLOWED')
      const left = centsOf(capture.amount) - refundedOf(order, capture, true)
      if (left === 0) refuse('CAPTURE_FULLY_REFUNDED')
      const wanted = amount ?? {
        ...capture.amount,
        value: `${Math.floor(left / 100)}.${String(left % 100).padStart(2, '0')}`,
      }
      if (wanted.currency_code !== capture.amount.currency_code) refuse('REFUND_CAPTURE_CURRENCY_MISMATCH')
      if (centsOf(wanted) > left) refuse('REFUND_AMOUNT_EXCEEDED')
      const refund: Refund = { id: newId(), capture: captureId, status: order.refunding, amount: wanted }
      order.refunds.push(refund)
      settleCapture(order, capture)
      return refund
    },

    findRefund: (account: string, id: string): Refund => {
      const { refunds } = orderWith(account, order => order.refunds.some(refund => refund.id === id))
      return refunds.find(refund => refund.id === id) as Refund
    },

    /** Decides about a refund that was pending. */
    settleRefund: (order: Order, status: RefundStatus): void => {
      const refund = order.refunds.find(one => one.status === 'PENDING')
      if (!refund) throw new Error('no refund is pending')
      refund.status = status
      const capture = order.captures.find(({ id }) => id === refund.capture)
      if (capture) settleCapture(order, capture)
    },
  }
}

export type Books = ReturnType<typeof openBooks>
