import { invoiceXml } from './cii.ts'
import { creditContent, type DocumentSource, invoiceContent } from './content.ts'
import { noteContent } from './note.ts'
import { drawInvoice, drawNote } from './pdf/draw.ts'

/** The bytes of a document; without XML for a delivery note, and for a document without tax that states no reason. */
export type Drawn = { pdf: Buffer; xml: Buffer | null }

const byId = <Document extends { id: number }>(all: readonly Document[], id: number): Document => {
  const found = all.find(one => one.id === id)
  if (!found) throw new Error(`the order has no document ${id}`)
  return found
}

/** Draws a document of an order. */
export const drawDocument = async (
  source: DocumentSource,
  kind: 'invoice' | 'credit_advice' | 'delivery_note',
  id: number,
): Promise<Drawn> => {
  const { invoices, creditAdvices, deliveryNotes } = source.order.documents
  if (kind === 'delivery_note') {
    return { pdf: await drawNote(noteContent(source, byId(deliveryNotes, id))), xml: null }
  }
  const content =
    kind === 'invoice' ? invoiceContent(source, byId(invoices, id)) : creditContent(source, byId(creditAdvices, id))
  const xml = invoiceXml(content)
  const text = typeof xml === 'string' ? xml : null
  return { pdf: await drawInvoice(content, text), xml: text === null ? null : Buffer.from(text, 'utf8') }
}
