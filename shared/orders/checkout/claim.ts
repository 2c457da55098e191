import { Problem } from '../../contract/errors.ts'
import type { PaymentType } from '../../contract/vocabulary.ts'
import { type Clause, equals, oneOf, present } from '../../table/expressions.ts'
import { ConditionFailed } from '../../table/failures.ts'
import type { PaymentItem } from '../../table/items.ts'
import { key, type MerchantId } from '../../table/keys.ts'
import { updateItem } from '../../table/table.ts'

/** What the caller says of a payment; all of it must be what is stored. */
export type PaymentClaim = { payment: string; order: string; type: PaymentType; externalId: string; payerId: string }

/** A payment that this request may capture now; `repeated` when an earlier try's outcome is unknown. */
export type ClaimedPayment = { payment: PaymentItem; repeated: boolean }

const leaseMilliseconds = 60_000

const meantBy = ({ order, type, externalId }: PaymentClaim): Clause<PaymentItem>[] => [
  equals('order_uuid', order),
  equals('type', type),
  equals('external_id', externalId),
]

const isMeant = (stored: PaymentItem | undefined, { order, type, externalId }: PaymentClaim): stored is PaymentItem =>
  stored?.order_uuid === order && stored.type === type && stored.external_id === externalId

const settledOr = (stored: PaymentItem | undefined, claim: PaymentClaim, now: number): PaymentItem => {
  if (!isMeant(stored, claim)) throw new Problem('payment_mismatch')
  if (stored.status === 'capturing' && stored.lease > now) {
    throw new Problem('payment_in_progress', { headers: { 'retry-after': '2' } })
  }
  return stored
}

const claimable = (now: number): Clause<PaymentItem>[] => [
  oneOf('status', ['open', 'pending', 'declined', 'capturing']),
  {
    anyOf: [oneOf('status', ['open', 'pending', 'declined']), { attribute: 'lease', is: '<=', value: now }],
  },
]

/**
 * Claims a payment for one capture, for a minute; whoever comes meanwhile is told so. Returns the stored payment
 * unclaimed when it is settled already. Throws payment_mismatch or payment_in_progress.
 */
export const claimPayment = async (
  merchant: MerchantId,
  claim: PaymentClaim,
): Promise<ClaimedPayment | { settled: PaymentItem }> => {
  const now = Date.now()
  const place = key('payment', { merchant, uuid: claim.payment })
  try {
    const payment = await updateItem(
      place,
      {
        set: { status: 'capturing', lease: now + leaseMilliseconds, payer_id: claim.payerId },
        add: { claims: 1 },
      },
      [present, ...meantBy(claim), ...claimable(now)],
    )
    return { payment, repeated: payment.claims > 1 }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return { settled: settledOr(error.present(place), claim, now) }
  }
}

/** Gives a claimed payment back in the state that was found, so that the next try need not wait. */
export const releasePayment = async (
  merchant: MerchantId,
  { uuid, lease }: PaymentItem,
  status: 'open' | 'declined' | 'capturing' | 'review',
): Promise<void> => {
  const place = key('payment', { merchant, uuid })
  const ours = [equals('status', 'capturing'), equals('lease', lease)] as const
  await updateItem(place, { set: { status, lease: 0 } }, ours).catch(error => {
    // Somebody took the claim over after its time; what they found counts.
    if (!(error instanceof ConditionFailed)) throw error
  })
}
