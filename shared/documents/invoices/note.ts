import { highestAge, type MinAge, soldInformation } from '../../contract/records/consumer-information.ts'
import { languageFor } from '../../merchants/settings.ts'
import { sentAt } from '../../orders/history.ts'
import type { StoredDocuments } from '../../orders/record.ts'
import { dayOf } from '../../values/day.ts'
import type { Sum } from '../../values/money.ts'
import {
  type ContentLine,
  type DocumentSource,
  type InvoiceContent,
  lineOf,
  orderReference,
  sellerFor,
} from './content.ts'
import { completed, type Party, partyOf } from './party.ts'

/** A delivery note: the goods without prices. */
export type NoteContent = Pick<
  InvoiceContent,
  'language' | 'number' | 'day' | 'order' | 'seller' | 'delivered' | 'remark'
> & {
  recipient: Party
  invoice: string | null
  lines: Omit<ContentLine, keyof Sum | 'taxrate'>[]
  shipping: { carrier: string | null; tracking: string | null }
  /** The age that the recipient must have, in years. */
  minAge: MinAge
}

/** A delivery note of an order. */
export const noteContent = (
  { order, sold, seller: today, client }: DocumentSource,
  note: StoredDocuments['deliveryNotes'][number],
): NoteContent => {
  const { billing, delivery, documents } = order
  const invoice = documents.invoices.find(({ id }) => id === note.invoice_id)
  const seller = sellerFor(invoice, today)
  const sent = sentAt(order)
  const recipient = partyOf(completed(delivery ?? billing, client), seller.countrycode ?? 'de')
  return {
    language: languageFor(recipient.countrycode),
    number: note.number,
    day: dayOf(note.crstamp, seller.timezone),
    order: orderReference(order, seller.timezone),
    seller,
    delivered: sent ? dayOf(sent, seller.timezone) : null,
    remark: note.remark,
    recipient,
    invoice: invoice?.number ?? null,
    lines: sold.positions.map(lineOf),
    shipping: { carrier: note.carrier ?? null, tracking: note.tracking ?? null },
    minAge: highestAge(sold.positions.map(line => soldInformation(line, 'gross'))),
  }
}
