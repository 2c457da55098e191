import { createHash } from 'node:crypto'
import { format as disposition, encodeExtended } from 'content-disposition'
import { Problem } from '../../contract/errors.ts'
import { readMerchant, sellerOf } from '../../merchants/settings.ts'
import { sentOn } from '../../orders/history.ts'
import type { OrderRecord, Shipping, StoredDocuments } from '../../orders/record.ts'
import {
  checkOwnOrder,
  type OrderIdentifier,
  type OrderOwner,
  readIdentified,
  readOrder,
  type StoredOrder,
  soldOf,
} from '../../orders/store.ts'
import { presignedLink, writeFile } from '../../platform/files/files.ts'
import { absent } from '../../platform/table/expressions.ts'
import { ConditionFailed } from '../../platform/table/failures.ts'
import type { DocumentFileItem } from '../../platform/table/items.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, putItem } from '../../platform/table/table.ts'
import { timestamp } from '../../values/time.ts'

type Kind = 'invoice' | 'credit_advice' | 'delivery_note'
type Format = 'pdf' | 'xml'

/** A document that is asked for: the newest of its kind without a number. */
export type DocumentRequest = OrderIdentifier & { document: Kind; number?: number | null | undefined; format: Format }

const lists = { invoice: 'invoices', credit_advice: 'creditAdvices', delivery_note: 'deliveryNotes' } as const

type StoredDocument = StoredDocuments[(typeof lists)[Kind]][number]

const types: Record<Format, string> = { pdf: 'application/pdf', xml: 'text/xml' }

const digestOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

// Named by its content: an existing object is identical.
const store = async (bytes: Buffer, format: Format): Promise<string> => {
  const place = `documents/${digestOf(bytes)}.${format}`
  await writeFile(place, bytes, types[format], 'only if absent')
  return place
}

/** Draws a document and stores its files. */
const drawn = async (merchant: MerchantId, stored: StoredOrder, kind: Kind, id: number): Promise<DocumentFileItem> => {
  const { order } = stored
  // Imported here because the drawing modules load slowly, and are not needed once the document exists.
  const [sold, account, drawing] = await Promise.all([
    soldOf(merchant, stored),
    readMerchant(merchant),
    import('./draw.ts'),
  ])
  const { pdf, xml } = await drawing.drawDocument({ order, sold, seller: sellerOf(account) }, kind, id)
  return { pdf: await store(pdf, 'pdf'), xml: xml === null ? null : await store(xml, 'xml') }
}

/** The key of a document's files; a delivery note has one for each way in which it was sent. */
const placeOf = (merchant: MerchantId, order: OrderRecord, kind: Kind, document: StoredDocument) => {
  const { id, carrier = null, tracking = null }: { id: number } & Partial<Shipping> = document
  if (kind !== 'delivery_note') return key('documentFile', { merchant, kind, id })
  const sent = digestOf(JSON.stringify([sentOn(order), carrier, tracking]))
  return key('documentFile', { merchant, kind, id: `${id}#${sent}` })
}

/** The files of a document: those that exist, else drawn. Of two requests at once one stores its files, which both return. */
const filesOf = async (
  merchant: MerchantId,
  stored: StoredOrder,
  kind: Kind,
  document: StoredDocument,
): Promise<DocumentFileItem> => {
  const place = placeOf(merchant, stored.order, kind, document)
  const present = await getItem(place)
  if (present) return present
  const made = await drawn(merchant, stored, kind, document.id)
  try {
    await putItem(place, made, { when: [absent] })
    return made
  } catch (error) {
    const first = error instanceof ConditionFailed ? await getItem(place) : undefined
    if (!first) throw error
    return first
  }
}

const notFound = () => new Problem('document_not_found')

// Bucket policies end links after ten minutes.
const linkSeconds = 300

/**
 * A link to a document of an order, for a signed-in client of its own. Throws what readIdentified throws, document_not_found,
 * and for the XML of a document without tax tax_reason_missing.
 */
export const documentLink = async (
  merchant: MerchantId,
  { document: kind, number, format, ...identifier }: DocumentRequest,
  client?: OrderOwner,
): Promise<{ url: string; expires: string }> => {
  const stored = await readIdentified(merchant, identifier, id => readOrder(merchant, id))
  checkOwnOrder(stored.order, client)
  const all = stored.order.documents[lists[kind]]
  const found = number ? all.find(one => one.id === number) : all.at(-1)
  if (!found || (kind === 'delivery_note' && format === 'xml')) throw notFound()
  const files = await filesOf(merchant, stored, kind, found)
  const place = files[format]
  if (place === null) throw new Problem('tax_reason_missing')
  const name = encodeExtended(`${kind.replace('_', '-')}-${found.number}.${format}`)
  const attachment = disposition({ type: 'attachment', parameters: { 'filename*': name } })
  return {
    url: await presignedLink(place, linkSeconds, types[format], attachment),
    expires: timestamp(Date.now() + linkSeconds * 1000),
  }
}
