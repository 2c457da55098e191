import type { InvoiceContent } from './content.ts'

/** A profile of EN 16931: its id (BT-24), and the file name and level by which a PDF declares the XML inside. */
export type Profile = { id: string; file: string; level: string }

const en16931: Profile = { id: 'urn:cen.eu:en16931:2017', file: 'factur-x.xml', level: 'EN 16931' }

const xrechnung: Profile = {
  id: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  file: 'xrechnung.xml',
  level: 'XRECHNUNG',
}

/** True if a document is an XRechnung: its buyer has a reference. */
export const isXRechnung = ({ buyer }: Pick<InvoiceContent, 'buyer'>): boolean => buyer.reference !== null

/** The profile of a document. */
export const profileOf = (content: Pick<InvoiceContent, 'buyer'>): Profile =>
  isXRechnung(content) ? xrechnung : en16931
