import * as v from 'valibot'
import { Uuid } from '../../contract/wire.ts'

/** The events after which a payment may stand differently. */
const watched: ReadonlySet<string> = new Set([
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
])

/** Whether an event of a type is a reason to look after a payment. */
export const isWatched = (type: string): boolean => watched.has(type)

const CustomId = v.fallback(v.nullish(Uuid), null)
const Unit = v.fallback(v.object({ custom_id: CustomId }), { custom_id: null })
const Resource = v.object({ custom_id: CustomId, purchase_units: v.fallback(v.nullish(v.array(Unit)), null) })

/**
 * The uuid of the payment that an event's resource is about, or null: what this service gave PayPal as custom id, which
 * captures and refunds carry themselves, and orders in their purchase unit.
 */
export const paymentNamedIn = (resource: unknown): string | null => {
  const { success, output } = v.safeParse(Resource, resource)
  if (!success) return null
  return output.custom_id ?? output.purchase_units?.[0]?.custom_id ?? null
}
