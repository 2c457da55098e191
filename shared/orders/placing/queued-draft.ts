import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { Address } from '../../contract/records/address.ts'
import { Client } from '../../contract/records/client.ts'
import { Header, Rebate } from '../../contract/records/order.ts'
import type { QueuedDraft } from '../numbering/queue.ts'
import { pack, unpack } from '../record.ts'

const Party = v.union([Client, Address])

const Line = v.strictObject({
  item_type: v.picklist(['wine', 'product', 'package']),
  item_id: v.number(),
  name: v.string(),
  quantity: v.number(),
  net: v.string(),
  tax: v.string(),
  gross: v.string(),
  taxrate: v.number(),
  item: v.record(v.string(), v.unknown()),
})

const nullableText = v.nullable(v.string())

/** An order without its numbers, its time and the stock it takes; prices and terms are final. */
export const Draft = v.strictObject({
  header: Header,
  client: v.nullable(Client),
  billing: v.nullable(Party),
  delivery: v.nullable(Party),
  sold: v.strictObject({ positions: v.array(Line), package: v.nullable(Line) }),
  rebates: v.array(Rebate),
  /** The payment at an external provider. */
  payment: v.nullable(v.strictObject({ uuid: v.string(), return_url: v.string(), cancel_url: v.string() })),
  /** Records to be created with the order; `former` is the client that had the mail before. */
  newParties: v.strictObject({
    client: v.nullable(v.strictObject({ record: Client, former: v.nullable(v.strictObject({ id: v.number() })) })),
    addresses: v.array(Address),
  }),
  basket: nullableText,
  /** The version of the basket whose items these are. */
  basketVersion: v.nullable(v.number()),
  /** Hash of the request's Idempotency-Key. */
  idempotencyKey: nullableText,
  requestHash: v.string(),
})

export type Draft = v.InferOutput<typeof Draft>

/** A hash of a schema. */
export const versionOf = (schema: v.GenericSchema): string => {
  const text = JSON.stringify(schema, (_, value) => (value instanceof RegExp ? String(value) : value))
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

let version: string | undefined

// A larger draft is written by its own request.
const maxBytes = 60_000

/** Encodes a draft for the queue; undefined if it is too large. */
export const encodeDraft = (draft: Draft): QueuedDraft | undefined => {
  version ??= versionOf(Draft)
  const doc = pack(draft)
  return doc.length > maxBytes ? undefined : { uuid: draft.header.uuid, doc, version }
}

/** Decodes a queued draft; undefined if a release with another schema wrote it. */
export const decodeDraft = ({ doc, version: written }: Pick<QueuedDraft, 'doc' | 'version'>): Draft | undefined => {
  version ??= versionOf(Draft)
  return written === version ? unpack(doc) : undefined
}
