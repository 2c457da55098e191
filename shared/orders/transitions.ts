import { withDocuments } from './documents.ts'
import type { Numbers } from './numbering/numbers.ts'
import type { OrderRecord, StoredDocuments } from './record.ts'
import { documentsOnEnter, nextStep, type OrderEvent, type Refusal } from './states.ts'

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
