import { type BadField, Problem } from '../contract/errors.ts'
import { validationProblem } from '../contract/refusal.ts'
import type { NewWine, WineChange } from '../contract/wine-data.ts'
import { TransactionRefused } from '../table/failures.ts'
import { type Key, key, type MerchantId } from '../table/keys.ts'
import { getItem, getItems, updateItem } from '../table/table.ts'
import { retrying } from '../table/transact.ts'
import { timestamp } from '../time.ts'
import { bareWine } from './apply-row.ts'
import { manyTries } from './change.ts'
import { type WineItem, wineOf, wireWine } from './item.ts'
import { type NamedRecords, withData, withoutTranslation, withTranslation } from './merge.ts'
import { shardOf, wineIdOf } from './public.ts'
import type { StoredWine, Winery } from './record.ts'
import { type Versions, type WineWrite, writeWines } from './write.ts'

type Data = Partial<NewWine> & WineChange
type Reference = { path: string; key: Key; what: string }

const referencesOf = (
  merchant: MerchantId,
  { winery_id, categoryIds = [], prices = [], origin_id }: Data,
): Reference[] => [
  ...(winery_id ? [{ path: 'data.winery_id', key: key('winery', { merchant, id: winery_id }), what: 'a winery' }] : []),
  ...(origin_id ? [{ path: 'data.origin_id', key: key('wine', { merchant, id: origin_id }), what: 'a wine' }] : []),
  ...categoryIds.map((id, n) => ({
    path: `data.categoryIds.${n}`,
    key: key('category', { merchant, id }),
    what: 'a category',
  })),
  ...prices.map(({ price_range_id: id }, n) => ({
    path: `data.prices.${n}.price_range_id`,
    key: key('priceRange', { merchant, id }),
    what: 'a price range',
  })),
]

const missing = (references: readonly Reference[]): Problem => {
  const fields: BadField[] = references.map(({ path, what }) => ({
    path,
    rule: 'reference',
    expected: `the id of ${what}`,
  }))
  return new Problem('reference_not_found', {
    details: `${fields[0]?.path} must be ${fields[0]?.expected}`,
    fields: fields.slice(0, 20),
  })
}

type State = { wine: StoredWine | null; versions: Versions; named: NamedRecords; origin: StoredWine | null }

const plain = <T>(item: Item): T => {
  const { pk, sk, ...record } = item
  return record as T
}

type Item = Record<string, unknown>

/** Reads a wine, the catalogue's versions and all records that a change names, in one request. */
const readState = async (merchant: MerchantId, id: number | null, data: Data): Promise<State> => {
  const references = referencesOf(merchant, data)
  const [catalogue, shard, wineItem, ...found] = await getItems<Item>([
    key('catalogue', { merchant }),
    key('publicVersion', { shard: shardOf(merchant) }),
    // A new wine has no item yet; reading the catalogue twice costs nothing.
    id === null ? key('catalogue', { merchant }) : key('wine', { merchant, id }),
    ...references.map(reference => reference.key),
  ])
  const lost = references.filter((_, n) => found[n] === undefined)
  if (lost.length > 0) throw missing(lost)
  const itemAt = (path: string) => found[references.findIndex(reference => reference.path === path)]
  const ranges = (data.prices ?? []).map(
    (price, n) => [price.price_range_id, itemAt(`data.prices.${n}.price_range_id`)?.name as string] as const,
  )
  const winery = itemAt('data.winery_id')
  const origin = itemAt('data.origin_id')
  return {
    wine: id === null || !wineItem ? null : wineOf(wineItem),
    versions: { catalogue: Number(catalogue?.version ?? 0), shard: Number(shard?.version ?? 0) },
    named: { winery: winery ? plain<Winery>(winery) : null, priceRanges: new Map(ranges) },
    origin: origin ? wineOf(origin) : null,
  }
}

const notTranslation = (): Problem => {
  const expected = 'the id of another, original wine in another language'
  return new Problem('reference_not_found', {
    details: `data.origin_id must be ${expected}`,
    fields: [{ path: 'data.origin_id', rule: 'translation', expected }],
  })
}

