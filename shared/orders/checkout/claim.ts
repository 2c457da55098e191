import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../contract/errors.ts'
import { asRead, waitingPlace } from '../../payments/record.ts'
import { equals } from '../../platform/table/expressions.ts'
import { ConditionFailed } from '../../platform/table/failures.ts'
import type { PaymentItem, PaymentStatus } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, updateItem } from '../../platform/table/table.ts'

/** A payment that this request alone may capture now, and how it stood before. */
export type ClaimedPayment = { payment: PaymentItem; before: PaymentItem }

// Longer than any function runs, so that a claim that is over has nobody at work on it.
const leaseMilliseconds = 60_000

const unsettled: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>(['open', 'pending', 'declined', 'capturing'])

const inProgress = () => new Problem('payment_in_progress', { headers: { 'retry-after': '2' } })

const claim = async (merchant: MerchantId, before: PaymentItem): Promise<PaymentItem | undefined> => {
  const place = key('payment', { merchant, uuid: before.uuid })
  const claimed = { ...before, status: 'capturing', lease: Date.now() + leaseMilliseconds } as const
  const change = { set: { status: claimed.status, lease: claimed.lease }, index: waitingPlace(claimed) }
  return updateItem(place, change, asRead(before)).catch(error => {
    if (error instanceof ConditionFailed) return undefined
    throw error
  })
}

/**
 * Claims a payment for one capture, for a minute. Returns the stored payment unclaimed when it is settled already.
 * `check` throws when the stored payment is not the one that is meant. While somebody else is at work their outcome is
 * waited for, `patience` milliseconds; then throws payment_in_progress.
 */
export const claimPayment = async (
  merchant: MerchantId,
  uuid: string,
  check: (stored: PaymentItem | undefined) => PaymentItem,
  patience = 0,
): Promise<ClaimedPayment | { settled: PaymentItem }> => {
  const until = Date.now() + patience
  for (;;) {
    const before = check(await getItem(key('payment', { merchant, uuid })))
    if (!unsettled.has(before.status)) return { settled: before }
    const isHeld = before.status === 'capturing' && before.lease > Date.now()
    const payment = isHeld ? undefined : await claim(merchant, before)
    if (payment) return { payment, before }
    if (Date.now() >= until) throw inProgress()
    await pause(200 + Math.random() * 200)
  }
}

/** What is known of a payment after a provider was asked. */
export type Found = Partial<
  Pick<PaymentItem, 'capture_id' | 'payer_id' | 'reason' | 'refusals' | 'refunded' | 'taken'>
> & {
  status: 'open' | 'declined' | 'capturing' | 'review' | 'pending'
}

/** Gives a claimed payment back as it was found, so that the next try need not wait. */
export const releasePayment = async (merchant: MerchantId, payment: PaymentItem, found: Found): Promise<void> => {
  const place = key('payment', { merchant, uuid: payment.uuid })
  const ours = [equals('status', 'capturing'), equals('lease', payment.lease)] as const
  const set = { ...found, lease: 0 }
  await updateItem(place, { set, index: waitingPlace({ ...payment, ...set }) }, ours).catch(error => {
    // Somebody took the claim over after its time; what they found counts.
    if (!(error instanceof ConditionFailed)) throw error
  })
}
