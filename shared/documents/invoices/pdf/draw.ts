import type { Language } from '../../../contract/labels/labels.ts'
import type { Day } from '../../../values/day.ts'
import { type Cents, formatMoney, type Sum } from '../../../values/money.ts'
import { localeOf } from '../../expertise/labels.ts'
import { drawCode } from '../../expertise/strip.ts'
import type { Sheet } from '../../typesetting/lines.ts'
import { texts } from '../../typesetting/tags.ts'
import { type ContentLine, dueOf, type InvoiceContent } from '../content.ts'
import type { NoteContent } from '../note.ts'
import { detailsOf, euros, paidText, termsOf, writtenDay } from '../terms.ts'
import { facturX } from './container.ts'
import { contentWidth, page, styles } from './design.ts'
import type { Block, Table } from './flow.ts'
import { addressLines, drawPages, type Frame, groupIban, type Layout } from './frame.ts'
import { giroModules, type Transfer, transferOf } from './giro-code.ts'
import {
  type Column,
  factsBlock,
  headBlock,
  oneLine,
  rowBlock,
  space,
  sumBlock,
  textBlocks,
  together,
} from './parts.ts'
import { type Words, wordsIn } from './words.ts'

type Facts = Frame['facts']

const facts = (...all: readonly (readonly [string, string | null])[]): Facts =>
  all.flatMap(([label, value]) => (value ? [[label, value] as const] : []))

const amountIn = (cents: Cents, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: 2 })
    .format(formatMoney(cents) as `${number}`)
    .replace('-', '−')

const factsOf = (content: InvoiceContent, words: Words): Facts => {
  const { language, order, delivered, buyer, corrects, deliveryNote } = content
  const day = (one: Day) => writtenDay(one, language)
  const isCredit = content.kind === 'credit_advice'
  return facts(
    [words.number, content.number],
    [words.day, day(content.day)],
    [
      words.delivered,
      delivered ? day(delivered) : isCredit ? null : deliveryNote && `${words.seeNote} ${deliveryNote}`,
    ],
    [words.invoice, corrects && `${corrects.number} ${words.ofDay} ${day(corrects.day)}`],
    [words.order, `${order.number} ${words.ofDay} ${day(order.day)}`],
    [words.note, isCredit ? null : deliveryNote],
    [words.customer, order.customer],
    [words.yourVat, buyer.vatid],
    [words.reference, buyer.reference],
  )
}

const deliveryLine = (content: InvoiceContent, words: Words): string[] => {
  const { delivery, buyer } = content
  if (content.kind === 'credit_advice') return []
  if (!delivery) return [words.collected]
  const [goods, bill] = [addressLines(delivery, content), addressLines(buyer, content)]
  return goods.join() === bill.join() ? [] : [`${words.deliveredTo}: ${goods.join(', ')}`]
}

const invoiceFrame = (content: InvoiceContent): Frame => {
  const { language, seller, buyer, kind, number, day, corrects, mode, taxFree } = content
  const words = wordsIn(language)
  const prices = mode === 'gross' ? words.grossPrices : taxFree ? null : words.netPrices
  return {
    ...{ language, seller, recipient: buyer, day },
    title: `${words[kind]} ${number}`,
    subtitle: corrects && `${words.toInvoice} ${corrects.number} ${words.ofDay} ${writtenDay(corrects.day, language)}`,
    facts: factsOf(content, words),
    lines: [...deliveryLine(content, words), ...(prices ? [prices] : [])],
  }
}

const invoiceColumns = (words: Words, { taxFree }: InvoiceContent): Column[] => [
  { x: page.left, width: 26, head: words.place },
  { x: page.left + 30, width: 226, head: words.item },
  { x: page.left + 264, width: 42, head: words.quantity, isRight: true },
  { x: page.left + 312, width: 62, head: words.price, isRight: true },
  ...(taxFree ? [] : [{ x: page.left + 380, width: 32, head: words.rate, isRight: true }]),
  { x: page.left + 418, width: contentWidth - 418, head: words.amount, isRight: true },
]

const cellsOf = (line: ContentLine, n: number, { mode, language, taxFree }: InvoiceContent): string[] => {
  const amount = line[mode]
  // A part of a line whose cents were spread has no price of a piece.
  const price = amount % line.quantity === 0 ? amountIn(amount / line.quantity, language) : ''
  const rate = taxFree ? [] : [`${line.taxrate} %`]
  return [String(n + 1), line.name, String(line.quantity), price, ...rate, amountIn(amount, language)]
}

const lineDetails = (line: Pick<ContentLine, 'details' | 'articlenumber'>, language: Language): string =>
  [detailsOf(line, language), line.articlenumber].filter(Boolean).join(' · ')

const invoiceTable = (sheet: Sheet, content: InvoiceContent): Table => {
  const { language, mode, lines } = content
  const words = wordsIn(language)
  const columns = invoiceColumns(words, content)
  return {
    head: headBlock(columns),
    rows: lines.map((line, n) => ({
      ...rowBlock(sheet, columns, { cells: cellsOf(line, n, content), details: lineDetails(line, language) }),
      amount: line[mode],
    })),
    carried: sum => sumBlock(sheet, words.carried, amountIn(sum, language), 'carried'),
  }
}

