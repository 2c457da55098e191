import { rule } from '../../expertise/design.ts'
import { type Fitted, fitText, measureText } from '../../expertise/fit.ts'
import type { Sheet, Style } from '../../expertise/lines.ts'
import { texts, within } from '../../expertise/tags.ts'
import { colors, contentWidth, page, styles } from './design.ts'
import type { Block } from './flow.ts'

/** A column of a table: its place and width in points, and how its head and its cells are set. */
export type Column = { x: number; width: number; head: string; isRight?: boolean }

/** A text in one line, smaller if it is too wide. */
export const oneLine = (sheet: Sheet, text: string, style: Style, width: number): Fitted => {
  const flat = text.replace(/\s*\n\s*/g, ' ')
  const sizes = [1, 0.9, 0.8, 0.7].map(scale => style.size * scale)
  return fitText(sheet, flat, style, width, style.size * 1.6, sizes)
}

/** Texts below one another from y, each in one line. */
export const drawLines = (
  sheet: Sheet,
  lines: readonly string[],
  style: Style,
  { x, y, width, step }: { x: number; y: number; width: number; step: number },
): void => {
  for (const [n, line] of lines.entries())
    texts(sheet, 'P', { fitted: oneLine(sheet, line, style, width), x, y: y + n * step })
}

/** Labels with their values, below one another. */
export const drawFacts = (sheet: Sheet, facts: readonly (readonly [string, string])[], x: number, y: number): void => {
  facts.forEach(([label, value], n) => {
    const at = y + n * 14.5
    within(sheet, 'P', inner => {
      texts(inner, 'Span', { fitted: oneLine(inner, label, styles.label, 82), x, y: at + 1.4 })
      texts(inner, 'Span', { fitted: oneLine(inner, value, styles.fact, page.right - x - 88), x: x + 88, y: at })
    })
  })
}

/** The head of a table, between two rules. */
export const headBlock = (columns: readonly Column[]): Block => ({
  height: 25,
  isRow: true,
  draw: (sheet, y) => {
    rule(sheet.doc, page.left, y, contentWidth, colors.wine, 0.9)
    within(sheet, 'TR', inner => {
      for (const { x, width, head, isRight } of columns) {
        const style = isRight ? styles.headRight : styles.head
        texts(inner, 'TH', { fitted: oneLine(inner, head, style, width), x, y: y + 5 })
      }
    })
    rule(sheet.doc, page.left, y + 19, contentWidth, colors.line)
  },
})

/** A row: its cells, the first line of each at the same height; `details` is small below the item. */
export type Row = { cells: readonly string[]; details: string }

/** A row of a table. The second column is the item, in the serif and in as many lines as it takes. */
export const rowBlock = (sheet: Sheet, columns: readonly Column[], { cells, details }: Row): Block => {
  const [, itemColumn] = columns
  if (!itemColumn) throw new Error('a table needs a column for its items')
  const item = fitText(sheet, cells[1] ?? '', styles.item, itemColumn.width, 64, [styles.item.size, 9.5])
  const below = measureText(sheet, details, styles.detail, itemColumn.width)
  const height = item.height + below.height + 6
  return {
    height,
    isRow: true,
    draw: (drawn, y) =>
      within(drawn, 'TR', inner => {
        columns.forEach(({ x, width, isRight }, n) => {
          if (n === 1) {
            texts(inner, 'TD', { fitted: item, x, y }, { fitted: below, x, y: y + item.height })
            return
          }
          const fitted = oneLine(inner, cells[n] ?? '', isRight ? styles.amount : styles.cell, width)
          texts(inner, 'TD', { fitted, x, y: y + 2 })
        })
      }),
  }
}

const sumStyles = {
  plain: [styles.cell, styles.amount],
  total: [styles.total, styles.totalAmount],
  carried: [styles.carried, styles.carriedAmount],
} as const

/** A line of sums: its label, right of which its amount is. */
export const sumBlock = (label: string, amount: string, kind: keyof typeof sumStyles = 'plain'): Block => {
  const [left, right] = sumStyles[kind]
  const height = { plain: 15.5, total: 27, carried: 21 }[kind]
  const from = page.left + 235
  return {
    height,
    draw: (sheet, y) => {
      if (kind === 'total') rule(sheet.doc, from, y + 2, page.right - from, colors.wine, 0.9)
      const at = y + { plain: 0, total: 6, carried: 4 }[kind]
      within(sheet, 'P', inner => {
        texts(inner, 'Span', { fitted: oneLine(inner, label, left, 160), x: from, y: at })
        texts(inner, 'Span', { fitted: oneLine(inner, amount, right, 84), x: page.right - 84, y: at })
      })
    },
  }
}

/** A text over the whole width, in as many lines as it takes; one block a paragraph, so that a long one goes over pages. */
export const textBlocks = (sheet: Sheet, text: string, style: Style = styles.note): Block[] =>
  text.split('\n').map(paragraph => {
    const fitted = measureText(sheet, paragraph, style, contentWidth)
    return { height: fitted.height + 2, draw: (drawn, y) => texts(drawn, 'P', { fitted, x: page.left, y }) }
  })

/** Empty space. */
export const space = (height: number): Block => ({ height, draw: () => {} })

/** Blocks that stay together on a page. */
export const together = (...blocks: readonly Block[]): Block => ({
  height: blocks.reduce((sum, { height }) => sum + height, 0),
  draw: (sheet, y) => {
    let at = y
    for (const block of blocks) {
      block.draw(sheet, at)
      at += block.height
    }
  },
})
