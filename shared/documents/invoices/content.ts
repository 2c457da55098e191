import type { Language } from '../../contract/labels/labels.ts'
import type { Client } from '../../contract/records/client.ts'
import type { Seller } from '../../contract/records/order.ts'
import { pick } from '../../contract/schema/fields.ts'
import type { PaymentType, RefundWay } from '../../contract/vocabulary.ts'
import { lacksOfAddress, lacksOfTaxNumber } from '../../merchants/incomplete.ts'
import { languageFor, type PresentSeller } from '../../merchants/settings.ts'
import { sentAt } from '../../orders/history.ts'
import type { Line, OrderRecord, SoldItems, StoredDocuments } from '../../orders/record.ts'
import { positionId } from '../../orders/view.ts'
import { type Day, dayOf } from '../../values/day.ts'
import { addSums, type Cents, type Side, type Sum, totalCents, totalsOf } from '../../values/money.ts'
import { type Buyer, buyerOf, completed, type Party, partyOf } from './party.ts'
import { type TaxFree, taxFreeOf } from './tax.ts'

/** A line with its totals; `details` are vintage and size of a wine. */
export type ContentLine = Sum & {
  name: string
  details: { vintage: string | null; litres: string | null }
  articlenumber: string | null
  gtin: string | null
  quantity: number
  taxrate: number
}

/** The totals at one tax rate, and what rebates take off there, with their names: amounts of 0 or more. */
export type ContentRate = Sum & { rate: number; off: Sum; rebates: readonly string[] }

