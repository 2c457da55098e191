import { Problem } from '../../contract/errors.ts'
import type { PayPalEvent } from '../../contract/routes/webhooks.ts'
import { isWatched, paymentNamedIn } from '../../payments/paypal/event.ts'
import type { Delivery } from '../../payments/provider.ts'
import { verifyEvent } from '../../payments/providers.ts'
import { readPayment } from '../../payments/record.ts'
import { log } from '../../platform/log.ts'
import { absent } from '../../platform/table/expressions.ts'
import { ConditionFailed, poll, untilShown } from '../../platform/table/failures.ts'
import type { Opened, PaymentItem, WebhookEventItem } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId, merchantIdOf } from '../../platform/table/keys.ts'
import { getItem, putItem } from '../../platform/table/table.ts'
import { unixSeconds } from '../../values/time.ts'
import { reconcilePayment } from './reconcile.ts'

const actor = 'webhook'

// Longer than the signature of a delivery is valid.
const rememberedSeconds = 5 * 24 * 3600

// Longer than the function may take.
const leaseMs = 30_000
const done = Number.MAX_SAFE_INTEGER

// Waits, in milliseconds, for an equal event or the buyer's own finish.
const waits = [250, 500, 1000, 2000, 4000]

const busy = (): never => {
  throw new Problem('temporarily_unavailable', {
    because: 'an equal event is being handled',
    headers: { 'retry-after': '60' },
  })
}

const ignored = (why: string, type: string): null => {
  log.info('webhook event ignored', { why, type })
  return null
}

type NamedPayment = { merchant: MerchantId; payment: PaymentItem & Opened }

const findPayment = async ({ event_type: type, resource }: PayPalEvent): Promise<NamedPayment | null> => {
  if (!isWatched(type)) return null
  const uuid = paymentNamedIn(resource)
  // Stryker disable next-line ConditionalExpression: Nobody owns a payment without a uuid, so that none is found; one
  // more read.
  if (!uuid) return ignored('it names no payment of this service', type)
  const owner = await getItem(key('paymentOwner', { payment: uuid }))
  if (!owner) return ignored('there is no such payment', type)
  const merchant = merchantIdOf(owner.customers_id)
  const payment = await untilShown(() => readPayment(merchant, uuid))
  return payment.external_id === null ? ignored('it has not reached its provider', type) : { merchant, payment }
}

const putLease = (place: Key<WebhookEventItem>, lease: number, when?: 'free'): Promise<void> => {
  const isFree = { anyOf: [absent, { attribute: 'lease', is: '<=', value: Date.now() }] } as const
  const item = { lease, expires: unixSeconds(Date.now()) + rememberedSeconds }
  return putItem(place, item, when && { when: [isFree] })
}

/** Claims an event; `taken` while an equal event is being handled, `done` after it. */
const claim = async (place: Key<WebhookEventItem>): Promise<'ours' | 'taken' | 'done'> => {
  try {
    await putLease(place, Date.now() + leaseMs, 'free')
    return 'ours'
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // Stryker disable next-line StringLiteral: The word says to the reader what `ours` and `done` do not; only these
    // are asked for.
    // Stryker disable next-line OptionalChaining: The item that failed the condition is present; the types do not know.
    return error.present(place)?.lease === done ? 'done' : 'taken'
  }
}

/** Returns false while another request captures the payment. */
const reconcile = async ({ merchant, payment }: NamedPayment): Promise<boolean> => {
  try {
    await reconcilePayment(merchant, payment.uuid, { actor })
    return true
  } catch (error) {
    // Any other refusal is the payment's state, not a failure.
    // Stryker disable next-line EqualityOperator: The only word of status 500 is that of other errors, which get it when
    // they are answered.
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return error.word !== 'payment_in_progress'
  }
}

/** Handles an event unless it was handled before. Returns false while another request does. */
const handleOnce = async (place: Key<WebhookEventItem>, found: NamedPayment): Promise<boolean> => {
  const state = await claim(place)
  if (state !== 'ours') return state === 'done'
  let isDone = false
  try {
    isDone = await reconcile(found)
  } finally {
    // PayPal repeats a failed delivery, which must not have to wait for the lease.
    await putLease(place, isDone ? done : 0)
  }
  return isDone
}

/**
 * Handles a PayPal event: checks that it is signed for the account of the payment that it names, and reconciles that
 * payment as the sweep would. Amounts and states in the event are ignored. An event is handled once, by its id, and marked
 * as done only afterwards, so that PayPal repeats what failed. Returns false for an event about no payment here. Throws
 * webhook_signature_invalid, temporarily_unavailable while another request handles it for long, and what the provider
 * throws.
 */
export const handlePayPalEvent = async (event: PayPalEvent, delivery: Delivery): Promise<boolean> => {
  const found = await findPayment(event)
  if (!found) return false
  await verifyEvent(delivery, found.merchant, found.payment)
  const place = key('webhookEvent', { merchant: found.merchant, event: event.id })
  return poll(
    async () => (await handleOnce(place, found)) || undefined,
    tried => waits[tried - 1] ?? busy(),
  )
}
