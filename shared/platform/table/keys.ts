import type { ItemKind } from '../../contract/item-kinds.ts'
import type { Address } from '../../contract/records/address.ts'
import type { Category } from '../../contract/records/category.ts'
import type { Client } from '../../contract/records/client.ts'
import type { PriceRange } from '../../contract/records/price-range.ts'
import type { Winery } from '../../contract/records/winery.ts'
import type * as items from './items.ts'

declare const merchantBrand: unique symbol
declare const itemType: unique symbol

/** A merchant's customers_id. Only sign-in and the operator's tool make it, so no key can lack its owner. */
export type MerchantId = number & { readonly [merchantBrand]: true }

/** The primary key of an item; it has the type of the item at this key. */
export type Key<Item = unknown> = { pk: string; sk: string; readonly [itemType]?: Item }

/** A partition key; it carries the type of the partition's items. */
export type Partition<Item = unknown> = string & { readonly [itemType]?: Item }

type Templates<Item, Pk, Sk, Index> = { pk: Pk; sk: Sk; index: Index; readonly [itemType]?: Item }

const item =
  <Item>() =>
  <const Pk extends string, const Sk extends string, const Index extends string | undefined = undefined>(
    pk: Pk,
    sk: Sk,
    index?: Index,
  ): Templates<Item, Pk, Sk, Index> => ({ pk, sk, index: index as Index })

/**
 * A row per kind of item: its type, its partition key, its sort key and, for some, its sort key in the
 * table's index. The only place where a key is spelled. `{name}` marks a part that the caller must supply, `{merchant}`
 * isolates merchants.
 */
