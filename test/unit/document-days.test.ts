import { invoiceXml } from '../../shared/documents/invoices/cii.ts'
import { creditContent, type DocumentSource, invoiceContent } from '../../shared/documents/invoices/content.ts'
import { noteContent } from '../../shared/documents/invoices/note.ts'
import { drawInvoice, drawNote } from '../../shared/documents/invoices/pdf/draw.ts'
import { brokenInvoiceRules } from '../support/en16931.ts'
import { pagesOf } from '../support/expertise-sheet-reader.ts'
import { orderOf, type Sample } from '../support/invoice-samples.ts'

const sample: Sample = {
  goods: [{ name: 'Riesling', gross: 1090, quantity: 6 }],
  client: { cashback: 2, cashback_period: 8, payment_period: 14 },
}

type Times = { placed: string; shipped?: string; timezone?: string }

/** The order of a sample that was placed, invoiced and shipped at these times. */
const orderAt = ({ placed, shipped, timezone }: Times, more: Partial<Sample> = {}): DocumentSource => {
  const events = shipped ? (['ship'] as const) : []
  const source = orderOf({ ...sample, ...(timezone && { merchant: { timezone } }), ...more, events: [...events] })
  const { header, documents, history } = source.order
  const stamped = <T>(all: readonly T[]): T[] => all.map(one => ({ ...one, crstamp: placed }))
  const { invoices, deliveryNotes } = documents
  return {
    ...source,
    order: {
      ...source.order,
      header: { ...header, crstamp: placed },
      documents: { ...documents, invoices: stamped(invoices), deliveryNotes: stamped(deliveryNotes) },
      history: history.map(step => ({ ...step, at: step.event === 'ship' ? (shipped ?? '') : placed })),
    },
  }
}

const contentOf = (source: DocumentSource) => {
  const [invoice] = source.order.documents.invoices
  if (!invoice) throw new Error('the order has no invoice')
  return invoiceContent(source, invoice)
}

const noteOf = (source: DocumentSource) => {
  const [note] = source.order.documents.deliveryNotes
  if (!note) throw new Error('the order has no delivery note')
  return noteContent(source, note)
}

const xmlOf = (source: DocumentSource): string => {
  const xml = invoiceXml(contentOf(source))
  expect(brokenInvoiceRules(xml)).toEqual([])
  return xml
}

const dayIn = (xml: string, parent: string): string | undefined =>
  new RegExp(`<ram:${parent}>\\s*<udt:DateTimeString format="102">(\\d+)<`).exec(xml)?.[1]

/** Day of issue, of delivery and due day of an invoice (BT-2, BT-72, BT-9). */
const daysOf = (source: DocumentSource) => {
  const xml = xmlOf(source)
  const issued = /<ram:IssueDateTime>\s*<udt:DateTimeString format="102">(\d+)</.exec(xml)?.[1]
  return [issued, dayIn(xml, 'OccurrenceDateTime'), dayIn(xml, 'DueDateDateTime')]
}

const textOf = (pdf: Buffer): string => pagesOf(pdf).join(' ')

const newYear = { placed: '2026-12-31 23:05:00', shipped: '2027-01-01 22:59:59' }

