import { formatMoney } from '../../../values/money.ts'
import { type QrCode, qrCodeOf } from '../../typesetting/qr-code.ts'
import { dueOf, type InvoiceContent } from '../content.ts'
import { isTransfer, purposeOf } from '../terms.ts'

/** A transfer as its payer types it. */
export type Transfer = {
  payee: string
  iban: string
  bic: string | null
  bank: string | null
  purpose: string
  amount: string
}

const most = (text: string, length: number): string => [...text.replace(/\s+/g, ' ')].slice(0, length).join('')

/** The transfer that pays an invoice; null if it is paid in another way, or the seller has no account. */
export const transferOf = (content: InvoiceContent): Transfer | null => {
  const { seller } = content
  if (!isTransfer(content) || seller.bank.iban === null) return null
  return {
    payee: seller.bank.owner ?? seller.company ?? seller.name,
    iban: seller.bank.iban,
    bic: seller.bank.bic,
    bank: seller.bank.name,
    purpose: purposeOf(content),
    amount: formatMoney(dueOf(content)),
  }
}

/** The text of a GiroCode: version 002 of EPC069-12, in UTF-8. */
export const giroText = ({ payee, iban, bic, purpose, amount }: Transfer): string =>
  ['BCD', '002', '1', 'SCT', bic ?? '', most(payee, 70), iban, `EUR${amount}`, '', '', most(purpose, 140)].join('\n')

/** The GiroCode of a transfer. EPC069-12 requires error correction M. */
export const giroModules = (transfer: Transfer): QrCode => qrCodeOf(giroText(transfer))
