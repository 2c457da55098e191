import type { Seller } from '../../contract/records/order.ts'
import type { InvoiceContent } from './content.ts'
import { isXRechnung } from './profile.ts'

/**
 * How an amount is paid (BG-16): the code of UNTDID 4461, the account that receives it, and for direct debits (BG-19) the
 * account and the mandate it is collected by, and the identifier of the creditor.
 */
export type Payee = { code: string; account: Seller['bank'] | null } & Record<
  'debtor' | 'mandate' | 'creditor',
  string | null
>

const none = { account: null, debtor: null, mandate: null, creditor: null }

/** A credit goes back to the buyer's account where that is known; 1 is no particular means. */
const payback = ({ buyer }: InvoiceContent): Payee =>
  buyer.iban === null
    ? { code: '1', ...none }
    : { ...none, code: '58', account: { iban: buyer.iban, owner: buyer.name, bic: null, name: null } }

/** The way in which an invoice is paid, or a credit advice given back. */
export const payeeOf = (content: InvoiceContent): Payee => {
  const { kind, payment, buyer, seller } = content
  if (payment.type === 'paypal') return { code: '68', ...none }
  // An XRechnung requires the digits of the card (BR-DE-24), which only the provider knows: to it, this is an online service.
  if (payment.type === 'card') return { code: isXRechnung(content) ? '68' : '48', ...none }
  if (kind === 'credit_advice') return payback(content)
  if (payment.type === 'cash') return { code: '10', ...none }
  if (payment.type === 'debit') {
    const { iban: debtor, mandate } = buyer
    const creditor = seller.creditor_id ?? null
    // Of a debit, XRechnung requires all three (BR-DE-29 to 31).
    const isWhole = debtor && mandate && creditor
    return isXRechnung(content) && !isWhole
      ? { code: '1', ...none }
      : { code: '59', account: null, debtor, mandate, creditor }
  }
  return seller.bank.iban === null ? { code: '1', ...none } : { ...none, code: '58', account: seller.bank }
}
