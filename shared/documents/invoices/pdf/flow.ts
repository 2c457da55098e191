import type { Cents } from '../../../values/money.ts'
import type { Sheet } from '../../typesetting/lines.ts'

/** A part of a page, by its height; `draw` draws it with its upper edge at y. Rows belong to the table. */
export type Block = { height: number; draw: (sheet: Sheet, y: number) => void; isRow?: true }

/** A table that may go over pages: `carried` is its row with the sum so far; null for a table without sums. */
export type Table = {
  head: Block
  rows: readonly (Block & { amount: Cents })[]
  carried: ((sum: Cents) => Block) | null
}

type Placed = { block: Block; y: number }

/** The room on pages: where the first page and later pages begin, and where all end. */
export type Room = { first: number; next: number; end: number }

/** Places a table and the blocks after it on pages. A table that goes on repeats its head and carries its sum over. */
export const pagesOf = ({ head, rows, carried }: Table, after: readonly Block[], room: Room): Placed[][] => {
  const pages: Placed[][] = [[]]
  let y = room.first
  const put = (block: Block): void => {
    pages.at(-1)?.push({ block, y })
    y += block.height
  }
  const turn = (): void => {
    pages.push([])
    y = room.next
  }
  if (y + head.height + (rows[0]?.height ?? 0) > room.end) turn()
  put(head)
  let [sum, isBegun] = [0, false]
  for (const [n, row] of rows.entries()) {
    const line = carried?.(sum)
    const below = n === rows.length - 1 ? 0 : (line?.height ?? 0)
    if (isBegun && y + row.height + below > room.end) {
      if (line) put(line)
      turn()
      put(head)
      if (line) put(line)
      isBegun = false
    }
    put(row)
    isBegun = true
    sum += row.amount
  }
  for (const block of after) {
    if (y + block.height > room.end) turn()
    put(block)
  }
  return pages
}
