import { invoiceXml } from './cii.ts'
import { creditContent, type DocumentSource, type InvoiceContent, invoiceContent } from './content.ts'
import { noteContent } from './note.ts'
import { drawInvoice, drawNote } from './pdf/draw.ts'

const byId = <Document extends { id: number }>(all: readonly Document[], id: number): Document => {
  const found = all.find(one => one.id === id)
  if (!found) throw new Error(`the order has no document ${id}`)
  return found
}

/** The kinds of documents. */
export type Kind = 'invoice' | 'credit_advice' | 'delivery_note'

const contentOf = (source: DocumentSource, kind: Exclude<Kind, 'delivery_note'>, id: number): InvoiceContent => {
  const { invoices, creditAdvices } = source.order.documents
  return kind === 'invoice'
    ? invoiceContent(source, byId(invoices, id))
    : creditContent(source, byId(creditAdvices, id))
}

/** The XML of a document of an order, or why it has none; a delivery note never has one. */
export const documentXml = (
  source: DocumentSource,
  kind: Kind,
  id: number,
): ReturnType<typeof invoiceXml> | { refused: 'document_not_found' } =>
  kind === 'delivery_note' ? { refused: 'document_not_found' } : invoiceXml(contentOf(source, kind, id))

/** The PDF of a document of an order, with its XML inside. */
export const documentPdf = (source: DocumentSource, kind: Kind, id: number, xml: string | null): Promise<Buffer> =>
  kind === 'delivery_note'
    ? drawNote(noteContent(source, byId(source.order.documents.deliveryNotes, id)))
    : drawInvoice(contentOf(source, kind, id), xml)