const sumBlocks = (sheet: Sheet, content: InvoiceContent): Block[] => {
  const { language, mode, lines, rebates, rates, total, paid, taxFree, kind } = content
  const words = wordsIn(language)
  const row = (label: string, cents: Cents) => sumBlock(sheet, label, amountIn(cents, language))
  const rowsOf = ({ rate, net, tax }: Sum & { rate: number }) =>
    taxFree
      ? [row(words.net, net)]
      : [row(words.netAt.replace('{n}', String(rate)), net), row(`${words.tax} ${rate} %`, tax)]
  const off = rebates.filter(({ total: sum }) => sum[mode] !== 0)
  const subtotal = lines.reduce((sum, line) => sum + line[mode], 0)
  return [
    // Many rebates go over pages.
    ...(off.length > 0 ? [row(words.subtotal, subtotal), ...off.map(one => row(one.name, one.total[mode]))] : []),
    together(
      ...rates.flatMap(rowsOf),
      sumBlock(sheet, kind === 'invoice' ? words.total : words.credited, euros(total.gross, language), 'total'),
      ...(paid > 0 ? [row(`${words.paid}: ${paidText(content)}`, -paid), row(words.due, dueOf(content))] : []),
    ),
  ]
}

const codeSize = 84

const transferBlock = (sheet: Sheet, transfer: Transfer, words: Words, language: Language): Block => {
  const { payee, iban, bic, bank, purpose, amount } = transfer
  const rows = facts(
    [words.payee, payee],
    [words.iban, groupIban(iban)],
    [words.bic, bic],
    [words.bank, bank],
    [words.purpose, purpose],
    [words.amount, euros(Math.round(Number(amount) * 100), language)],
  )
  const typed = factsBlock(sheet, rows, page.left + codeSize + 22)
  return {
    height: Math.max(codeSize + 26, typed.height + 4),
    draw: (drawn, y) => {
      drawCode(drawn, giroModules(transfer), { x: page.left, y: y + 6, width: codeSize }, words.giroCode)
      const hint = oneLine(drawn, words.giroCode, styles.hint, 260)
      texts(drawn, 'P', { fitted: hint, x: page.left, y: y + codeSize + 11 })
      typed.draw(drawn, y + 4)
    },
  }
}

const afterInvoice = (sheet: Sheet, content: InvoiceContent): Block[] => {
  const { language, taxFree, remark } = content
  const words = wordsIn(language)
  const transfer = transferOf(content)
  return [
    space(6),
    ...sumBlocks(sheet, content),
    space(12),
    ...(taxFree ? textBlocks(sheet, taxFree.reason ?? words.untaxed) : []),
    // Together, so that no page has the GiroCode alone.
    together(
      ...termsOf(content).flatMap(sentence => textBlocks(sheet, sentence)),
      ...(transfer ? [space(8), transferBlock(sheet, transfer, words, language)] : []),
    ),
    ...(remark ? [space(8), ...textBlocks(sheet, remark)] : []),
  ]
}

/** Draws an invoice or a credit advice; with its XML inside where it has an XML, and with the logo of its seller. */
export const drawInvoice = (content: InvoiceContent, xml: string | null, logo?: Buffer): Promise<Buffer> =>
  drawPages(
    content,
    (given): Layout => ({
      frame: invoiceFrame(given),
      table: sheet => invoiceTable(sheet, given),
      after: sheet => afterInvoice(sheet, given),
    }),
    { attached: xml === null ? null : facturX(content, xml), logo },
  )

const noteFrame = (content: NoteContent): Frame => {
  const { language, seller, recipient, number, day, order, invoice, delivered, shipping, minAge } = content
  const words = wordsIn(language)
  const writeDay = (one: Day) => writtenDay(one, language)
  return {
    ...{ language, seller, recipient, day, subtitle: null },
    title: `${words.delivery_note} ${number}`,
    // Their texts may be long: a tracking number may be an address.
    lines: facts([words.carrier, shipping.carrier], [words.tracking, shipping.tracking]).map(row => row.join(': ')),
    facts: facts(
      [words.number, number],
      [words.day, writeDay(day)],
      [words.delivered, delivered && writeDay(delivered)],
      [words.order, `${order.number} ${words.ofDay} ${writeDay(order.day)}`],
      [words.invoice, invoice],
      [words.customer, order.customer],
      [words.minAge, minAge && words.years.replace('{n}', String(minAge))],
    ),
  }
}

const noteTable = (sheet: Sheet, { language, lines }: NoteContent): Table => {
  const words = wordsIn(language)
  const columns: Column[] = [
    { x: page.left, width: 26, head: words.place },
    { x: page.left + 30, width: 340, head: words.item },
    { x: page.left + 400, width: contentWidth - 400, head: words.quantity, isRight: true },
  ]
  return {
    head: headBlock(columns),
    rows: lines.map((line, n) => {
      const cells = [String(n + 1), line.name, String(line.quantity)]
      return { ...rowBlock(sheet, columns, { cells, details: lineDetails(line, language) }), amount: 0 }
    }),
    carried: null,
  }
}

/** Draws a delivery note, with the logo of its seller. */
export const drawNote = (content: NoteContent, logo?: Buffer): Promise<Buffer> =>
  drawPages(
    content,
    (given): Layout => ({
      frame: noteFrame(given),
      table: sheet => noteTable(sheet, given),
      after: sheet => (given.remark ? [space(10), ...textBlocks(sheet, given.remark)] : []),
    }),
    { attached: null, logo },
  )
