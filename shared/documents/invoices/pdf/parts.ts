import { rule } from '../../expertise/design.ts'
import { type Fitted, fitText, measureText } from '../../typesetting/fit.ts'
import type { Sheet, Style } from '../../typesetting/lines.ts'
import { texts, within } from '../../typesetting/tags.ts'
import { colors, contentWidth, page, styles } from './design.ts'
import type { Block } from './flow.ts'

/** A column of a table: its place and width in points, and how its head and its cells are set. */
export type Column = { x: number; width: number; head: string; isRight?: boolean }

const scales = [1, 0.9, 0.8, 0.7]

const flatOf = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

/** A text in one line, smaller if it is too wide, and cut at its smallest size. */
export const oneLine = (sheet: Sheet, text: string, style: Style, width: number): Fitted => {
  const sizes = scales.map(scale => style.size * scale)
  return fitText(sheet, flatOf(text), style, width, style.size * 1.6, sizes)
}

/** A text in one line where it fits, else in as many small lines as it takes: the law wants names and addresses whole. */
export const wholeText = (sheet: Sheet, text: string, style: Style, width: number): Fitted => {
  const flat = flatOf(text)
  const line = oneLine(sheet, flat, style, width)
  if (line.text === flat) return line
  return measureText(sheet, flat, { ...style, size: style.size * Math.min(...scales) }, width)
}

/** The distance to the next text: `step` after one line. */
const heightOf = ({ lines, height }: Fitted, step: number): number => (lines.length > 1 ? height + 3 : step)

type Lines = { x: number; width: number; step: number }

/** Texts below one another. */
export const linesBlock = (sheet: Sheet, lines: readonly string[], style: Style, { x, width, step }: Lines): Block =>
  together(
    ...lines.map(line => {
      const fitted = wholeText(sheet, line, style, width)
      const draw = (drawn: Sheet, y: number) => texts(drawn, 'P', { fitted, x, y })
      return { height: heightOf(fitted, step), draw }
    }),
  )

/** Labels with their values, below one another. */
export const factsBlock = (sheet: Sheet, facts: readonly (readonly [string, string])[], x: number): Block =>
  together(
    ...facts.map(([label, value]) => {
      const fitted = wholeText(sheet, value, styles.fact, page.right - x - 88)
      const draw = (drawn: Sheet, y: number) =>
        within(drawn, 'P', inner => {
          texts(inner, 'Span', { fitted: oneLine(inner, label, styles.label, 82), x, y: y + 1.4 })
          texts(inner, 'Span', { fitted, x: x + 88, y })
        })
      return { height: heightOf(fitted, 14.5), draw }
    }),
  )

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
  const name = cells[1] ?? ''
  const large = measureText(sheet, name, styles.item, itemColumn.width)
  const isLarge = large.height <= 64 && !large.isBroken
  const item = isLarge ? large : measureText(sheet, name, { ...styles.item, size: 9.5 }, itemColumn.width)
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
export const sumBlock = (
  sheet: Sheet,
  label: string,
  amount: string,
  kind: keyof typeof sumStyles = 'plain',
): Block => {
  const [left, right] = sumStyles[kind]
  const from = page.left + 235
  // Whole, but for the names of many rebates in one line.
  const name = fitText(sheet, flatOf(label), left, 160, left.size * 9, [left.size, left.size * Math.min(...scales)])
  return {
    height: heightOf(name, { plain: 15.5, total: 27, carried: 21 }[kind]),
    draw: (drawn, y) => {
      if (kind === 'total') rule(drawn.doc, from, y + 2, page.right - from, colors.wine, 0.9)
      const at = y + { plain: 0, total: 6, carried: 4 }[kind]
      within(drawn, 'P', inner => {
        texts(inner, 'Span', { fitted: name, x: from, y: at })
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
