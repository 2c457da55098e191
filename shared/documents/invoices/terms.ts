import type { Language } from '../../contract/labels/labels.ts'
import { type Day, laterDay } from '../../values/day.ts'
import { formatMoney } from '../../values/money.ts'
import { localeOf } from '../expertise/labels.ts'
import { type ContentLine, dueOf, type InvoiceContent } from './content.ts'

type Sentences = Record<
  'paid' | 'debit' | 'cash' | 'online' | 'returned' | 'free' | 'due' | 'cashback',
  (values: { date: string; percent: string; amount: string }) => string
>

const sentences: Record<Language, Sentences> = {
  de: {
    paid: () => 'Der Betrag ist bezahlt.',
    free: () => 'Es ist nichts zu zahlen.',
    debit: () => 'Der Betrag wird per Lastschrift eingezogen.',
    cash: () => 'Der Betrag ist bei Übergabe der Ware bar zu zahlen.',
    online: () => 'Der Betrag wird über den Zahlungsdienst bezahlt, der bei der Bestellung gewählt wurde.',
    returned: () => 'Der Betrag wird erstattet oder mit der offenen Rechnung verrechnet.',
    due: ({ date }) => `Zahlbar bis ${date} ohne Abzug.`,
    cashback: ({ date, percent, amount }) => `Bei Zahlung bis ${date} ${percent} % Skonto: ${amount}.`,
  },
  en: {
    paid: () => 'The amount has been paid.',
    free: () => 'Nothing is to be paid.',
    debit: () => 'The amount will be collected by direct debit.',
    cash: () => 'The amount is to be paid in cash when the goods are handed over.',
    online: () => 'The amount is paid by the payment service that was chosen with the order.',
    returned: () => 'The amount is given back or set off against the open invoice.',
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

/** The day until which the amount of a transfer is due; null for other payments. */
export const dueDay = (content: InvoiceContent): Day | null =>
  isTransfer(content) ? laterDay(content.day, content.payment.days) : null

const sentenceOf = (content: InvoiceContent): Exclude<keyof Sentences, 'cashback'> => {
  const { type } = content.payment
  if (content.kind === 'credit_advice') return 'returned'
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
  const values = (date: Day) => ({ date: writtenDay(date, language), percent: '', amount: '' })
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