/** An invoice or a credit advice, as its PDF and its XML state it. Days are those of the seller’s time zone. */
export type InvoiceContent = {
  kind: 'invoice' | 'credit_advice'
  language: Language
  number: string
  day: Day
  order: { number: string; day: Day; customer: string | null; merchant: number }
  /** The invoice that a credit advice corrects. */
  corrects: { number: string; day: Day } | null
  seller: Seller
  buyer: Buyer
  /** Null where the buyer collects the goods. */
  delivery: Party | null
  /** The day on which the goods were handed over or sent; null where that is still to come: the delivery note then says it. */
  delivered: Day | null
  deliveryNote: string | null
  lines: ContentLine[]
  rates: ContentRate[]
  /** The names of the rebates with their totals, which are 0 or less. */
  rebates: { name: string; total: Sum }[]
  total: Sum
  /** The amount that was received before the document was issued. */
  paid: Cents
  payments: { type: PaymentType; day: Day }[]
  /** The way in which the money of a credit advice goes back; undefined where the order was cancelled unpaid. */
  refund: RefundWay | undefined
  payment: { type: PaymentType; days: number; cashback: { percent: number; days: number; gross: Cents } | null }
  mode: Side
  remark: string | null
  taxFree: TaxFree | null
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || null : null

/** A line of an order. */
export const lineOf = ({ name, quantity, taxrate, item, ...amounts }: Line): ContentLine => ({
  name,
  quantity,
  taxrate,
  ...totalsOf(amounts),
  details: {
    vintage: item.vintage ? textOf(item.vintage) : null,
    litres: Number(item.bottlesize) > 0 ? textOf(item.bottlesize) : null,
  },
  articlenumber: textOf(item.articlenumber),
  gtin: textOf(item.gtin),
})

type StoredInvoice = StoredDocuments['invoices'][number]
type StoredCredit = StoredDocuments['creditAdvices'][number]

/** The lines of an order, or what is credited of them; a credit advice without lines credits the whole invoice. */
const linesOf = (order: OrderRecord, sold: SoldItems, credited: StoredCredit['lines']): ContentLine[] => {
  const all = [...sold.positions, ...(sold.package ? [sold.package] : [])]
  if (!credited) return all.map(lineOf)
  return credited.map(({ position_id, quantity, net, tax, gross }) => {
    const line = all.find((_, n) => positionId(order.header.id, n + 1) === position_id)
    if (!line) throw new Error(`order ${order.header.id} has no position ${position_id}`)
    return lineOf({ ...line, quantity, net, tax, gross })
  })
}

/** True if a rebate may be one at a tax rate: its tax is that of the rate, to a cent. */
const isAt = (rebate: OrderRecord['rebates'][number], rate: number): boolean => {
  const { net, tax } = totalsOf(rebate)
  return Math.abs(net * rate - tax * 100) <= 100
}

/** The names of the rebates at a rate; a rebate that is at none of the rates alone is spread over them all. */
const namesAt = (rebates: OrderRecord['rebates'], rate: number, rates: readonly number[]): string[] =>
  rebates.filter(one => isAt(one, rate) || !rates.some(other => isAt(one, other))).map(({ name }) => name)

type TaxRates = Record<string, Record<keyof Sum, string>>

/** The totals by rate; what the lines are more than these is what rebates take off. */
const ratesOf = (taxrates: TaxRates, lines: readonly ContentLine[], rebates: OrderRecord['rebates']): ContentRate[] => {
  const all = Object.keys(taxrates).map(Number)
  return Object.entries(taxrates).map(([rate, amounts]) => {
    const total = totalsOf(amounts)
    const own = lines.filter(({ taxrate }) => taxrate === Number(rate))
    const off = (side: keyof Sum) => own.reduce((sum, line) => sum + line[side], 0) - total[side]
    return {
      ...total,
      rate: Number(rate),
      off: { net: off('net'), tax: off('tax'), gross: off('gross') },
      rebates: namesAt(rebates, Number(rate), all),
    }
  })
}

/** True if a rate has a rebate. */
export const hasOff = ({ off }: ContentRate): boolean => off.net !== 0 || off.gross !== 0

/** The share of the rebates in a part of an invoice, one for the rates that have the same. */
const partOfRebates = (rates: readonly ContentRate[]): InvoiceContent['rebates'] => {
  const groups = Map.groupBy(rates.filter(hasOff), ({ rebates }) => rebates.join(', '))
  return [...groups].map(([name, all]) => {
    const { net, tax, gross } = addSums(all.map(({ off }) => off))
    return { name, total: { net: 0 - net, tax: 0 - tax, gross: 0 - gross } }
  })
}

/**
 * The order of a document. `seller` is the merchant of today, for invoices that store no seller, and `client` the
 * client of today: an invoice gets from them what it lacks, such as an address, the tax number or the reason for selling
 * without tax. `logo` is a PNG of the merchant.
 */
export type DocumentSource = {
  order: OrderRecord
  sold: SoldItems
  seller: PresentSeller
  client?: Client | undefined
  logo?: Buffer | undefined
}

/** The seller of an invoice; what it lacked when the order was invoiced is that of today: the address as a whole. */
export const sellerFor = (invoice: StoredInvoice | undefined, today: PresentSeller): PresentSeller => {
  const seller = invoice?.seller ?? today
  return {
    ...seller,
    ...pick(lacksOfTaxNumber(seller).length === 0 ? seller : today, ['taxid', 'vatid']),
    ...pick(lacksOfAddress(seller).length === 0 ? seller : today, ['address', 'zip', 'city', 'countrycode']),
    contact_person: seller.contact_person ?? today.contact_person,
    phone: seller.phone ?? today.phone,
    mail: seller.mail ?? today.mail,
    timezone: seller.timezone ?? today.timezone,
  }
}

const paymentsBefore = ({ documents }: OrderRecord, moment: string) =>
  documents.payments.filter(({ crstamp }) => crstamp <= moment)

/** The order of a document as the document names it. */
export const orderReference = ({ header, client }: OrderRecord, timezone: string): InvoiceContent['order'] => ({
  number: header.number,
  day: dayOf(header.crstamp, timezone),
  customer: client?.number ?? null,
  merchant: header.customers_id,
})

const contentOf = (
  { order, sold, ...today }: DocumentSource,
  document: StoredInvoice | StoredCredit,
  invoice: StoredInvoice | undefined,
): InvoiceContent => {
  const { header, client, billing, documents, rebates } = order
  const isCredit = !('delivery_note_id' in document)
  const seller = sellerFor(invoice, today.seller)
  const country = seller.countrycode ?? 'de'
  const buyer = buyerOf(order, country, today.client)
  const recipient = completed(order.delivery ?? billing, today.client)
  const delivery = header.delivery_type === 'none' ? null : partyOf(recipient, country)
  const credited = 'lines' in document ? document.lines : undefined
  const isPart = credited !== undefined
  const lines = linesOf(order, sold, credited)
  const rates = ratesOf(document.taxrates, lines, rebates)
  const payments = isCredit ? [] : paymentsBefore(order, document.crstamp)
  const paid = payments.reduce((sum, one) => sum + totalCents(one.amount), 0)
  const total = totalsOf(document)
  const { cashback, cashback_period: days } = document
  const taxFree = document.tax_free ? taxFreeOf({ client, seller, buyer, delivery, today }) : null
  const { timezone } = seller
  const day = dayOf(document.crstamp, timezone)
  const invoiceDay = invoice ? dayOf(invoice.crstamp, timezone) : day
  const sent = sentAt(order)
  // Goods that are collected have no delivery note, and EN 16931 requires a day of supplies to other member states (BR-IC-11).
  const isInvoiceDay = delivery === null || taxFree?.category === 'K'
  return {
    kind: isCredit ? 'credit_advice' : 'invoice',
    language: languageFor(buyer.countrycode),
    number: document.number,
    day,
    order: orderReference(order, timezone),
    corrects: isCredit && invoice ? { number: invoice.number, day: invoiceDay } : null,
    seller,
    buyer,
    delivery,
    delivered: sent ? dayOf(sent, timezone) : isInvoiceDay ? invoiceDay : null,
    deliveryNote: documents.deliveryNotes.at(-1)?.number ?? null,
    lines,
    rates,
    rebates: isPart ? partOfRebates(rates) : rebates.map(one => ({ name: one.name, total: totalsOf(one) })),
    total,
    paid: Math.min(paid, total.gross),
    payments: payments.map(one => ({ type: one.payment_type, day: dayOf(one.crstamp, timezone) })),
    refund: 'refund' in document ? document.refund : undefined,
    payment: {
      type: document.payment_type,
      days: document.payment_period,
      cashback: cashback > 0 ? { percent: cashback, days, gross: totalCents(document.gross_cashback) } : null,
    },
    mode: document.tax_free ? 'net' : document.invoice_type,
    remark: document.remark,
    taxFree,
  }
}

/** An invoice of an order. */
export const invoiceContent = (source: DocumentSource, invoice: StoredInvoice): InvoiceContent =>
  contentOf(source, invoice, invoice)

/** A credit advice of an order: its lines, or the whole invoice. */
export const creditContent = (source: DocumentSource, advice: StoredCredit): InvoiceContent =>
  contentOf(
    source,
    advice,
    source.order.documents.invoices.find(({ id }) => id === advice.invoice_id),
  )

/** The amount that is still to be paid, or to be given back. */
export const dueOf = ({ total, paid }: Pick<InvoiceContent, 'total' | 'paid'>): Cents => total.gross - paid
