/**
 * Where a page stands in its list: `total` is the number of the last page, `size` how many records a page has. A page
 * that ended early has as many as `size` says, and `next` where the list goes on.
 */
export type Pages = { current: number; total: number; size: number; next?: { start: number } }

/** One page of a list, as list routes return it. */
export type Page<T> = { data: T[]; totalCount: number; pages: Pages }

/** Which page of a list is wanted: its number (from 1), or how many records to skip; `pageSize` records at most. */
export type WantedPage = { page: number; pageSize: number; start?: number | null | undefined }

/** How many records of its list stand before a page. */
export const recordsBefore = ({ page, pageSize, start }: WantedPage): number => start ?? (page - 1) * pageSize

/** A page of a list of `totalCount` elements. */
export const pageOf = <T>(data: T[], totalCount: number, page: number, pageSize: number): Page<T> => ({
  data,
  totalCount,
  pages: { current: page, total: Math.max(1, Math.ceil(totalCount / pageSize)), size: pageSize },
})

/** A whole list in one page. */
export const wholeList = <T>(data: T[]): Page<T> => pageOf(data, data.length, 1, Math.max(1, data.length))

// A page may hold 2 MB of JSON; what stands around its records takes less than the rest.
const maxBytes = 2_000_000 - 1_000

/** The first of the records, as many as one response can hold but at least one; reads one record more than that at most. */
const fitting = async <T>(records: AsyncIterable<T> | Iterable<T>): Promise<{ data: T[]; isCut: boolean }> => {
  const data: T[] = []
  let bytes = 0
  for await (const record of records) {
    // A comma stands between two.
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1
    if (data.length > 0 && bytes > maxBytes) return { data, isCut: true }
    data.push(record)
  }
  return { data, isCut: false }
}

/**
 * A page of a list of `totalCount` elements, from the records that begin where the page does. It ends early where one
 * more record would make the response too large, and takes no more from `records` then: a generator that reads as it
 * goes holds a few records in memory, not all.
 */
export const boundedPage = async <T>(
  wanted: WantedPage,
  totalCount: number,
  records: AsyncIterable<T> | Iterable<T>,
): Promise<Page<T>> => {
  const { page, pageSize, start } = wanted
  const isByStart = typeof start === 'number'
  const { data, isCut } = await fitting(records)
  const end = recordsBefore(wanted) + data.length
  const { pages, ...whole } = pageOf(data, totalCount, isByStart ? Math.floor(start / pageSize) + 1 : page, pageSize)
  // Who goes on by `start` is told so until the list is at its end.
  const goesOn = isCut || (isByStart && data.length > 0 && end < totalCount)
  return {
    ...whole,
    pages: { ...pages, ...(isCut && { size: data.length }), ...(goesOn && { next: { start: end } }) },
  }
}