export const keyTable = {
  directory: item<items.DirectoryItem>()('merchants', '{id}'),
  sequence: item<items.SequenceItem>()('sequences', '{name}'),
  merchant: item<items.MerchantItem>()('m#{merchant}#merchant', 'merchant'),
  numbers: item<items.CounterItem>()('m#{merchant}#numbers', '{counter}'),
  formerSeries: item<items.FormerSeriesItem>()('m#{merchant}#former-series', 'former'),
  leader: item<items.LeaseItem>()('m#{merchant}#leaders', '{counter}'),
  queuedOrder: item<items.QueuedOrderItem>()('m#{merchant}#queued-orders', '{moment}#{uuid}'),
  quota: item<items.QuotaItem>()('m#{merchant}#quotas', '{name}'),
  catalogue: item<items.CatalogueItem>()('m#{merchant}#catalogue', 'catalogue'),
  publication: item<items.PublicationItem>()('m#{merchant}#publication', 'publication'),
  backlog: item<items.BacklogItem>()('m#{merchant}#publication', 'backlog'),
  outbox: item<items.OutboxItem>()('m#{merchant}#outbox', 'event#{order}#{sequence}'),
  publisherLease: item<items.LeaseItem>()('m#{merchant}#publisher-leases', '{turn}'),
  wineEventProgress: item<items.PublicationItem>()('m#{merchant}#wine-events', 'progress'),
  client: item<Client>()('m#{merchant}#clients', '{id}'),
  clientNumbers: item<items.SequenceItem>()('m#{merchant}#client-numbers', 'last'),
  clientMail: item<items.ClientMailItem>()('m#{merchant}#client-mails', '{mail}'),
  clientAccess: item<items.ClientAccessItem>()('m#{merchant}#client-access', '{id}'),
  clientHash: item<items.ClientHashItem>()('m#{merchant}#client-hashes', '{digest}'),
  clientSession: item<items.ClientSessionItem>()('m#{merchant}#client-sessions', '{digest}'),
  clientCaller: item<items.ClientCallerItem>()('m#{merchant}#client-callers', '{client}#{digest}'),
  product: item<items.ProductItem>()('m#{merchant}#products', '{id}'),
  packages: item<items.PackagesItem>()('m#{merchant}#packages', 'packages'),
  priceRange: item<PriceRange>()('m#{merchant}#price-ranges', '{id}'),
  category: item<Category>()('m#{merchant}#categories', '{id}'),
  winery: item<Winery>()('m#{merchant}#wineries', '{id}'),
  grape: item<items.GrapeItem>()('m#{merchant}#grapes', '{id}'),
  recordsVersion: item<items.RecordsVersionItem>()('m#{merchant}#record-versions', '{kind}'),
  address: item<Address>()('m#{merchant}#addresses', '{id}', '{client}#{id}'),
  wine: item<items.WineItem>()('m#{merchant}#wines', '{id}', '{version}'),
  facts: item<items.FactsItem>()('m#{merchant}#facts', '{id}'),
  stock: item<items.StockItem>()('m#{merchant}#stock', '{type}#{id}'),
  sheetLease: item<items.LeaseItem>()('m#{merchant}#sheet-leases', '{wine}'),
  upload: item<items.UploadItem>()('m#{merchant}#uploads', '{file}'),
  slug: item<items.PointerItem>()('m#{merchant}#slugs', '{slug}'),
  order: item<items.OrderItem>()('m#{merchant}#orders', '{id}', '{client}#{id}'),
  orderItems: item<items.OrderItemsPart>()('m#{merchant}#order-items', '{order}#{part}'),
  orderUuid: item<items.PointerItem>()('m#{merchant}#order-uuids', '{uuid}'),
  documentFile: item<items.DocumentFileItem>()('m#{merchant}#documents', '{kind}#{id}'),
  idempotency: item<items.IdempotencyItem>()('m#{merchant}#idempotency', '{key}'),
  payment: item<items.PaymentItem>()('m#{merchant}#payments', '{uuid}', '{task}#{since}'),
  externalPayment: item<items.ExternalPaymentItem>()('m#{merchant}#external-payments', '{external}'),
  paymentOwner: item<items.OwnerItem>()('payment-owner#{payment}', 'owner'),
  webhookEvent: item<items.WebhookEventItem>()('m#{merchant}#webhook-events', '{event}'),
  sandboxPayment: item<items.SandboxPaymentItem>()('sandbox#{id}', 'payment'),
  basket: item<items.BasketItem>()('m#{merchant}#baskets', '{uuid}'),
  basketItem: item<items.BasketPointerItem>()('m#{merchant}#basket-items', '{id}'),
  wineOwner: item<items.OwnerItem>()('wine-owner#{id}', 'owner'),
  publicWine: item<items.PublicWineItem>()('public#{shard}', '{id}', '{version}'),
  publicVersion: item<items.VersionItem>()('public#{shard}', 'version'),
  publicSlug: item<items.MarkerItem>()('public-slugs', '{slug}#{id}'),
  publicHash: item<items.PointerItem>()('public-hashes', '{hash}'),
  label: item<items.LabelItem>()('label#{hash}', 'label'),
  credential: item<items.CredentialItem>()('credential#{id}', 'credential'),
  session: item<items.SessionItem>()('session#{digest}', 'session'),
  failures: item<items.FailuresItem>()('failures#{source}', 'failures'),
  rate: item<items.RateItem>()('rate#{owner}', '{name}'),
} as const satisfies Record<ItemKind, unknown>

export type ItemOf<K extends ItemKind> =
  (typeof keyTable)[K] extends Templates<infer Item, string, string, unknown> ? Item : never

type Holes<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never
type Part<Name> = Name extends 'merchant' ? MerchantId : string | number
type Parts<Template> = { [Name in Holes<Template>]: Part<Name> }
type PkOf<K extends ItemKind> = (typeof keyTable)[K]['pk']
type SkOf<K extends ItemKind> = (typeof keyTable)[K]['sk']
type IndexOf<K extends ItemKind> = (typeof keyTable)[K]['index']

/** The kinds in the table's index. */
export type IndexedKind = { [K in ItemKind]: IndexOf<K> extends string ? K : never }[ItemKind]

type GivenParts = Readonly<Record<string, string | number | undefined>>
type Write = (part: string | number) => string

