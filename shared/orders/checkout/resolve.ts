import type { PaymentItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { findMoney } from './capture.ts'
import { claimPayment } from './claim.ts'
import { settlePayment } from './settle.ts'

/** What became of a payment; `over`: it was not paid and cannot be any more. */
export type Resolved = 'paid' | 'pending' | 'review' | 'unpaid' | 'over'

const settledAs = ({ status }: PaymentItem): Resolved => {
  if (status === 'captured' || status === 'refunded_in_part') return 'paid'
  if (status === 'review') return 'review'
  return status === 'created' ? 'unpaid' : 'over'
}

/**
 * Asks the provider what became of a payment and writes it down; with `capture` takes money that the payer approved.
 * Throws payment_in_progress while somebody is capturing, and what the provider throws.
 */
export const resolvePayment = async (
  merchant: MerchantId,
  uuid: string,
  actor: string,
  { capture }: { capture: boolean },
): Promise<Resolved> => {
  const claimed = await claimPayment(merchant, uuid, stored => {
    if (stored) return stored
    throw new Error(`there is no payment ${uuid}, though an order names it`)
  })
  if ('settled' in claimed) return settledAs(claimed.settled)
  // What was declined is tried again only when the buyer comes back to finish.
  const mayTake = capture && claimed.before.status !== 'declined'
  const outcome = await findMoney(merchant, claimed, { capture: mayTake })
  if ('view' in outcome) {
    await settlePayment(merchant, claimed.payment, outcome, actor)
    return outcome.status === 'captured' ? 'paid' : 'pending'
  }
  if (outcome.status === 'review' || outcome.status === 'over') return outcome.status
  return 'unpaid'
}