const sameLanguage = (): Problem =>
  validationProblem([
    { path: 'data.language', rule: 'translation', expected: 'another language than that of a translation' },
  ])

const readOriginal = async (merchant: MerchantId, id: number | null): Promise<StoredWine | null> => {
  const item = id === null ? undefined : await getItem<WineItem>(key('wine', { merchant, id }))
  return item ? wineOf(item) : null
}

/** An original with a wine in its list. Throws when the wine cannot be its translation. */
const joined = (original: StoredWine, wine: StoredWine): StoredWine => {
  const isChained = original.id === wine.id || original.origin_id !== null || wine.translations.length > 0
  if (isChained || original.language === wine.language) throw notTranslation()
  return withTranslation(original, wine)
}

/** The writes of originals whose list of translations changes by a wine: the one it is in, and the one it left. */
const originalWrites = async (
  merchant: MerchantId,
  { before, after }: WineWrite,
  origin: StoredWine | null,
): Promise<WineWrite[]> => {
  const left = before?.origin_id === after.origin_id ? null : await readOriginal(merchant, before?.origin_id ?? null)
  const original = origin ?? (await readOriginal(merchant, after.origin_id))
  const changes = [
    ...(original ? [{ before: original, after: joined(original, after) }] : []),
    ...(left ? [{ before: left, after: withoutTranslation(left, after.id) }] : []),
  ]
  if (after.translations.some(({ language }) => language === after.language)) throw sameLanguage()
  return changes
    .filter(change => change.after !== change.before)
    .map(change => ({
      before: change.before,
      after: { ...change.after, version: change.before.version + 1, chstamp: after.chstamp },
    }))
}

const write = async (merchant: MerchantId, writes: readonly WineWrite[], versions: Versions): Promise<void> => {
  await writeWines(merchant, writes, versions).catch(error => {
    const id = writes[0]?.after.id
    const isTaken = error instanceof TransactionRefused && error.failed(`slug ${id}`) && !error.failed('catalogue')
    throw isTaken
      ? new Problem('slug_taken', {
          fields: [{ path: 'data.name', rule: 'slug_taken', expected: 'a name no other wine has' }],
        })
      : error
  })
}

const newId = async (merchant: MerchantId): Promise<number> => {
  const { value } = await updateItem<{ value: number }>(key('sequence', { name: 'wines' }), { add: { value: 1 } })
  return wineIdOf(merchant, value)
}

// Whatever else failed, somebody was faster: read again.
const always = () => true

/** Adds a wine. Throws reference_not_found, price_inconsistent, slug_taken or validation_failed. */
export const addWine = async (merchant: MerchantId, cruser_id: number, data: NewWine) => {
  const id = await newId(merchant)
  return retrying(
    async () => {
      const { versions, named, origin } = await readState(merchant, null, data)
      const now = timestamp(Date.now())
      const bare = bareWine({ id, customers_id: merchant, cruser_id, path_segment: '', now })
      const addition = { before: null, after: withData(bare, data, named) }
      await write(merchant, [addition, ...(await originalWrites(merchant, addition, origin))], versions)
      return wireWine(addition.after)
    },
    always,
    manyTries,
  )
}

/** Changes the given fields of a wine. Throws wine_not_found, version_conflict, nothing_to_change and what addWine throws. */
export const editWine = async (merchant: MerchantId, id: number, data: WineChange) => {
  const { version, ...fields } = data
  if (Object.keys(fields).length === 0) throw new Problem('nothing_to_change')
  return retrying(
    async () => {
      const { wine, versions, named, origin } = await readState(merchant, id, data)
      if (!wine) throw new Problem('wine_not_found')
      if (version !== undefined && version !== wine.version) throw new Problem('version_conflict')
      const now = timestamp(Date.now())
      const after = { ...withData(wine, data, named), version: wine.version + 1, chstamp: now }
      const change = { before: wine, after }
      await write(merchant, [change, ...(await originalWrites(merchant, change, origin))], versions)
      return wireWine(after)
    },
    always,
    manyTries,
  )
}
