import type { PaymentView } from '../provider.ts'

type State = PaymentView['state']

// Declined for the payer: no money moved, and the payer may pay by other means.
const declining = [
  'CARD_BRAND_NOT_SUPPORTED',
  'CARD_CLOSED',
  'CARD_EXPIRED',
  'COMPLIANCE_VIOLATION',
  'DECLINED_DUE_TO_RELATED_TXN',
  'DOMESTIC_TRANSACTION_REQUIRED',
  'INSTRUMENT_DECLINED',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'PAYEE_BLOCKED_TRANSACTION',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_CANNOT_PAY',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'REFERENCED_CARD_EXPIRED',
  'TRANSACTION_BLOCKED_BY_PAYEE',
  'TRANSACTION_LIMIT_EXCEEDED',
  'TRANSACTION_RECEIVING_LIMIT_EXCEEDED',
  'TRANSACTION_REFUSED',
] as const

const ending = ['ORDER_EXPIRED', 'ORDER_VOIDED'] as const

/** PayPal's issues for a refused capture, with the state of the payment; any other issue is a failure of the provider. */
export const refusedCaptures: ReadonlyMap<string, State> = new Map<string, State>([
  ['ORDER_NOT_APPROVED', 'open'],
  ['PAYER_ACTION_REQUIRED', 'open'],
  ...declining.map(word => [word, 'declined'] as const),
  ...ending.map(word => [word, 'cancelled'] as const),
])

/** PayPal's issues for a refund that no repeat can make: the operator has to settle it. */
export const refusedRefunds: ReadonlySet<string> = new Set([
  'MAX_NUMBER_OF_REFUNDS_EXCEEDED',
  'REFUND_FAILED_INSUFFICIENT_FUNDS',
  'REFUND_NOT_ALLOWED',
  'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK',
  'REFUND_TIME_LIMIT_EXCEEDED',
])
