import {
  exportPriceRanges,
  type PriceRangeRow,
  planPriceRanges,
  priceRangeFormat,
} from '../../../shared/price-ranges/import.ts'
import type { PriceRange } from '../../../shared/price-ranges/record.ts'
import { absent } from '../../../shared/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/table/keys.ts'
import { query } from '../../../shared/table/table.ts'
import { put } from '../../../shared/table/transact.ts'
import { importRecords, type Kind } from './import-records.ts'

/** Reads a merchant's price ranges by id. */
export const readPriceRanges = (merchant: MerchantId): Promise<PriceRange[]> =>
  query({ pk: partition('priceRange', { merchant }) })

/** Price ranges as files bring them: an import adds, and changes nothing. */
export const priceRanges: Kind<PriceRangeRow, PriceRange, PriceRange[]> = {
  name: 'price-ranges',
  keyed: 'a range is known by its name',
  isWholeList: false,
  format: priceRangeFormat,
  titleOf: ({ name }) => name,
  read: readPriceRanges,
  plan: planPriceRanges,
  actions: async (merchant, { state, plan }) => {
    const last = Math.max(0, ...state.map(({ id }) => id))
    return plan.additions.map(({ name }, n) => {
      const id = last + n + 1
      return [put(`range ${id}`, key('priceRange', { merchant, id }), { id, name }, { when: [absent] })]
    })
  },
  exported: state => ({ rows: exportPriceRanges(state), unnamed: 0 }),
}

/** The price ranges of a merchant after those of the given names that were missing have been added. */
export const ensurePriceRanges = async (
  merchant: MerchantId,
  present: PriceRange[],
  names: Iterable<string>,
): Promise<PriceRange[]> => {
  const known = new Set(present.map(({ name }) => name))
  const missing = [...new Set(names)].filter(name => !known.has(name))
  if (missing.length === 0) return present
  await importRecords(
    merchant,
    priceRanges,
    missing.map(name => ({ name })),
  )
  return readPriceRanges(merchant)
}
