import type { OrderEventDetail, OrderEventType } from '../../contract/events.ts'
import type { Client } from '../../contract/records/client.ts'
import type { Grape } from '../../contract/records/grape.ts'
import type { Package } from '../../contract/records/package.ts'
import type { Upload } from '../../contract/routes/files.ts'

export * from './merchant-items.ts'
export * from './payment-items.ts'

/** An entry of the operator's list of merchants. */
export type DirectoryItem = { name: string }

/** The last of numbers that are counted up: over all merchants, or of a merchant's clients. */
export type SequenceItem = { value: number }

/** A version that rises with every change of what it counts. */
export type VersionItem = { version: number }

/** The version of a kind of records, and the keys of the records that its last change wrote, all of one partition. */
export type RecordsVersionItem = VersionItem & { written?: { pk: string; sks: string[] } }

/**
 * The version of a merchant's catalogue, how many wines are in it, and how many bytes everybody may see of them; a
 * catalogue from before these were counted lacks both.
 */
export type CatalogueItem = VersionItem & { wines?: number; public_bytes?: number }

/** The limit that the operator has set to an amount in place of the default, and how much is taken of it. */
export type QuotaItem = { limit?: number; taken?: number }

/** The limit that the operator has set to a rate, and what was counted in the window of that number. */
export type RateItem = { limit?: number; window?: number; count?: number }

/** The id of a record, at another key than its own. */
export type PointerItem = { id: number }

/** A marker: its existence is the information. */
export type MarkerItem = Record<never, never>

/**
 * The owner of a mail address: the first client that had it. `claimed`: a signed-in client gave it and has not proved it yet;
 * it signs that client in, but no other orders are assigned by it.
 */
export type ClientMailItem = PointerItem & { claimed?: true }

/** A stored password: base64 of scrypt's 32 bytes and of the salt, and how it was made. */
export type StoredPassword = { hash: string; salt: string; n: number; r: number; p: number }

/**
 * The account of a client; there is none before a mail was proved. `generation` counts its passwords: tokens and
 * hashes of earlier passwords are invalid.
 */
export type ClientAccessItem = StoredPassword & { generation: number }

/**
 * A one-time token that proves a mail address, by the digest of its hash: for a client, while its account is of that
 * generation (0 without an account), with the password and data of a registration, which it activates. Without a client
 * it proves nothing. Expires at `expires` (unix seconds).
 */
export type ClientHashItem = {
  client: number | null
  mail: string
  generation: number
  registered?: { password: StoredPassword; data: Partial<Client> }
  expires: number
}

/** A client's session; `expires` is unix seconds. */
export type ClientSessionItem = { client: number; generation: number; expires: number }

/**
 * Failed sign-ins of a source in its present window, which ends at `expires` (unix seconds, DynamoDB's TTL); `at` is the
 * time of the last failure (unix seconds).
 */
export type FailuresItem = { count: number; expires: number; at: number }

/** Marks a shop visitor that has signed a client in; expires at `expires` (unix seconds). */
export type ClientCallerItem = { expires: number }

/**
 * How a merchant writes the numbers of a kind of document: `n` is what the document's id exceeds `offset` by. `period` is the
 * year or month that it counts in; empty if the format names none. `from` is the `next_number` that was set, if it was.
 */
export type Series = { format: string; period: string; offset: number; from?: number }

/** The last id a merchant has given to a kind of document; they count up from 1 without gaps. Without a series the id is the number. */
export type CounterItem = { last: number; series?: Series }

/** The formats of numbers that a merchant has used before, each with the last `n` of its last period. */
export type FormerSeriesItem = VersionItem & {
  former: (Omit<Series, 'offset' | 'from'> & { counter: string; last: number })[]
}

/**
 * An order that is queued for its number, as compressed JSON of a `version`: the leader commits it, but not after `until`
 * (milliseconds). An order that cannot be committed has no `doc` any more; `rejected` says why. Deleted at `expires`
 * (unix seconds).
 */
export type QueuedOrderItem = {
  uuid: string
  doc?: Uint8Array
  version: string
  until: number
  rejected?: string
  expires: number
}

