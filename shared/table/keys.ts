declare const brand: unique symbol

/** A merchant's customers_id. Only sign-in and the operator's tool make one, so no key can lack its owner. */
export type MerchantId = number & { readonly [brand]: 'merchant' }

/**
 * One row per kind of item; the only place where a key is spelled. `{name}` marks a part that the caller must supply,
 * `{merchant}` is the wall between merchants. `by` is the sort key of the local index `by-order`.
 */
export const keyTable = {
  directory: { pk: 'merchants', sk: '{id}' },
  sequence: { pk: 'sequences', sk: '{name}' },
  merchant: { pk: 'm#{merchant}#merchant', sk: 'merchant' },
  numbers: { pk: 'm#{merchant}#numbers', sk: 'numbers' },
  catalogue: { pk: 'm#{merchant}#catalogue', sk: 'catalogue' },
  client: { pk: 'm#{merchant}#clients', sk: '{id}' },
  product: { pk: 'm#{merchant}#products', sk: '{id}' },
  packages: { pk: 'm#{merchant}#packages', sk: 'packages' },
  priceRange: { pk: 'm#{merchant}#price-ranges', sk: '{id}' },
  category: { pk: 'm#{merchant}#categories', sk: '{id}' },
  winery: { pk: 'm#{merchant}#wineries', sk: '{id}' },
  grape: { pk: 'm#{merchant}#grapes', sk: '{id}' },
  imports: { pk: 'm#{merchant}#imports', sk: '{kind}' },
  address: { pk: 'm#{merchant}#addresses', sk: '{id}', by: '{client}#{id}' },
  wine: { pk: 'm#{merchant}#wines', sk: '{id}', by: '{version}' },
  stock: { pk: 'm#{merchant}#stock', sk: '{type}#{id}' },
  slug: { pk: 'm#{merchant}#slugs', sk: '{slug}' },
  order: { pk: 'm#{merchant}#orders', sk: '{id}' },
  orderItems: { pk: 'm#{merchant}#order-items', sk: '{order}#{part}' },
  orderUuid: { pk: 'm#{merchant}#order-uuids', sk: '{uuid}' },
  idempotency: { pk: 'm#{merchant}#idempotency', sk: '{key}' },
  payment: { pk: 'm#{merchant}#payments', sk: '{uuid}', by: '{task}#{since}' },
  sandboxPayment: { pk: 'sandbox#{id}', sk: 'payment' },
  basket: { pk: 'm#{merchant}#baskets', sk: '{uuid}' },
  basketItem: { pk: 'm#{merchant}#basket-items', sk: '{id}' },
  publicWine: { pk: 'public#{shard}', sk: '{id}', by: '{version}' },
  publicVersion: { pk: 'public#{shard}', sk: 'version' },
  publicSlug: { pk: 'public-slugs', sk: '{slug}#{id}' },
  publicHash: { pk: 'public-hashes', sk: '{hash}' },
  credential: { pk: 'credential#{id}', sk: 'credential' },
  session: { pk: 'session#{digest}', sk: 'session' },
  failures: { pk: 'failures#{source}', sk: 'failures' },
} as const satisfies Record<string, { pk: string; sk: string; by?: string }>

export type ItemKind = keyof typeof keyTable

type Holes<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never
type Part<Name> = Name extends 'merchant' ? MerchantId : string | number
type Parts<Template> = { [Name in Holes<Template>]: Part<Name> }
type KeyParts<S extends ItemKind> = Parts<(typeof keyTable)[S]['pk' | 'sk']>
type ByOf<S extends ItemKind> = (typeof keyTable)[S] extends { by: infer By } ? By : never

export type Key = { pk: string; sk: string }

// 2^53 has 16 digits: zero-padded, text order is number order.
const padded = (part: string | number): string => (typeof part === 'number' ? String(part).padStart(16, '0') : part)

const fill = (
  template: string,
  parts: Record<string, string | number>,
  write: (part: string | number) => string,
): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name]
    if (part === undefined || part === '') throw new Error(`key part ${name} is missing`)
    return write(part)
  })

/** The partition key of one kind of item. */
export const partition = <S extends ItemKind>(shape: S, parts: Parts<(typeof keyTable)[S]['pk']>): string =>
  fill(keyTable[shape].pk, parts as Record<string, string | number>, String)

/** The primary key of one item; numbers in sort keys are zero-padded. */
export const key = <S extends ItemKind>(shape: S, parts: KeyParts<S>): Key => ({
  pk: fill(keyTable[shape].pk, parts as Record<string, string | number>, String),
  sk: fill(keyTable[shape].sk, parts as Record<string, string | number>, padded),
})

/** The sort key of one item in the index `by-order`. */
export const indexKey = <S extends ItemKind>(shape: S, parts: Parts<ByOf<S>>): string =>
  fill((keyTable[shape] as { by: string }).by, parts as Record<string, string | number>, padded)

/** A sort key of a number on its own, for ranges and prefixes. */
export const sortable = (value: number): string => padded(value)

/** The pattern that IAM's leading-keys condition holds for one kind of item. */
export const leadingKeys = (shape: ItemKind): string => keyTable[shape].pk.replace(/\{\w+\}/g, '*')
