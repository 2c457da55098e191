import type { Seller } from '../../contract/records/order.ts'
import type { InvoiceContent } from './content.ts'
import { isXRechnung } from './profile.ts'

/**
 * How an amount is paid (BG-16): the code of UNTDID 4461, the account that receives it, and for direct debits the account and
 * the mandate it is collected by.
 */
export type Payee = { code: string; account: Seller['bank'] | null; debtor: string | null; mandate: string | null }

const none = { account: null, debtor: null, mandate: null }

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
    // Of a debit, XRechnung requires the creditor's identifier (BR-DE-30), which merchants do not have here.
    return isXRechnung(content) ? { code: '1', ...none } : { code: '59', account: null, debtor, mandate }
  }
  return seller.bank.iban === null ? { code: '1', ...none } : { ...none, code: '58', account: seller.bank }
}
