import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../contract/errors.ts'
import type { PayPalEvent } from '../../contract/webhooks.ts'
import { isWatched, paymentNamedIn } from '../../payments/paypal/event.ts'
import { checkSignature, type Delivery } from '../../payments/paypal/signature.ts'
import { webhookTrust } from '../../payments/webhook-trust.ts'
import { log } from '../../platform/log.ts'
import { absent } from '../../platform/table/expressions.ts'
import { ConditionFailed, untilShown } from '../../platform/table/failures.ts'
import type { PaymentItem, WebhookEventItem } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId, merchantIdOf } from '../../platform/table/keys.ts'
import { getItem, putItem } from '../../platform/table/table.ts'
import { unixSeconds } from '../../values/time.ts'
import { reconcilePayment } from './reconcile.ts'

const actor = 'webhook'

// Longer than the signature of a delivery counts.
const rememberedSeconds = 5 * 24 * 3600

// Longer than the function may take.
const leaseMilliseconds = 30_000
const forEver = Number.MAX_SAFE_INTEGER

// While an equal event, or the buyer's own finish, is at it, its end is waited for.
const waits = [250, 500, 1000, 2000, 4000]

const ignored = (why: string, type: string): null => {
  log.info('a webhook event is ignored', { why, type })
  return null
}

type NamedPayment = { merchant: MerchantId; payment: PaymentItem }

const findPayment = async ({ event_type: type, resource }: PayPalEvent): Promise<NamedPayment | null> => {
  if (!isWatched(type)) return null
  const uuid = paymentNamedIn(resource)
  if (!uuid) return ignored('it names no payment of this service', type)
  const owner = await getItem(key('paymentOwner', { payment: uuid }))
  if (!owner) return ignored('there is no such payment', type)
  const merchant = merchantIdOf(owner.customers_id)
  return { merchant, payment: await untilShown(() => getItem(key('payment', { merchant, uuid }))) }
}

const checkSender = async ({ merchant, payment }: NamedPayment, delivery: Delivery): Promise<void> => {
  const trust = await webhookTrust(merchant, payment)
  if (trust) return checkSignature(delivery, trust)
  log.error('an event came for a payment whose account has no webhook in the credentials', { merchant })
  throw new Problem('webhook_signature_invalid')
}

const mark = (place: Key<WebhookEventItem>, lease: number, when?: 'free'): Promise<void> => {
  const isFree = { anyOf: [absent, { attribute: 'lease', is: '<=', value: Date.now() }] } as const
  const item = { lease, expires: unixSeconds(Date.now()) + rememberedSeconds }
  return putItem(place, item, when && { when: [isFree] })
}

/** Takes an event up; `taken` while an equal one is at work, `done` once one was. */
const takeUp = async (place: Key<WebhookEventItem>): Promise<'ours' | 'taken' | 'done'> => {
  try {
    await mark(place, Date.now() + leaseMilliseconds, 'free')
    return 'ours'
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return error.present(place)?.lease === forEver ? 'done' : 'taken'
  }
}

/** Returns whether there is nothing left to do: false while somebody is capturing. */
const lookAfter = async ({ merchant, payment }: NamedPayment): Promise<boolean> => {
  try {
    await reconcilePayment(merchant, payment.uuid, { actor })
    return true
  } catch (error) {
    // Whatever else is refused is how the payment stands, and no failure.
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return error.word !== 'payment_in_progress'
  }
}

/** Does the work of an event unless it was done before. Returns false while somebody else is at it. */
const workOnce = async (place: Key<WebhookEventItem>, found: NamedPayment): Promise<boolean> => {
  const state = await takeUp(place)
  if (state !== 'ours') return state === 'done'
  let isDone = false
  try {
    isDone = await lookAfter(found)
  } finally {
    // What failed, PayPal repeats; the repeat shall not have to wait.
    await mark(place, isDone ? forEver : 0)
  }
  return isDone
}

/**
 * Takes an event of PayPal: once it is seen to be signed for the account of the payment it names, that payment is looked
 * after, as the sweep would. What the event says of amounts and states is never believed. An event does its work once, by
 * its id, and counts as done only after the work, so that PayPal repeats what failed. Returns false for an event that is
 * about nothing here. Throws webhook_signature_invalid, temporarily_unavailable while somebody else is at it for long, and
 * what the provider throws.
 */
export const handlePayPalEvent = async (event: PayPalEvent, delivery: Delivery): Promise<boolean> => {
  const found = await findPayment(event)
  if (!found) return false
  await checkSender(found, delivery)
  const place = key('webhookEvent', { merchant: found.merchant, event: event.id })
  for (const wait of [0, ...waits]) {
    await pause(wait)
    if (await workOnce(place, found)) return true
  }
  throw new Problem('temporarily_unavailable', { headers: { 'retry-after': '60' } })
}
