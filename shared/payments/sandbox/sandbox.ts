import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../contract/errors.ts'
import { type Change, equals } from '../../platform/table/expressions.ts'
import { Unavailable } from '../../platform/table/failures.ts'
import type { SandboxPaymentItem } from '../../platform/table/items.ts'
import type { Cents } from '../../values/money.ts'
import { bareView, type OpenRequest, type PaymentView, type Provider, type RefundView } from '../provider.ts'
import { checkSandboxAllowed, providerFailure } from '../provider-failure.ts'
import { addSandboxPayment, changeSandboxPayment, findSandboxPayment } from './store.ts'

/** Milliseconds: the duration of a slow capture, and the time a caller waits for an answer. */
type SandboxOptions = { slow?: number; limit?: number }

const captureEnding = '-C1'

const known = async (id: string): Promise<SandboxPaymentItem> => {
  const payment = await findSandboxPayment(id)
  // Stryker disable next-line ConditionalExpression: A payment that was found just before is never deleted; the types
  // do not know.
  if (!payment) throw providerFailure('the sandbox does not know the payment')
  return payment
}

const stateOf = ({ state, effective, refunded, amount }: SandboxPaymentItem): PaymentView['state'] => {
  if (state !== 'captured') return state
  if (refunded >= amount) return 'refunded'
  // A slow capture is not visible before it takes effect.
  return (effective ?? 0) > Date.now() ? 'approved' : 'captured'
}

const reasons: Partial<Record<PaymentView['state'], string>> = { declined: 'INSTRUMENT_DECLINED', pending: 'ECHECK' }

const viewOf = (payment: SandboxPaymentItem): PaymentView => {
  const state = stateOf(payment)
  return {
    state,
    amount: payment.amount,
    currency: payment.currency,
    customId: payment.payment,
    payerId: payment.payerId,
    captureId: state === 'approved' ? null : payment.captureId,
    refunded: payment.captureId && state !== 'approved' ? payment.refunded : null,
    reason: reasons[state] ?? null,
  }
}

const takenBy = ({ id, behaviour }: SandboxPaymentItem, slow: number): Change<SandboxPaymentItem> => {
  if (behaviour === 'decline') return { set: { state: 'declined' } }
  const captureId = `${id}${captureEnding}`
  if (behaviour === 'pending') return { set: { state: 'pending', captureId }, add: { captures: 1 } }
  const effective = Date.now() + (behaviour === 'slow' ? slow : 0)
  return { set: { state: 'captured', captureId, effective }, add: { captures: 1 } }
}

const open = async (request: OpenRequest) => {
  const { SANDBOX_URL } = process.env
  if (!SANDBOX_URL) throw providerFailure('SANDBOX_URL is not set, so there is no approve page')
  // The same request id is the same payment, as at PayPal.
  const id = `SBX${createHash('sha256').update(request.requestId).digest('hex').slice(0, 21).toUpperCase()}`
  await addSandboxPayment(id, request)
  return { externalId: id, targetUrl: new URL(`/sandbox/pay/${id}`, SANDBOX_URL).href }
}

const inspect = async (id: string): Promise<PaymentView> => {
  const payment = await findSandboxPayment(id)
  return payment ? viewOf(payment) : bareView('missing')
}

const capture = async (id: string, slow: number, limit: number): Promise<PaymentView> => {
  const found = await known(id)
  const { changed, payment } = await changeSandboxPayment(id, takenBy(found, slow), [
    equals('state', 'approved'),
    equals('captures', 0),
    equals('nonce', found.nonce),
  ])
  // Stryker disable next-line ConditionalExpression: A payment that was found just before is never deleted; the types
  // do not know.
  if (!payment) throw providerFailure('the sandbox does not know the payment')
  if (changed && payment.behaviour === 'lost')
    throw new Problem('payment_provider_timeout', { because: 'the answer is lost' })
  const left = (payment.effective ?? 0) - Date.now()
  // A timer may end a millisecond early.
  if (left > 0) await pause(Math.min(left + 2, limit))
  if (left > limit) throw new Problem('payment_provider_timeout', { because: 'the sandbox is slow' })
  return viewOf(payment)
}

const refundIdOf = (id: string, requestId: string): string =>
  `${id}-R${createHash('sha256').update(requestId).digest('hex').slice(0, 8).toUpperCase()}`

const refund = async (captureId: string, amount: Cents, requestId: string): Promise<RefundView> => {
  // Stryker disable next-line StringLiteral: Neither is the id of a payment; both are refused by the same word.
  const id = captureId.endsWith(captureEnding) ? captureId.slice(0, -captureEnding.length) : ''
  if (!id || amount <= 0) throw providerFailure('the sandbox does not know the capture, or nothing is to be refunded')
  const { amount: taken } = await known(id)
  const name = `refund:${requestId}` as const
  const refundId = refundIdOf(id, requestId)
  const { changed, payment } = await changeSandboxPayment(id, { set: { [name]: amount }, add: { refunded: amount } }, [
    equals('state', 'captured'),
    { attribute: name, is: 'absent' },
    { attribute: 'refunded', is: '<=', value: taken - amount },
  ])
  // Stryker disable next-line OptionalChaining: A payment that was found just before is never deleted; the types do not
  // know.
  if (changed || payment?.[name] === amount) return { state: 'refunded', refundId }
  throw providerFailure('the sandbox cannot refund the payment', { state: payment?.state, refunded: payment?.refunded })
}

const inspectRefund = async (refundId: string): Promise<RefundView> => {
  // Stryker disable next-line StringLiteral: The types ask for it; split always returns a first part.
  const [id = ''] = refundId.split('-')
  // Stryker disable next-line MethodExpression,StringLiteral: No other attribute's name makes a refund's id.
  const names = Object.keys(await known(id)).filter(name => name.startsWith('refund:'))
  // A refund at the sandbox is immediate.
  if (names.some(name => refundIdOf(id, name.slice('refund:'.length)) === refundId))
    return { state: 'refunded', refundId }
  throw providerFailure('the sandbox does not know the refund')
}

/** Refuses stages without the sandbox, and reports an unavailable table as the provider's timeout. */
const guarded =
  <A extends unknown[], T>(verb: (...values: A) => Promise<T>) =>
  async (...values: A): Promise<T> => {
    checkSandboxAllowed()
    try {
      return await verb(...values)
    } catch (error) {
      throw error instanceof Unavailable ? new Problem('payment_provider_timeout', { because: error.message }) : error
    }
  }

/**
 * A provider without money, with its payments in the table and its approve page on the twin. As idempotent as PayPal: a
 * payment is captured at most once. Works on the twin, elsewhere only where ALLOW_SANDBOX is 1.
 */
export const sandbox = ({ slow = 8000, limit = 5000 }: SandboxOptions = {}): Provider => ({
  account: 'sandbox',
  open: guarded(open),
  inspect: guarded(inspect),
  capture: guarded(id => capture(id, slow, limit)),
  refund: guarded(refund),
  inspectRefund: guarded(inspectRefund),
})
