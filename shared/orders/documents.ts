import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { CreditAdvice, DocumentReference, Header, PaymentStep } from '../contract/records/order.ts'
import { pick } from '../contract/schema/fields.ts'
import { sellerOf } from '../merchants/settings.ts'
import type { Merchant } from '../platform/table/items.ts'
import { type Numbers, takeNumber } from './numbering/numbers.ts'
import { type OrderRecord, type Shipping, type StoredDocuments, withStep } from './record.ts'
import { type DocumentKind, documentsOnEnter, nextStep, type OrderEvent, type Refusal } from './states.ts'

const base = (header: Header, { id, number }: { id: number; number: string }, now: string) => ({
  id,
  uuid: randomUUID(),
  order_id: header.id,
  number,
  crstamp: now,
  cruser_id: header.cruser_id,
  customers_id: header.customers_id,
  client_id: header.client_id,
})

const delivery = ['delivery_type', 'delivery_id'] as const
const billing = ['billing_type', 'billing_id', 'payment_type', 'payment_period', 'invoice_type', 'tax_free'] as const
const amounts = [
  ...(['taxrates', 'net', 'tax', 'gross', 'item_net', 'item_tax', 'item_gross'] as const),
  ...(['rebate', 'rebate_net', 'rebate_tax', 'rebate_gross'] as const),
  ...(['cashback', 'gross_cashback', 'cashback_period'] as const),
] as const

/** The time of an event, and the merchant, which an invoice keeps. */
export type DocumentContext = { now: string; merchant: Merchant }

type WrittenDocuments = { documents: StoredDocuments; numbers: Numbers }

type Base = ReturnType<typeof base>

/** Adds a document, made of its number and of what all documents have. */
const withDocument = <Kind extends 'invoices' | 'deliveryNotes' | 'creditAdvices'>(
  header: Header,
  { documents, numbers }: WrittenDocuments,
  kind: Kind,
  context: DocumentContext,
  documentOf: (base: Base) => StoredDocuments[Kind][number],
): WrittenDocuments => {
  const taken = takeNumber(numbers, kind, context)
  const document = documentOf(base(header, taken, context.now))
  return { documents: { ...documents, [kind]: [...documents[kind], document] }, numbers: taken.numbers }
}

const withInvoice = (
  header: Header,
  written: WrittenDocuments,
  context: DocumentContext,
  withNote: boolean,
): WrittenDocuments =>
  withDocument(header, written, 'invoices', context, base => ({
    ...base,
    ...pick(header, [...delivery, ...billing, ...amounts]),
    remark: header.invoice_remark,
    delivery_note_id: withNote ? written.numbers.deliveryNotes + 1 : null,
    seller: sellerOf(context.merchant),
  }))

const withDeliveryNote = (header: Header, written: WrittenDocuments, context: DocumentContext): WrittenDocuments =>
  withDocument(header, written, 'deliveryNotes', context, base => ({
    ...base,
    ...pick(header, delivery),
    remark: header.delivery_note_remark,
    invoice_id: written.documents.invoices.at(-1)?.id ?? null,
  }))

/** A credit of an invoice: its amounts and lines, and `isRest` if nothing is left after it. */
export type Credit = Pick<CreditAdvice, (typeof amounts)[number] | 'remark' | 'lines' | 'refund' | 'restocked'> & {
  isRest: boolean
}

/** Without a credit, the whole invoice is credited. */
const withCreditAdvice = (
  header: Header,
  written: WrittenDocuments,
  context: DocumentContext,
  credit?: Credit,
): WrittenDocuments => {
  const { isRest: _, ...part } = credit ?? { ...pick(header, amounts), remark: null, isRest: true }
  return withDocument(header, written, 'creditAdvices', context, base => ({
    ...base,
    ...pick(header, billing),
    invoice_id: written.documents.invoices.at(-1)?.id ?? null,
    ...part,
  }))
}

/** Adds documents to an order, and returns them with the merchant's numbers after that. */
export const withDocuments = (
  order: Pick<OrderRecord, 'documents'> & { header: Header },
  numbers: Numbers,
  kinds: readonly DocumentKind[],
  context: DocumentContext,
  credit?: Credit,
): WrittenDocuments =>
  kinds.reduce<WrittenDocuments>(
    (written, kind) => {
      if (kind === 'invoice') return withInvoice(order.header, written, context, kinds.includes('deliveryNote'))
      return kind === 'deliveryNote'
        ? withDeliveryNote(order.header, written, context)
        : withCreditAdvice(order.header, written, context, credit)
    },
    { documents: order.documents, numbers },
  )

