import { randomUUID } from 'node:crypto'
import type { Header } from '../contract/records/order.ts'
import type { Numbers } from './numbering/numbers.ts'
import type { OrderRecord, StoredDocuments } from './record.ts'
import { type DocumentKind, documentsOnEnter, nextStep, type OrderEvent, type Refusal } from './states.ts'

const base = (header: Header, number: number, now: string) => ({
  id: number,
  uuid: randomUUID(),
  order_id: header.id,
  number: String(number),
  crstamp: now,
  cruser_id: header.cruser_id,
  customers_id: header.customers_id,
  client_id: header.client_id,
})

const delivery = ({ delivery_type, delivery_id }: Header) => ({ delivery_type, delivery_id })

const amounts = (header: Header) => ({
  taxrates: header.taxrates,
  net: header.net,
  tax: header.tax,
  gross: header.gross,
  item_net: header.item_net,
  item_tax: header.item_tax,
  item_gross: header.item_gross,
  rebate: header.rebate,
  rebate_net: header.rebate_net,
  rebate_tax: header.rebate_tax,
  rebate_gross: header.rebate_gross,
  cashback: header.cashback,
  gross_cashback: header.gross_cashback,
  cashback_period: header.cashback_period,
})

const billing = (header: Header) => ({
  billing_type: header.billing_type,
  billing_id: header.billing_id,
  payment_type: header.payment_type,
  payment_period: header.payment_period,
  invoice_type: header.invoice_type,
  tax_free: header.tax_free,
})

type WrittenDocuments = { documents: StoredDocuments; numbers: Numbers }

const withInvoice = (
  header: Header,
  { documents, numbers }: WrittenDocuments,
  now: string,
  withNote: boolean,
): WrittenDocuments => {
  const id = numbers.invoices + 1
  const delivery_note_id = withNote ? numbers.deliveryNotes + 1 : null
  const remark = header.invoice_remark
  const invoice = {
    ...base(header, id, now),
    ...delivery(header),
    ...billing(header),
    ...amounts(header),
    remark,
    delivery_note_id,
  }
  return {
    documents: { ...documents, invoices: [...documents.invoices, invoice] },
    numbers: { ...numbers, invoices: id },
  }
}

const withDeliveryNote = (header: Header, { documents, numbers }: WrittenDocuments, now: string): WrittenDocuments => {
  const id = numbers.deliveryNotes + 1
  const invoice_id = documents.invoices.at(-1)?.id ?? null
  const note = { ...base(header, id, now), ...delivery(header), remark: header.delivery_note_remark, invoice_id }
  return {
    documents: { ...documents, deliveryNotes: [...documents.deliveryNotes, note] },
    numbers: { ...numbers, deliveryNotes: id },
  }
}

const withCreditAdvice = (header: Header, { documents, numbers }: WrittenDocuments, now: string): WrittenDocuments => {
  const id = numbers.creditAdvices + 1
  const invoice_id = documents.invoices.at(-1)?.id ?? null
  const advice = { ...base(header, id, now), ...billing(header), ...amounts(header), remark: null, invoice_id }
  return {
    documents: { ...documents, creditAdvices: [...documents.creditAdvices, advice] },
    numbers: { ...numbers, creditAdvices: id },
  }
}

/** An order's documents and the merchant's numbers after a step has written its documents. */
export const withDocuments = (
  order: Pick<OrderRecord, 'documents'> & { header: Header },
  numbers: Numbers,
  kinds: readonly DocumentKind[],
  now: string,
): WrittenDocuments =>
  kinds.reduce<WrittenDocuments>(
    (written, kind) => {
      if (kind === 'invoice') return withInvoice(order.header, written, now, kinds.includes('deliveryNote'))
      return kind === 'deliveryNote'
        ? withDeliveryNote(order.header, written, now)
        : withCreditAdvice(order.header, written, now)
    },
    { documents: order.documents, numbers },
  )

/** No documents yet. */
export const noDocuments = (): StoredDocuments => ({ invoices: [], deliveryNotes: [], payments: [], creditAdvices: [] })

/** Who makes a step, and when; `payment` is the record of money that comes with it. */
export type EventContext = { now: string; actor: string; payment?: StoredDocuments['payments'][number] }

/** What an event does to an order: the order and the merchant's numbers after it, nothing, or a refusal. */
export type Effect = { order: OrderRecord; numbers: Numbers } | { unchanged: true } | { refused: Refusal }

/** Applies an event to an order, with the documents it causes. Nothing is changed in place. */
export const applyEvent = (
  order: OrderRecord,
  numbers: Numbers,
  event: OrderEvent,
  { now, actor, payment }: EventContext,
): Effect => {
  const { status, paid, delivery_type, gross } = order.header
  const step = nextStep(status, event, { paid, isFree: gross === '0.00' })
  if (!('to' in step)) return step
  const kinds = documentsOnEnter(status, step.to, { collected: delivery_type === 'none' })
  const header = { ...order.header, status: step.to, paid: step.paid, chstamp: now }
  const written = withDocuments({ header, documents: order.documents }, numbers, kinds, now)
  const documents = payment
    ? { ...written.documents, payments: [...written.documents.payments, payment] }
    : written.documents
  return {
    order: {
      ...order,
      header: { ...header, fixed: documents.invoices.length > 0 },
      documents,
      history: [...order.history, { at: now, event, actor }],
    },
    numbers: written.numbers,
  }
}