// 2^53 has 16 digits: zero-padded, text order is number order.
const pad: Write = part => (typeof part === 'number' ? String(part).padStart(16, '0') : part)

const fill = (template: string, parts: GivenParts, write: Write): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name]
    if (part === undefined || part === '') throw new Error(`key part ${name} is missing`)
    return write(part)
  })

/** The template up to the first part that is not given. */
const fillStart = (template: string, parts: GivenParts): string => {
  // Stryker disable next-line StringLiteral: The types ask for it; what matches always has a name.
  const end = [...template.matchAll(/\{(\w+)\}/g)].find(([, name = '']) => parts[name] === undefined)
  return fill(template.slice(0, end?.index), parts, pad)
}

/** The partition key of a kind of item. */
export const partition = <K extends ItemKind>(kind: K, parts: Parts<PkOf<K>>): Partition<ItemOf<K>> =>
  fill(keyTable[kind].pk, parts, String)

/** The primary key of an item; numbers in sort keys are zero-padded. */
export const key = <K extends ItemKind>(kind: K, parts: Parts<PkOf<K> | SkOf<K>>): Key<ItemOf<K>> => ({
  pk: fill(keyTable[kind].pk, parts, String),
  sk: fill(keyTable[kind].sk, parts, pad),
})

/** The sort key of an item in the table's index. */
export const indexKey = <K extends IndexedKind>(kind: K, parts: Parts<IndexOf<K>>): string =>
  fill(keyTable[kind].index, parts, pad)

/** The prefix of a kind's sort keys, given the first of their parts. */
export const sortKeyPrefix = <K extends ItemKind>(kind: K, parts: Partial<Parts<SkOf<K>>>): string =>
  fillStart(keyTable[kind].sk, parts)

/** The prefix of a kind's sort keys in the table's index, given the first of their parts. */
export const indexKeyPrefix = <K extends IndexedKind>(kind: K, parts: Partial<Parts<IndexOf<K>>>): string =>
  fillStart(keyTable[kind].index, parts)

/** A number as in a sort key, for ranges. */
export const sortable = (value: number): string => pad(value)

/** The number that a sort key ends with. */
export const lastNumber = (sortKey: string): number => Number(sortKey.slice(sortKey.lastIndexOf('#') + 1))

/** The owner of an item or a session, by its customers_id or an entry of the directory. */
export const merchantIdOf = (customersId: number | string): MerchantId => Number(customersId) as MerchantId

/** The pattern that IAM's leading-keys condition holds for a kind of item. */
export const leadingKeys = (kind: ItemKind): string => keyTable[kind].pk.replace(/\{\w+\}/g, '*')

/** An item as DynamoDB has it, with the table's own attributes. */
export type Stored = Record<string, unknown>

/** The attribute that holds an item's sort key in the table's index, and that index. */
export const indexAttribute = 'lsi1sk'
export const indexName = 'lsi1'

const literal = /[.*+?^$()|[\]\\]/g

// A part that is filled in holds no line end; that it may be any text is why kinds without parts come first.
const patternOf = (kind: ItemKind): RegExp => {
  const { pk, sk } = keyTable[kind]
  return new RegExp(`^${`${pk}\n${sk}`.replace(literal, '\\$&').replace(/\{\w+\}/g, '.+')}$`)
}

const hasParts = (kind: ItemKind): number => (keyTable[kind].sk.includes('{') ? 1 : 0)

const patternsOfAll = (): (readonly [ItemKind, RegExp])[] =>
  (Object.keys(keyTable) as ItemKind[])
    .toSorted((a, b) => hasParts(a) - hasParts(b))
    .map(kind => [kind, patternOf(kind)] as const)

// Made when first needed, which is never in most functions.
let patterns: ReturnType<typeof patternsOfAll> | undefined

/** The kind of item at a key; undefined for an unknown key. */
export const itemKindOf = ({ pk, sk }: Stored): ItemKind | undefined => {
  patterns ??= patternsOfAll()
  return patterns.find(([, pattern]) => pattern.test(`${pk}\n${sk}`))?.[0]
}