describe('the days of an invoice', () => {
  test.each<[string, Times, (string | undefined)[]]>([
    ['in Germany at the turn of the year', newYear, ['20270101', '20270101', '20270115']],
    ['in UTC', { ...newYear, timezone: 'UTC' }, ['20261231', '20270101', '20270114']],
    [
      'in New York',
      { placed: '2027-01-01 04:59:59', shipped: '2027-01-01 05:00:00', timezone: 'America/New_York' },
      ['20261231', '20270101', '20270114'],
    ],
    [
      'at the turn of a quarter, in summer',
      { placed: '2026-06-30 22:00:00', shipped: '2026-07-01 21:59:59' },
      ['20260701', '20260701', '20260715'],
    ],
    [
      'over the day on which clocks go forward',
      { placed: '2026-03-28 22:30:00', shipped: '2026-03-29 22:00:00' },
      ['20260328', '20260330', '20260411'],
    ],
    [
      'over the day on which clocks go back',
      { placed: '2026-10-24 22:00:00', shipped: '2026-10-25 22:30:00' },
      ['20261025', '20261025', '20261108'],
    ],
  ])('are %s those of the merchant’s clock', (_, times, days) => {
    expect(daysOf(orderAt(times))).toEqual(days)
  })

  test('are the same on its PDF, on its delivery note and in its terms of payment', async () => {
    const source = orderAt({ ...newYear, shipped: '2027-01-01 23:00:00' })
    const pdf = textOf(await drawInvoice(contentOf(source), null))
    for (const part of [
      ...['Datum 01.01.2027', 'Lieferdatum 02.01.2027', 'Bestellung 2026 vom 01.01.2027'],
      ...['Zahlbar bis 15.01.2027', 'Bei Zahlung bis 09.01.2027 2 % Skonto'],
    ])
      expect(pdf).toContain(part)
    const note = textOf(await drawNote(noteOf(source)))
    expect(note).toContain('Datum 01.01.2027 Lieferdatum 02.01.2027 Bestellung 2026 vom 01.01.2027')
  })

  test('are those of the time zone that it was written in, though the merchant has moved since', () => {
    const { seller, ...source } = orderAt(newYear)
    const moved = { ...source, seller: { ...seller, timezone: 'America/New_York' } }
    expect(daysOf(moved)).toEqual(['20270101', '20270101', '20270115'])
    expect(noteOf(moved).day).toBe('2027-01-01')
    const [invoice] = moved.order.documents.invoices
    if (!invoice?.seller) throw new Error('the invoice has no seller')
    const { timezone: _, ...older } = invoice.seller
    expect(invoiceContent(moved, { ...invoice, seller: older }).day).toBe('2026-12-31')
  })

  test('are those of the invoice’s time zone on its credit advice, too, which refers to no delivery note', async () => {
    const source = orderOf({ ...sample, events: ['cancel'] })
    const [advice] = source.order.documents.creditAdvices
    const [invoice] = source.order.documents.invoices
    if (!advice || !invoice) throw new Error('the order has no credit advice')
    const invoices = [{ ...invoice, crstamp: '2026-12-31 23:05:00' }]
    const order = { ...source.order, documents: { ...source.order.documents, invoices } }
    const content = creditContent({ ...source, order }, { ...advice, crstamp: '2027-01-31 23:05:00' })
    expect([content.day, content.corrects?.day, content.delivered]).toEqual(['2027-02-01', '2027-01-01', null])
    expect(textOf(await drawInvoice(content, null))).not.toContain('Liefer')
  })
})

describe('the day of delivery', () => {
  const unshipped = { placed: newYear.placed }

  test('refers to the delivery note until the order is shipped, and the XML names none', async () => {
    const source = orderAt(unshipped)
    expect(daysOf(source)[1]).toBeUndefined()
    expect(xmlOf(source)).toMatch(/DespatchAdviceReferencedDocument>\s*<ram:IssuerAssignedID>982</)
    expect(textOf(await drawInvoice(contentOf(source), null))).toContain('Lieferdatum siehe Lieferschein 982')
    expect(noteOf(source).delivered).toBeNull()
  })

  test('refers to it in the language of the buyer', async () => {
    const source = orderAt(unshipped, { client: { countrycode: 'fr' } })
    expect(textOf(await drawInvoice(contentOf(source), null))).toContain('Date of delivery see delivery note 982')
  })

  test('is the day of the invoice where the goods are collected, until they are handed over', async () => {
    const source = orderAt(unshipped, { delivery: 'none' })
    expect(daysOf(source)[1]).toBe('20270101')
    expect(textOf(await drawInvoice(contentOf(source), null))).toContain('Lieferdatum 01.01.2027')
    expect(daysOf(orderAt({ ...newYear, shipped: '2027-01-04 12:00:00' }, { delivery: 'none' }))[1]).toBe('20270104')
  })

  test('is the day of the invoice where EN 16931 requires one: to a business in another member state', () => {
    const client = {
      vatid: 'FR83404833048',
      countrycode: 'fr',
      tax_free: 1 as const,
      tax_free_reason: 'Intra-Community',
    }
    expect(daysOf(orderAt(unshipped, { client }))[1]).toBe('20270101')
  })
})

test.each([
  ['2026-05-01 09:59:59', 1000],
  ['2026-05-01 10:00:00', 1000],
  ['2026-05-01 10:00:01', 0],
])('an invoice of 10:00:00 deducts only what was paid until then: at %s', (crstamp, paid) => {
  const source = orderAt({ placed: '2026-05-01 10:00:00' })
  const { documents } = source.order
  const money = { uuid: 'hand', payment_type: 'cash', amount: '10.00', currency: 'EUR', crstamp } as const
  const payments = [{ ...money, external_id: null, payer_id: null }]
  expect(contentOf({ ...source, order: { ...source.order, documents: { ...documents, payments } } }).paid).toBe(paid)
})
