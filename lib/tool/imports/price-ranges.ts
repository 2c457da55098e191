import { readVersion } from '../../../shared/catalogue/record-versions.ts'
import { type PriceRange, priceRangeFields } from '../../../shared/contract/records/price-range.ts'
import { absent } from '../../../shared/platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { query } from '../../../shared/platform/table/table.ts'
import { put } from '../../../shared/platform/table/transact.ts'
import { planRows } from './plan.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind } from './run.ts'

/** A row of a price range file. */
export type PriceRangeRow = { name: string }

type State = { version: number; ranges: PriceRange[] }

/** Reads a merchant's price ranges, ordered by id. */
export const readPriceRanges = (merchant: MerchantId): Promise<PriceRange[]> =>
  query({ pk: partition('priceRange', { merchant }) })

const rowOf = ({ name }: PriceRange): PriceRangeRow => ({ name })

/** Price ranges in files: an import only adds. */
export const priceRanges: Kind<PriceRangeRow, PriceRange, State> = {
  name: 'price-ranges',
  keyed: 'a range is identified by its name',
  isWholeList: false,
  format: formatOf(priceRangeFields, ['name']),
  titleOf: ({ name }) => name,
  read: async merchant => {
    const version = await readVersion(merchant, 'price-ranges')
    return { version, ranges: await readPriceRanges(merchant) }
  },
  plan: ({ ranges }, rows, lines) =>
    planRows(ranges, rows, { column: 'name', single: 'that of a single price range', rowOf }, lines),
  writes: (merchant, { state: { version, ranges }, plan: { additions } }) => {
    const last = Math.max(0, ...ranges.map(({ id }) => id))
    const groups = additions.map(({ name }, n) => {
      const id = last + n + 1
      return [put(`range ${id}`, key('priceRange', { merchant, id }), { id, name }, { when: [absent] })]
    })
    return inVersions(merchant, 'price-ranges', version, groups)
  },
  exported: ({ ranges }) => ({ rows: ranges.map(rowOf), unnamed: 0 }),
}