export const noDocuments = (): StoredDocuments => ({ invoices: [], deliveryNotes: [], payments: [], creditAdvices: [] })

/**
 * `payment` is the record of money that the event brings, `credit` what it credits of the invoice, `refund` the money that it
 * gives back, `shipping` what the delivery note keeps.
 */
export type EventContext = DocumentContext & {
  actor: string
  payment?: StoredDocuments['payments'][number]
  credit?: Credit | undefined
  refund?: PaymentStep | undefined
  shipping?: Shipping
  remark?: string | null
}

/** The order and the merchant's numbers after an event, nothing, or a refusal. */
export type Effect<Event extends OrderEvent> =
  | { order: OrderRecord; numbers: Numbers }
  | { unchanged: true }
  | { refused: Refusal<Event> }

const documentNames = { invoices: 'invoice', deliveryNotes: 'delivery_note', creditAdvices: 'credit_advice' } as const

/** The documents that an order has besides earlier documents. */
export const newDocuments = (after: StoredDocuments, before: StoredDocuments = noDocuments()): DocumentReference[] =>
  (['invoices', 'deliveryNotes', 'creditAdvices'] as const).flatMap(kind =>
    after[kind].slice(before[kind].length).map(({ number }) => ({ document: documentNames[kind], number })),
  )

const withShipping = (documents: StoredDocuments, shipping: EventContext['shipping']): StoredDocuments =>
  shipping
    ? { ...documents, deliveryNotes: documents.deliveryNotes.map(note => ({ ...note, ...shipping })) }
    : documents

/**
 * A shipped order with another carrier or tracking on its delivery note, and a step in its history. It was shipped before, so
 * this is no second `ship`.
 */
const withOtherShipping = (
  order: OrderRecord,
  numbers: Numbers,
  { now, actor, shipping, remark = null }: EventContext,
): { order: OrderRecord; numbers: Numbers } | { unchanged: true } => {
  const documents = withShipping(order.documents, shipping)
  if (isDeepStrictEqual(documents, order.documents)) return { unchanged: true }
  const changed = { ...order, header: { ...order.header, chstamp: now }, documents }
  return { order: withStep(changed, { at: now, event: 'shipping_changed', actor, remark }), numbers }
}

const paymentStepOf = ({ payment, refund }: EventContext): PaymentStep | null =>
  payment ? { uuid: payment.uuid, amount: payment.amount, state: 'received' } : (refund ?? null)

/** Applies an event to an order, with the documents that it causes. Does not change its arguments. */
export const applyEvent = <Event extends OrderEvent>(
  order: OrderRecord,
  numbers: Numbers,
  event: Event,
  context: EventContext,
): Effect<Event> => {
  const { now, actor, payment, credit, shipping, remark = null } = context
  const { status, paid, delivery_type, gross } = order.header
  const step = nextStep(status, event, { paid, isFree: gross === '0.00' })
  if ('unchanged' in step) return withOtherShipping(order, numbers, context)
  if ('refused' in step) return step
  const isCredit = event === 'credit' || event === 'credit_rest'
  const kinds = isCredit
    ? (['creditAdvice'] as const)
    : documentsOnEnter(status, step.to, { collected: delivery_type === 'none' })
  const header = { ...order.header, status: step.to, paid: step.paid, chstamp: now }
  const written = withDocuments({ header, documents: order.documents }, numbers, kinds, context, credit)
  const payments = payment ? [...written.documents.payments, payment] : written.documents.payments
  const documents = withShipping({ ...written.documents, payments }, shipping)
  const isWhole = kinds.some(kind => kind === 'creditAdvice') && (credit?.isRest ?? true)
  return {
    order: {
      ...order,
      header: { ...header, fixed: documents.invoices.length > 0 },
      documents,
      ...(credit && { credited: 'part' as const }),
      ...(isWhole && { credited: 'whole' as const }),
      history: [
        ...order.history,
        {
          ...{ at: now, event, actor, status: step.to },
          documents: newDocuments(documents, order.documents),
          payment: paymentStepOf(context),
          remark,
        },
      ],
    },
    numbers: written.numbers,
  }
}
