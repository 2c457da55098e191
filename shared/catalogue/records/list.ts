import { boundedPage, type Page, PageRoom, recordsBefore } from '../../contract/page.ts'
import type { SortTerm } from '../../contract/sort-order.ts'
import { shortText } from '../../contract/wire.ts'
import { inGerman, withShortTexts } from '../../values/text.ts'

/** What the list of a few records may be asked; without a pageSize it comes whole, as far as one response holds it. */
export type AskedList<R> = {
  page: number
  pageSize?: number | null | undefined
  start?: number | null | undefined
  max?: number | null | undefined
  short?: 0 | 1 | null | undefined
  orderBy?: readonly SortTerm<Extract<keyof R, string>>[] | undefined
}

const numberIn = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+\.\d\d$/.test(value)) ? Number(value) : Number.NaN

/** Ascending: numbers and amounts by size, texts by German collation, nothing last. */
const compare = (one: unknown, other: unknown): number => {
  if (one === other) return 0
  if (one === null || one === undefined) return 1
  if (other === null || other === undefined) return -1
  return numberIn(one) - numberIn(other) || inGerman(String(one), String(other))
}

const inOrder =
  <R extends { id: number }>(order: AskedList<R>['orderBy'] = []) =>
  (one: R, other: R): number => {
    for (const { field, descending } of order) {
      const compared = compare(one[field], other[field])
      if (compared !== 0) return descending ? -compared : compared
    }
    return one.id - other.id
  }

/** A page of a list that is at hand whole; `isRepeated` where the response has the records under another name, too. */
export const listRecords = <R extends { id: number }>(
  all: readonly R[],
  asked: AskedList<R>,
  { isRepeated = false } = {},
): Promise<Page<R>> => {
  const sorted = all.toSorted(inOrder(asked.orderBy)).slice(0, asked.max ?? undefined)
  const wanted = { ...asked, pageSize: asked.pageSize ?? Math.max(1, sorted.length) }
  const before = recordsBefore(wanted)
  const records = sorted.slice(before, before + wanted.pageSize)
  const shown = asked.short ? records.map(one => withShortTexts(one, shortText)) : records
  return boundedPage(wanted, sorted.length, shown, new PageRoom<R>({ isRepeated }))
}
