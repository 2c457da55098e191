import type { BadField } from '../../contract/errors.ts'
import { invoiceXml } from './cii.ts'
import { creditContent, type DocumentSource, invoiceContent } from './content.ts'
import { lacksOfInvoice, lacksOfNote } from './incomplete.ts'
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
 * A document of an order: the particulars that it still lacks, its XML, and its PDF with that XML inside. Without its
 * particulars it has no XML; a delivery note never has one.
 */
type Drawable = { lacks: BadField[]; xml: string | null; pdf: () => Promise<Buffer> }

/** Prepares a document of an order to be drawn. */
export const drawable = (source: DocumentSource, kind: Kind, id: number): Drawable => {
  const { invoices, creditAdvices, deliveryNotes } = source.order.documents
  if (kind === 'delivery_note') {
    const note = noteContent(source, byId(deliveryNotes, id))
    return { lacks: lacksOfNote(note), xml: null, pdf: () => drawNote(note, source.logo) }
  }
  const content =
    kind === 'invoice' ? invoiceContent(source, byId(invoices, id)) : creditContent(source, byId(creditAdvices, id))
  const lacks = lacksOfInvoice(content)
  const xml = lacks.length === 0 ? invoiceXml(content) : null
  return { lacks, xml, pdf: () => drawInvoice(content, xml, source.logo) }
}
