import type { Language } from '../../contract/labels/labels.ts'
import type { PaymentType } from '../../contract/vocabulary.ts'
import { type Day, laterDay } from '../../values/day.ts'
import { formatMoney } from '../../values/money.ts'
import { localeOf } from '../expertise/labels.ts'
import { type ContentLine, dueOf, type InvoiceContent } from './content.ts'
import { wordsIn } from './pdf/words.ts'

type Values = { date: string; percent: string; amount: string; paid: string; debit: string }

type Sentences = Record<
  'paid' | 'debit' | 'cash' | 'online' | 'refunded' | 'given_back' | 'set_off' | 'free' | 'due' | 'cashback',
  (values: Values) => string
>

const sentences: Record<Language, Sentences> = {
  de: {
    paid: ({ paid }) => `Der Betrag ist bezahlt${paid && ` (${paid})`}.`,
    free: () => 'Es ist nichts zu zahlen.',
    debit: ({ date, debit }) => `Der Betrag wird am ${date} per Lastschrift eingezogen${debit && ` (${debit})`}.`,
    cash: () => 'Der Betrag ist bei Übergabe der Ware bar zu zahlen.',
    online: () => 'Der Betrag wird über den Zahlungsdienst bezahlt, der bei der Bestellung gewählt wurde.',
    refunded: () => 'Der Betrag wird über den Zahlungsdienst erstattet, mit dem bezahlt wurde.',
    given_back: () => 'Der Betrag wird erstattet.',
    set_off: () => 'Der Betrag wird mit der Rechnung verrechnet.',
    due: ({ date }) => `Zahlbar bis ${date} ohne Abzug.`,
    cashback: ({ date, percent, amount }) => `Bei Zahlung bis ${date} ${percent} % Skonto: ${amount}.`,
  },
  en: {
    paid: ({ paid }) => `The amount has been paid${paid && ` (${paid})`}.`,
    free: () => 'Nothing is to be paid.',
    debit: ({ date, debit }) => `The amount will be collected by direct debit on ${date}${debit && ` (${debit})`}.`,
    cash: () => 'The amount is to be paid in cash when the goods are handed over.',
    online: () => 'The amount is paid by the payment service that was chosen with the order.',
    refunded: () => 'The amount is given back by the payment service that was paid with.',
    given_back: () => 'The amount is given back.',
    set_off: () => 'The amount is set off against the invoice.',
    due: ({ date }) => `Payable without deduction by ${date}.`,
    cashback: ({ date, percent, amount }) => `${percent} % discount for payment by ${date}: ${amount}.`,
  },
}

/** An amount in euros, in a language. */
export const euros = (cents: number, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), { style: 'currency', currency: 'EUR' }).format(
    formatMoney(cents) as `${number}`,
  )

/** A day in a language. */
export const writtenDay = (day: Day, language: Language): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(localeOf(language), {
    ...{ day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' },
  })

/** Vintage and size of a wine, in a language. */
export const detailsOf = ({ details: { vintage, litres } }: Pick<ContentLine, 'details'>, language: Language): string =>
  [vintage, litres && `${Number(litres).toLocaleString(localeOf(language))} l`].filter(Boolean).join(', ')

const transfers: ReadonlySet<string> = new Set(['invoice', 'prepaid', 'bank'])

/** True if the buyer has to transfer the amount. */
export const isTransfer = (content: InvoiceContent): boolean =>
  content.kind === 'invoice' && dueOf(content) > 0 && transfers.has(content.payment.type)

/** True if the seller collects the amount from the buyer's account. */
const isDebit = (content: InvoiceContent): boolean =>
  content.kind === 'invoice' && dueOf(content) > 0 && content.payment.type === 'debit'

/** The day until which the amount of a transfer is due, or on which a debit is collected; null for other payments. */
export const dueDay = (content: InvoiceContent): Day | null =>
  isTransfer(content) || isDebit(content) ? laterDay(content.day, content.payment.days) : null

/** The words that a transfer carries: the same on the PDF, in its GiroCode and in the XML (BT-83). */
export const purposeOf = ({ kind, language, number }: InvoiceContent): string => `${wordsIn(language)[kind]} ${number}`

const ways: Record<Language, Record<PaymentType, string>> = {
  de: {
    ...{ paypal: 'PayPal', card: 'Karte', debit: 'Lastschrift', cash: 'bar' },
    ...{ prepaid: 'Überweisung', bank: 'Überweisung', invoice: 'Überweisung' },
  },
  en: {
    ...{ paypal: 'PayPal', card: 'card', debit: 'direct debit', cash: 'cash' },
    ...{ prepaid: 'bank transfer', bank: 'bank transfer', invoice: 'bank transfer' },
  },
}

/** How and when an invoice was paid before it was issued, as `PayPal, 07.11.2026`. */
export const paidText = ({ payments, language }: InvoiceContent): string =>
  payments.map(({ type, day }) => `${ways[language][type]}, ${writtenDay(day, language)}`).join('; ')

/** The particulars that a debit has to announce: the creditor, the mandate, and the end of the account's number. */
const debitText = ({ seller, buyer, language }: InvoiceContent): string => {
  const { creditor, mandate, account } = wordsIn(language)
  const facts = [
    [creditor, seller.creditor_id],
    [mandate, buyer.mandate],
    [account, buyer.iban?.slice(-4)],
  ]
  return facts.flatMap(([label, value]) => (value ? [`${label} ${value}`] : [])).join(', ')
}

const backSentences = { provider: 'refunded', at_provider: 'refunded', by_hand: 'given_back', none: 'set_off' } as const

const sentenceOf = (content: InvoiceContent): Exclude<keyof Sentences, 'cashback'> => {
  const { type } = content.payment
  // The whole invoice is credited without a way only if nothing was paid.
  if (content.kind === 'credit_advice') return backSentences[content.refund ?? 'none']
  if (content.total.gross === 0) return 'free'
  if (dueOf(content) <= 0) return 'paid'
  if (transfers.has(type)) return 'due'
  return type === 'debit' || type === 'cash' ? type : 'online'
}

/** The discount for early payment of a transfer. */
export const cashbackOf = (content: InvoiceContent) => (isTransfer(content) ? content.payment.cashback : null)

/** The terms of payment, one sentence each. */
export const termsOf = (content: InvoiceContent): string[] => {
  const { language, day } = content
  const words = sentences[language]
  const texts = { percent: '', amount: '', paid: paidText(content), debit: debitText(content) }
  const values = (date: Day): Values => ({ ...texts, date: writtenDay(date, language) })
  const cashback = cashbackOf(content)
  return [
    words[sentenceOf(content)](values(dueDay(content) ?? day)),
    ...(cashback
      ? [
          words.cashback({
            ...values(laterDay(day, cashback.days)),
            percent: String(cashback.percent),
            amount: euros(cashback.gross, language),
          }),
        ]
      : []),
  ]
}
