import { BoundedRecords, boundedPage, offsetOf, type Page, type WholePaging } from '../../contract/schema/lists.ts'
import type { Condition, Filter, Query, SortOrder } from '../../contract/schema/wine-query.ts'
import { shortText } from '../../contract/schema/wire.ts'
import type { Criteria, SearchIndex } from '../../search/search-index.ts'
import { withShortTexts } from '../../values/text.ts'

/** The parameters of every list of wines, parsed by the contract. */
export type WineList = WholePaging & {
  max?: number | null | undefined
  /** 1 cuts long texts. */
  short?: 0 | 1 | null | undefined
  query?: Query | undefined
  filter?: Filter | undefined
  orderBy?: SortOrder | undefined
  /** True if the list comes whole unless it names a pageSize. */
  isWhole?: boolean
}

const defaultSize = 16
const pageBytes = 2_000_000
// The names of a wine's fields alone take a kilobyte: no page has room for as many.
const maxRead = 2000

// `max` limits a list that names no pageSize; like pageSize, it is 100 at most.
const sizeOf = ({ pageSize, max, isWhole }: WineList): number => {
  if (pageSize) return pageSize
  if (isWhole) return Number.MAX_SAFE_INTEGER
  return max ? Math.min(max, 100) : defaultSize
}

/** How many wines are read at a time. A wine takes about its bytes in the index; too small a step costs a request more. */
const stepOf = ({ bytes, size }: SearchIndex): number =>
  Math.max(defaultSize, Math.min(100, Math.ceil((pageBytes * size) / Math.max(1, bytes))))

/** The restrictions of a route, in addition to the filter of its caller. */
export type Narrowing = Pick<Criteria, 'flags'> & { conditions?: Condition[] }

/** The criteria of a list: those of its caller and those of the route. */
export const criteriaOf = ({ query, filter = [] }: WineList, { flags, conditions = [] }: Narrowing): Criteria => ({
  filter: [...filter, ...conditions],
  ...(query && { query }),
  ...(flags && { flags }),
})

/** Reads the records of wines by their ids; undefined for a wine that no longer exists. */
type Read<One> = (ids: readonly number[]) => Promise<(One | undefined)[]>

async function* readInSteps<One>(
  ids: readonly number[],
  step: number,
  read: Read<One>,
  isShort: boolean,
): AsyncGenerator<One> {
  for (let at = 0; at < ids.length; at += step) {
    for (const one of await read(ids.slice(at, at + step)))
      if (one) yield isShort ? withShortTexts(one, shortText) : one
  }
}

/** Finds a page and reads its records. The page ends early where the wines are too large. */
export const findPage = <One>(
  index: SearchIndex,
  asked: WineList,
  narrowing: Narrowing,
  read: Read<One>,
): Promise<Page<One>> => {
  const { page, orderBy, start: first, short } = asked
  const size = sizeOf(asked)
  const limit = (asked.pageSize ? null : asked.max) ?? Number.POSITIVE_INFINITY
  const start = offsetOf({ page, pageSize: size, start: first })
  const { total, ids } = index.search({
    ...criteriaOf(asked, narrowing),
    start,
    max: Math.max(0, Math.min(size, maxRead, limit - start)),
    ...(orderBy && { order: orderBy }),
  })
  const totalCount = Math.min(total, limit)
  const pageSize = asked.isWhole && !asked.pageSize ? Math.max(1, totalCount) : size
  const records = readInSteps(ids, stepOf(index), read, short === 1)
  return boundedPage(
    { page, pageSize, start: first },
    totalCount,
    records,
    new BoundedRecords<One>({ isRepeated: true }),
  )
}
