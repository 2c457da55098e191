import { newPriceRanges, priceRangeAction, readPriceRanges } from '../../../shared/catalogue/price-ranges.ts'
import { readRecordsVersion } from '../../../shared/catalogue/versions.ts'
import { type PriceRange, priceRangeFields } from '../../../shared/contract/records/price-range.ts'
import { checkRoom } from '../../../shared/merchants/quotas.ts'
import { planRows } from './plan.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind } from './run.ts'

/** A row of a price range file. */
export type PriceRangeRow = { name: string }

type State = { version: number; ranges: PriceRange[] }

const rowOf = ({ name }: PriceRange): PriceRangeRow => ({ name })

/** Price ranges in files: an import only adds. */
export const priceRanges: Kind<PriceRangeRow, PriceRange, State> = {
  name: 'price-ranges',
  keyed: 'a range is identified by its name',
  format: formatOf(priceRangeFields, ['name']),
  titleOf: ({ name }) => name,
  read: async merchant => {
    const version = await readRecordsVersion(merchant, 'price-ranges')
    return { version, ranges: await readPriceRanges(merchant) }
  },
  plan: ({ ranges }, rows, lines) =>
    planRows(ranges, rows, { column: 'name', single: 'that of a single price range', rowOf }, lines),
  writes: async function* (merchant, { state: { version, ranges }, plan: { additions } }) {
    await checkRoom(merchant, 'price_ranges', ranges, additions.length)
    const groups = newPriceRanges(ranges, additions).map(range => [priceRangeAction(merchant, range, true)])
    yield* inVersions(merchant, 'price-ranges', version, groups)
  },
  exportRows: ({ ranges }) => ({ rows: ranges.map(rowOf), leftOut: 0 }),
}
