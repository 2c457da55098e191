import * as v from 'valibot'
import { Uuid } from '../../contract/schema/wire.ts'

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

/** True for the types of events after which a payment is to be reconciled. */
export const isWatched = (type: string): boolean => watched.has(type)

const CustomId = v.fallback(v.nullish(Uuid), null)
// Stryker disable next-line ObjectLiteral: It is read with ?? null.
const Unit = v.fallback(v.object({ custom_id: CustomId }), { custom_id: null })
const Resource = v.object({ custom_id: CustomId, purchase_units: v.fallback(v.nullish(v.array(Unit)), null) })

/** The custom id of an event's resource, which is our payment's uuid: in captures and refunds themselves, in orders in the unit. */
export const paymentNamedIn = (resource: unknown): string | null => {
  const { success, output } = v.safeParse(Resource, resource)
  if (!success) return null
  return output.custom_id ?? output.purchase_units?.[0]?.custom_id ?? null
}