/** A record as one JSON text, which is cheaper to read than an attribute a field, and its version for conditions. */
export type RecordItem = { doc: string; version: number }

export type WineItem = RecordItem
export type ProductItem = RecordItem

/** The ingredients, nutrition and further facts of a wine. */
export type FactsItem = RecordItem

/** The electronic label of a wine, as its page shows it; it stays when the wine changes. */
export type LabelItem = { customers_id: number; doc: string }

/**
 * The expertise PDF of a wine. `key` names its object by its content; `date` is unix seconds; `wine` and `template` are
 * the wine's version and the template's date that a drawn sheet shows; links keep working by its last `names`.
 */
export type ExpertiseFile = {
  key: string
  bytes: number
  date: number
  supplied: boolean
  wine: number
  template: number
  /** The merchant's `tax_free` when the sheet was drawn. */
  tax_free?: 0 | 1
  names: string[]
}

/**
 * How far the changes of a merchant's catalogue are published: all versions up to `high` except the missing versions in
 * `gaps` (ascending; `since`: first seen missing, in milliseconds). `version` rises with every change of this item.
 */
export type PublicationItem = VersionItem & {
  high: number
  gaps: { from: number; to: number; since: number }[]
}

/** A merchant has unpublished changes since then (milliseconds); a change of this item starts the next run. */
export type BacklogItem = { since: number }

/**
 * An event of an order that the bus has not taken yet. `after` is when the order's event before it happened, in
 * milliseconds; 0 for its first event.
 */
export type OutboxItem = { type: OrderEventType; detail: OrderEventDetail; after: number }

/** The objects of a document as it was drawn; `xml` is null where it has none. */
export type DocumentFileItem = { pdf: string; xml: string | null }

/** The exclusive right to some work until `until`, in milliseconds. */
export type LeaseItem = { owner: string; until: number }

/** A wine as everybody sees it; a wine that is not public any more stays as a tombstone, so that indexes learn of it. */
export type PublicWineItem = { doc: string } | { removed: true }

/**
 * A file that may be uploaded for a record until `expires` (unix seconds). One commit processes it `until` then
 * (milliseconds); `done` once it was committed.
 */
export type UploadItem = Upload & { expires: number; until?: number; done?: true }

/** A grape; its id is in its key. */
export type GrapeItem = Omit<Grape, 'id'>

/** All packages of a merchant, so that an order reads them at once; `last` is the highest id ever given. */
export type PackagesItem = { packages: Package[]; last: number }

/** How many pieces are left of a wine or product that is counted. */
export type StockItem = { quantity: number }

/** An order as one JSON text; `version` rises with every change. */
export type OrderItem = RecordItem & { uuid: string }

/** A part of what an order sold: compressed JSON, below DynamoDB's 400 KB an item. */
export type OrderItemsPart = { doc: Uint8Array }

/**
 * The order, or the id of the record or credit advice, that a request with an Idempotency-Key added, and the hash of the
 * request; expires at `expires` (unix seconds).
 */
export type IdempotencyItem = { uuid: string; hash: string; id?: number; expires: number }

/** An item of a basket; its id is unique over all baskets of the merchant, `seen` is the gross price it was put in at. */
export type StoredBasketItem = {
  id: number
  item_type: 'wine' | 'product'
  item_id: number
  quantity: number
  seen?: string
}

/** The order of a basket, what version of the basket it took, and whether it waits for an external payment. */
export type BasketOrder = { uuid: string; hash: string; id?: number; version?: number; waits?: boolean }

/**
 * A basket; `ordered` closes it unless that order waits for a payment, `cancelled` names the order whose cancellation
 * opened it again. Until `pointersExpire` (unix seconds) every item is found by its id.
 */
export type BasketItem = {
  uuid: string
  items: StoredBasketItem[]
  version: number
  crstamp: string
  ordered?: BasketOrder
  cancelled?: string
  expires: number
  pointersExpire?: number
}

/** Leads from an item's id to its basket. */
export type BasketPointerItem = { uuid: string; expires: number }
