import { createHash } from 'node:crypto'
import { format as disposition, encodeExtended } from 'content-disposition'
import { Problem } from '../../contract/errors.ts'
import { readMerchant, sellerOf } from '../../merchants/settings.ts'
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

const types: Record<Format, string> = { pdf: 'application/pdf', xml: 'text/xml' }

// Named by its content: an existing object is identical.
const store = async (bytes: Buffer, format: Format): Promise<string> => {
  const place = `documents/${createHash('sha256').update(bytes).digest('hex')}.${format}`
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

/** The files of a document: those that exist, else drawn. Of two requests at once one stores its files, which both return. */
const filesOf = async (
  merchant: MerchantId,
  stored: StoredOrder,
  kind: Kind,
  id: number,
): Promise<DocumentFileItem> => {
  const place = key('documentFile', { merchant, kind, id })
  const present = await getItem(place)
  if (present) return present
  const made = await drawn(merchant, stored, kind, id)
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
  const files = await filesOf(merchant, stored, kind, found.id)
  const place = files[format]
  if (place === null) throw new Problem('tax_reason_missing')
  const name = encodeExtended(`${kind.replace('_', '-')}-${found.number}.${format}`)
  const attachment = disposition({ type: 'attachment', parameters: { 'filename*': name } })
  return {
    url: await presignedLink(place, linkSeconds, types[format], attachment),
    expires: timestamp(Date.now() + linkSeconds * 1000),
  }
}
