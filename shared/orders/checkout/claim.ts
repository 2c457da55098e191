import { Problem } from '../../contract/errors.ts'
import { type PaymentItem, paymentOf } from '../../payments/record.ts'
import type { Clause } from '../../table/expressions.ts'
import { equals, present } from '../../table/expressions.ts'
import { key, type MerchantId } from '../../table/keys.ts'
import { ConditionFailed, updateItem } from '../../table/table.ts'

/** What finish says of a payment; all of it must be what is stored. */
export type Claim = { payment: string; order: string; type: string; externalId: string; payerId: string }

/** A payment that this request may capture now; `repeated` when an earlier try's outcome is unknown. */
export type Claimed = { payment: PaymentItem; repeated: boolean }

const leaseMilliseconds = 60_000

const refused = (stored: PaymentItem | undefined, { order, type, externalId }: Claim, now: number): PaymentItem => {
  const isMine = stored?.order_uuid === order && stored.type === type && stored.external_id === externalId
  if (!stored || !isMine) throw new Problem('payment_mismatch')
  if (stored.status === 'capturing' && stored.lease > now) {
    throw new Problem('payment_in_progress', { headers: { 'retry-after': '2' } })
  }
  return stored
}

const claimable = (now: number): Clause => ({
  anyOf: [
    equals('status', 'open'),
    equals('status', 'pending'),
    equals('status', 'declined'),
    { attribute: 'lease', is: '<=', value: now },
  ],
})

/**
 * Claims a payment for one capture, for a minute; whoever comes meanwhile is told so. Answers the stored payment
 * unclaimed when it is settled already. Throws payment_mismatch or payment_in_progress.
 */
export const claimPayment = async (merchant: MerchantId, claim: Claim): Promise<Claimed | { settled: PaymentItem }> => {
  const now = Date.now()
  const place = key('payment', { merchant, uuid: claim.payment })
  const mine = [equals('order_uuid', claim.order), equals('type', claim.type), equals('external_id', claim.externalId)]
  const unsettled: Clause = {
    anyOf: ['open', 'pending', 'declined', 'capturing'].map(status => equals('status', status)),
  }
  const change = {
    set: { status: 'capturing', lease: now + leaseMilliseconds, payer_id: claim.payerId },
    add: { claims: 1 },
  }
  try {
    const payment = await updateItem<PaymentItem & { claims: number }>(place, change, [
      present,
      ...mine,
      unsettled,
      claimable(now),
    ])
    return { payment: paymentOf(payment), repeated: payment.claims > 1 }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return { settled: refused(error.item as PaymentItem | undefined, claim, now) }
  }
}

/** Gives a claimed payment back in the state that was found, so that the next try need not wait. */
export const releasePayment = async (
  merchant: MerchantId,
  { uuid, lease }: PaymentItem,
  status: 'open' | 'declined' | 'capturing' | 'review',
) => {
  const place = key('payment', { merchant, uuid })
  await updateItem(place, { set: { status, lease: 0 } }, [equals('status', 'capturing'), equals('lease', lease)]).catch(
    error => {
      // Somebody took the claim over after its time; what they found counts.
      if (!(error instanceof ConditionFailed)) throw error
    },
  )
}
