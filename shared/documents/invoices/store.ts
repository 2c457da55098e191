import { createHash } from 'node:crypto'
import { format as disposition, encodeExtended } from 'content-disposition'
import { fieldsProblem, Problem } from '../../contract/errors.ts'
import { languageFor, readMerchant, sellerOf } from '../../merchants/settings.ts'
import { sentAt } from '../../orders/history.ts'
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
import { presignedLink, readFile, writeFile } from '../../platform/files/files.ts'
import { absent, type Clause, equals } from '../../platform/table/expressions.ts'
import { ConditionFailed } from '../../platform/table/failures.ts'
import type { DocumentFileItem, Merchant } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, putItem } from '../../platform/table/table.ts'
import { pictureAt, pictureKey } from '../../values/picture-name.ts'
import { timestamp } from '../../values/time.ts'
import type { DocumentSource } from './content.ts'
import type { Kind } from './draw.ts'
import { wordsIn } from './pdf/words.ts'

type Format = 'pdf' | 'xml'

/** A document that is asked for: the newest of its kind without a number. */
export type DocumentRequest = OrderIdentifier & {
  document: Kind
  number?: number | string | null | undefined
  format: Format
  /** 1 draws a PDF that lacks particulars, too. */
  incomplete?: 0 | 1 | undefined
}

const lists = { invoice: 'invoices', credit_advice: 'creditAdvices', delivery_note: 'deliveryNotes' } as const

type StoredDocument = StoredDocuments[(typeof lists)[Kind]][number]

const types: Record<Format, string> = { pdf: 'application/pdf', xml: 'text/xml' }

const digestOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

// Named by its content: an existing object is identical.
const store = async (bytes: Buffer, format: Format, below: 'documents' | 'drafts' = 'documents'): Promise<string> => {
  const place = `${below}/${digestOf(bytes)}.${format}`
  await writeFile(place, bytes, types[format], 'only if absent')
  return place
}

/** The merchant's logo of today; undefined without one. */
const logoOf = async ({ image }: Pick<Merchant, 'image'>): Promise<Buffer | undefined> => {
  const picture = image ? pictureAt(image) : undefined
  return picture && (await readFile(pictureKey(picture)))?.body
}

/** The order of a document, with the merchant and the client of today. */
const sourceOf = async (merchant: MerchantId, stored: StoredOrder): Promise<DocumentSource> => {
  const { client_id: id } = stored.order.header
  const [sold, account, client] = await Promise.all([
    soldOf(merchant, stored),
    readMerchant(merchant),
    id !== null ? getItem(key('client', { merchant, id })) : undefined,
  ])
  return { order: stored.order, sold, seller: sellerOf(account), client, logo: await logoOf(account) }
}

/** The key of a document's files; a delivery note has a key for each way in which it was sent. */
const placeOf = (merchant: MerchantId, order: OrderRecord, kind: Kind, document: StoredDocument) => {
  const { id, carrier = null, tracking = null }: { id: number } & Partial<Shipping> = document
  if (kind !== 'delivery_note') return key('documentFile', { merchant, kind, id })
  const sent = digestOf(JSON.stringify([sentAt(order), carrier, tracking]))
  return key('documentFile', { merchant, kind, id: `${id}#${sent}` })
}

/** Stores the files of a document if a clause holds; of concurrent requests the first stores its files, which all return. */
const storeFirst = async (
  place: Key<DocumentFileItem>,
  made: DocumentFileItem,
  clause: Clause<DocumentFileItem>,
): Promise<DocumentFileItem> => {
  try {
    await putItem(place, made, { when: [clause] })
    return made
  } catch (error) {
    const first = error instanceof ConditionFailed ? await getItem(place) : undefined
    if (!first) throw error
    return first
  }
}

type Wanted = Pick<DocumentRequest, 'format' | 'incomplete'> & { kind: Kind; document: StoredDocument }

/**
 * The object with a form of a document: that which is kept, else drawn. An invoice or a credit advice that was kept without
 * XML is drawn again once it lacks nothing. Throws invoice_incomplete while it does; a PDF that is asked for all the same is
 * not kept.
 */
const fileOf = async (
  merchant: MerchantId,
  stored: StoredOrder,
  { kind, document, format, incomplete }: Wanted,
): Promise<string> => {
  const isNote = kind === 'delivery_note'
  if (isNote && format === 'xml') throw new Problem('document_not_found')
  const place = placeOf(merchant, stored.order, kind, document)
  const present = await getItem(place)
  const found = present?.[format]
  if (found && (isNote || present.xml !== null)) return found
  // Imported here because the drawing modules load slowly, and are not needed once the document exists.
  const { drawable } = await import('./draw.ts')
  const { lacks, xml, pdf } = drawable(await sourceOf(merchant, stored), kind, document.id)
  if (lacks.length > 0) {
    if (found) return found
    if (!incomplete || format === 'xml') throw fieldsProblem('invoice_incomplete', lacks)
    return store(await pdf(), 'pdf', 'drafts')
  }
  const made = {
    pdf: await store(await pdf(), 'pdf'),
    xml: xml === null ? null : await store(Buffer.from(xml, 'utf8'), 'xml'),
  }
  const kept = await storeFirst(place, made, present ? equals('xml', null) : absent)
  return kept[format] ?? (made[format] as string)
}

// Bucket policies end links after ten minutes.
const linkSeconds = 300

/**
 * A link to a document of an order, for a signed-in client of its own. Throws what readIdentified throws, document_not_found
 * and invoice_incomplete.
 */
export const documentLink = async (
  merchant: MerchantId,
  { document: kind, number, format, incomplete, ...identifier }: DocumentRequest,
  client?: OrderOwner,
): Promise<{ url: string; expires: string }> => {
  const stored = await readIdentified(merchant, identifier, id => readOrder(merchant, id))
  checkOwnOrder(stored.order, client)
  const all = stored.order.documents[lists[kind]]
  const found = number
    ? (all.find(one => one.number === String(number)) ?? all.find(one => one.id === number))
    : all.at(-1)
  if (!found) throw new Problem('document_not_found')
  const place = await fileOf(merchant, stored, { kind, document: found, format, incomplete })
  const language = languageFor(stored.order.documents.invoices.at(-1)?.seller?.countrycode ?? 'de')
  const name = encodeExtended(`${wordsIn(language)[kind].replaceAll(' ', '-')}-${found.number}.${format}`)
  const attachment = disposition({ type: 'attachment', parameters: { 'filename*': name } })
  return {
    url: await presignedLink(place, linkSeconds, types[format], attachment),
    expires: timestamp(Date.now() + linkSeconds * 1000),
  }
}
