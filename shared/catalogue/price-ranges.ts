import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../contract/errors.ts'
import type { NewPriceRange, PriceRange } from '../contract/records/price-range.ts'
import { type Page, type WholePaging, wholePage } from '../contract/schema/lists.ts'
import type { Keyed } from '../merchants/idempotency.ts'
import { checkRoom } from '../merchants/quotas.ts'
import { absent, hasVersion } from '../platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../platform/table/keys.ts'
import { getItem, query, queryPages } from '../platform/table/table.ts'
import { type Action, check, put } from '../platform/table/transact.ts'
import { type Added, addRecord, changeRecords, raiseFrom } from './record-versions.ts'
import { checkName } from './segments.ts'
import { readRecordsVersion } from './versions.ts'

/** Reads a merchant's price ranges, ordered by id. */
export const readPriceRanges = (merchant: MerchantId): Promise<PriceRange[]> =>
  query({ pk: partition('priceRange', { merchant }) })

export const listPriceRanges = async (merchant: MerchantId, asked: WholePaging): Promise<Page<PriceRange>> =>
  wholePage(await readPriceRanges(merchant), asked)

/** New price ranges after those that exist. */
export const newPriceRanges = (present: readonly PriceRange[], all: readonly NewPriceRange[]): PriceRange[] => {
  const last = Math.max(0, ...present.map(({ id }) => id))
  return all.map(({ name }, n) => ({ id: last + n + 1, name }))
}

/** Writes a price range, in a transaction that raises the version of the kind. */
export const priceRangeAction = (merchant: MerchantId, range: PriceRange, isNew = false): Action =>
  put(`range ${range.id}`, key('priceRange', { merchant, id: range.id }), range, { when: isNew ? [absent] : [] })

/** Adds a price range, once by its Idempotency-Key. Throws name_taken, quota_exceeded or idempotency_key_reused. */
export const addPriceRange = (merchant: MerchantId, keyed: Keyed<NewPriceRange>): Promise<Added<PriceRange>> =>
  addRecord(merchant, 'price-ranges', keyed, {
    read: async id => {
      const range = await getItem(key('priceRange', { merchant, id }))
      if (!range) throw new Problem('price_range_not_found')
      return range
    },
    add: async () => {
      const present = await readPriceRanges(merchant)
      checkName('price range', keyed.change, present)
      await checkRoom(merchant, 'price_ranges', present)
      const [result] = newPriceRanges(present, [keyed.change]) as [PriceRange]
      return { actions: [priceRangeAction(merchant, result, true)], result }
    },
  })

// A wine may show later than the version of the catalogue that a transaction writes with it.
const showMs = 500

const kinds = ['product', 'wine'] as const

/** True if a product or wine has a price for a range. */
const isUsed = async (merchant: MerchantId, id: number): Promise<boolean> => {
  for (const kind of kinds) {
    for await (const page of queryPages({ pk: partition(kind, { merchant }) })) {
      const records: { prices?: { price_range_id: number }[] }[] = page.map(({ item }) => JSON.parse(item.doc))
      if (records.some(({ prices = [] }) => prices.some(one => one.price_range_id === id))) return true
    }
  }
  return false
}

// Each try reads all products and wines.
const renameTries = 3

/**
 * Renames a price range. Wines and products contain its name with each price, and all of them cannot be written in one
 * transaction: a range with prices keeps its name. Throws price_range_not_found, name_taken or price_range_in_use, and
 * TransactionRefused if wines or products are written all the time.
 */
export const renamePriceRange = (merchant: MerchantId, id: number, { name }: NewPriceRange): Promise<PriceRange> => {
  const rename = async () => {
    const [catalogue, products, present] = await Promise.all([
      getItem(key('catalogue', { merchant })),
      readRecordsVersion(merchant, 'products'),
      readPriceRanges(merchant),
    ])
    const range = present.find(one => one.id === id)
    if (!range) throw new Problem('price_range_not_found')
    if (range.name === name) return { actions: [], result: range }
    checkName('price range', { name }, present)
    await pause(showMs)
    if (await isUsed(merchant, id)) throw new Problem('price_range_in_use')
    const result = { id, name }
    const action = priceRangeAction(merchant, result)
    // No wine and no product was written since the look at their prices, and those being written read the name again.
    const unchanged = [
      check('catalogue', key('catalogue', { merchant }), [hasVersion(catalogue?.version ?? 0)]),
      raiseFrom(merchant, 'products', products, [action]),
    ]
    return { actions: [action, ...unchanged], result }
  }
  return changeRecords(merchant, 'price-ranges', rename, renameTries)
}
