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

/**
 * An order as it will be written, but for its numbers, its moment and the stock it takes. It has prices and terms already,
 * so that whoever commits it decides nothing about it.
 */
export const Draft = v.strictObject({
  header: Header,
  client: v.nullable(Client),
  billing: v.nullable(Party),
  delivery: v.nullable(Party),
  sold: v.strictObject({ positions: v.array(Line), package: v.nullable(Line) }),
  rebates: v.array(Rebate),
  /** The payment at an external provider, and where it leads back to. */
  payment: v.nullable(v.strictObject({ uuid: v.string(), return_url: v.string(), cancel_url: v.string() })),
  /** The parties that the order brings along; `former` is the client that had the mail before. */
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

/** The version of what is written by a schema: another one for each other schema. */
export const versionOf = (schema: v.GenericSchema): string => {
  const text = JSON.stringify(schema, (_, value) => (value instanceof RegExp ? String(value) : value))
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

let version: string | undefined

// In bytes. A larger draft is written by its own request.
const mostBytes = 60_000

/** A draft to be laid down; undefined where it is too large for that. */
export const encodeDraft = (draft: Draft): QueuedDraft | undefined => {
  version ??= versionOf(Draft)
  const doc = pack(draft)
  return doc.length > mostBytes ? undefined : { uuid: draft.header.uuid, doc, version }
}

/** The draft that was laid down; undefined where a release wrote it whose drafts are others. */
export const decodeDraft = ({ doc, version: written }: Pick<QueuedDraft, 'doc' | 'version'>): Draft | undefined => {
  version ??= versionOf(Draft)
  return written === version ? unpack(doc) : undefined
}
