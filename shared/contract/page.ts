/**
 * Where a page stands in its list: `total` is the number of the last page, `size` how many records a page has. A page
 * that ended early has as many as `size` says, and `next` where the list goes on.
 */
type Pages = { current: number; total: number; size: number; next?: { start: number } }

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

// Lambda takes 6 MB of an answer as JSON, in which the body's JSON is a text: escaped once more, at most twice as long.
const maxBytesTwice = 1_500_000 - 1_000

/** The records of a page: as many as one response can hold, but at least one. */
export class PageRoom<T> {
  readonly data: T[] = []
  /** Whether a record was left out. */
  isFull = false
  private left: number

  /** `isRepeated`: the answer may have the records twice, under another name as well. */
  constructor({ isRepeated = false } = {}) {
    this.left = isRepeated ? maxBytesTwice : maxBytes
  }

  /** Puts a record in if there is room; says whether there was. After one that was left out, all are. */
  take(record: T): boolean {
    if (this.isFull) return false
    // A comma stands between two.
    this.left -= Buffer.byteLength(JSON.stringify(record)) + 1
    if (this.data.length > 0 && this.left < 0) this.isFull = true
    else this.data.push(record)
    return !this.isFull
  }
}

/** A page of a list of `totalCount` elements, of what there was room for. */
export const pageIn = <T>(wanted: WantedPage, totalCount: number, { data, isFull }: PageRoom<T>): Page<T> => {
  const { page, pageSize, start } = wanted
  const isByStart = typeof start === 'number'
  const end = recordsBefore(wanted) + data.length
  const { pages, ...whole } = pageOf(data, totalCount, isByStart ? Math.floor(start / pageSize) + 1 : page, pageSize)
  // Who goes on by `start` is told so until the list is at its end.
  const goesOn = isFull || (isByStart && data.length > 0 && end < totalCount)
  return {
    ...whole,
    pages: { ...pages, ...(isFull && { size: data.length }), ...(goesOn && { next: { start: end } }) },
  }
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
  room = new PageRoom<T>(),
): Promise<Page<T>> => {
  for await (const record of records) if (!room.take(record)) break
  return pageIn(wanted, totalCount, room)
}
