import { invoiceXml } from './cii.ts'
import { creditContent, type DocumentSource, invoiceContent } from './content.ts'
import { noteContent } from './note.ts'
import { drawInvoice, drawNote } from './pdf/draw.ts'

const byId = <Document extends { id: number }>(all: readonly Document[], id: number): Document => {
  const found = all.find(one => one.id === id)
  if (!found) throw new Error(`the order has no document ${id}`)
  return found
}

/** The kinds of documents. */
export type Kind = 'invoice' | 'credit_advice' | 'delivery_note'

/**
 * The XML of a document of an order, or why it has none, and its PDF with that XML inside; a delivery note never has
 * XML.
 */
type Drawable = { xml: ReturnType<typeof invoiceXml> | { refused: 'document_not_found' }; pdf: () => Promise<Buffer> }

/** Prepares a document of an order to be drawn. */
export const drawable = (source: DocumentSource, kind: Kind, id: number): Drawable => {
  const { invoices, creditAdvices, deliveryNotes } = source.order.documents
  if (kind === 'delivery_note') {
    const note = noteContent(source, byId(deliveryNotes, id))
    return { xml: { refused: 'document_not_found' }, pdf: () => drawNote(note) }
  }
  const content =
    kind === 'invoice' ? invoiceContent(source, byId(invoices, id)) : creditContent(source, byId(creditAdvices, id))
  const xml = invoiceXml(content)
  return { xml, pdf: () => drawInvoice(content, typeof xml === 'string' ? xml : null) }
}
