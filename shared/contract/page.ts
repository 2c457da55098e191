/** Where a page stands in its list; `total` is the number of the last page. */
export type Pages = { current: number; total: number; size: number }

/** One page of a list, as list routes return it. */
export type Page<T> = { data: T[]; totalCount: number; pages: Pages }

/** A page of a list of `totalCount` elements. */
export const pageOf = <T>(data: T[], totalCount: number, page: number, pageSize: number): Page<T> => ({
  data,
  totalCount,
  pages: { current: page, total: Math.max(1, Math.ceil(totalCount / pageSize)), size: pageSize },
})

/** A whole list in one page. */
export const wholeList = <T>(data: T[]): Page<T> => pageOf(data, data.length, 1, Math.max(1, data.length))
