import { type ConsumerInformation, withInformation } from '../../contract/records/consumer-information.ts'
import type { PublicWine } from '../../contract/records/wine.ts'
import type { FilterField } from '../../contract/records/wine-fields.ts'
import type { Page } from '../../contract/schema/lists.ts'
import type { Condition } from '../../contract/schema/wine-query.ts'
import type { Merchant, PublicWineItem } from '../../platform/table/items.ts'
import { type Key, key, merchantIdOf } from '../../platform/table/keys.ts'
import { getItems } from '../../platform/table/table.ts'
import { asSoldBy } from '../../values/money.ts'
import { withIndex } from '../search/instance-cache.ts'
import { publicScope } from '../search/scopes.ts'
import { findPage, type WineList } from './find-page.ts'
import { publicWineOf, shardOf } from './stored.ts'

// Publishing takes one to two seconds more; caches keep an answer for up to five.
const publicLagMs = 1500

/** The merchants of wines by their ids, as they are now. */
const sellersOf = async (wines: readonly (PublicWine | undefined)[]): Promise<ReadonlyMap<number, Merchant>> => {
  const ids = [...new Set(wines.flatMap(wine => (wine ? [wine.customers_id] : [])))]
  const found = await getItems(
    ids.map(id => key('merchant', { merchant: merchantIdOf(id) })),
    { eventual: true },
  )
  return new Map(found.flatMap(one => (one ? [[one.id, one] as const] : [])))
}

/** Lists publicly visible wines. */
export const listPublic = async (
  asked: WineList & { winery_id?: number | null | undefined },
): Promise<Page<PublicWine & ConsumerInformation>> => {
  const conditions: Condition[] = asked.winery_id ? [{ field: 'winery_id', keys: [asked.winery_id] }] : []
  return withIndex(publicScope, publicLagMs, async index =>
    // From the table, not as the index has them: a wine may have been hidden since.
    findPage(index, asked, { conditions }, async ids => {
      const keys: Key<PublicWineItem>[] = ids.map(id => key('publicWine', { shard: shardOf(id), id }))
      const items = await getItems(keys, { eventual: true })
      const wines = items.map(item => (item && 'doc' in item ? publicWineOf(item) : undefined))
      const sellers = await sellersOf(wines)
      return wines.map(wine => wine && withInformation(asSoldBy(sellers.get(wine.customers_id) ?? {}, wine)))
    }),
  )
}

/** The distinct values of fields, sorted; `cut` names the fields whose last values were left out. */
type FilterValues = { data: Record<string, (string | number)[]>; cut?: string[] }

// Lambda takes 6 MB of an answer, in which this JSON is a text, escaped once more.
const maxBytes = 2_000_000 - 10_000

const bytesOf = (value: string | number): number => Buffer.byteLength(JSON.stringify(value)) + 1

/** The first values that fit into a number of bytes. */
const takeFitting = (values: readonly (string | number)[], bytes: number) => {
  let left = bytes
  const end = values.findIndex(value => {
    left -= bytesOf(value)
    return left < 0
  })
  return { values: end < 0 ? [...values] : values.slice(0, end), isWhole: end < 0 }
}

/** As many of the values as one answer can hold: fields with few of them whole, of the others the first values. */
export const boundedValues = (
  values: Readonly<Record<string, readonly (string | number)[]>>,
  bytes = maxBytes,
): FilterValues => {
  const fields = Object.keys(values)
  const shortFirst = fields.toSorted((one, other) => (values[one]?.length ?? 0) - (values[other]?.length ?? 0))
  const kept = new Map<string, (string | number)[]>()
  const cut: string[] = []
  let left = bytes
  for (const [n, field] of shortFirst.entries()) {
    const { values: some, isWhole } = takeFitting(values[field] ?? [], left / (fields.length - n))
    kept.set(field, some)
    left -= some.reduce<number>((sum, value) => sum + bytesOf(value), 0)
    if (!isWhole) cut.push(field)
  }
  const data = Object.fromEntries(fields.map(field => [field, kept.get(field) ?? []]))
  return { data, ...(cut.length > 0 && { cut: fields.filter(field => cut.includes(field)) }) }
}

/** The distinct values of fields over publicly visible wines, as many as one answer can hold. */
export const publicFilters = async (fields: readonly FilterField[]): Promise<FilterValues> =>
  boundedValues(await withIndex(publicScope, publicLagMs, async index => index.distinct(fields)))
