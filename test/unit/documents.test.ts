import type { Header } from '../../shared/contract/records/order.ts'
import { noDocuments, withDocuments } from '../../shared/orders/documents.ts'
import { amounts, merchant, seller } from '../support/order-sample.ts'

const billing = {
  billing_type: 'client',
  billing_id: 7,
  payment_type: 'invoice',
  payment_period: 14,
  invoice_type: 'gross',
  tax_free: 0,
} as const
const delivery = { delivery_type: 'address', delivery_id: 8 } as const
const owner = { cruser_id: 1, customers_id: 3, client_id: 7 }

const header: Header = {
  ...amounts,
  ...billing,
  ...delivery,
  ...owner,
  id: 41,
  uuid: 'order',
  number: '41',
  status: 'need_package',
  source: 'test',
  crstamp: '2026-01-31 12:00:00',
  chstamp: '2026-01-31 12:00:00',
  delivery_note_remark: 'hinten',
  client_remark: 'der Kunde',
  invoice_remark: 'vorn',
  note: 'eine Notiz',
  touched: 0,
  fixed: false,
  paid: false,
  cruser_name: 'test',
}
const numbers = { orders: 41, invoices: 10, deliveryNotes: 20, creditAdvices: 30 }
const now = '2026-02-01 08:00:00'
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const base = (id: number) => ({ id, uuid, order_id: 41, number: String(id), crstamp: now, ...owner })

const invoice = (id: number, delivery_note_id: number | null) => ({
  ...base(id),
  ...delivery,
  ...billing,
  ...amounts,
  remark: 'vorn',
  delivery_note_id,
  seller,
})

test('an invoice and its delivery note name each other’s number', () => {
  const written = withDocuments({ header, documents: noDocuments() }, numbers, ['invoice', 'deliveryNote'], {
    now,
    merchant,
  })
  expect(written).toEqual({
    documents: {
      invoices: [invoice(11, 21)],
      deliveryNotes: [{ ...base(21), ...delivery, remark: 'hinten', invoice_id: 11 }],
      payments: [],
      creditAdvices: [],
    },
    numbers: { orders: 41, invoices: 11, deliveryNotes: 21, creditAdvices: 30 },
  })
})

test('an invoice of a collected order has no delivery note', () => {
  const written = withDocuments({ header, documents: noDocuments() }, numbers, ['invoice'], { now, merchant })
  expect(written.documents.invoices).toEqual([invoice(11, null)])
  expect(written.documents.deliveryNotes).toEqual([])
  expect(written.numbers).toEqual({ ...numbers, invoices: 11 })
})

test('a delivery note without an invoice names none', () => {
  const { documents } = withDocuments({ header, documents: noDocuments() }, numbers, ['deliveryNote'], {
    now,
    merchant,
  })
  expect(documents.deliveryNotes).toMatchObject([{ invoice_id: null }])
})

test('a credit advice has the amounts of the invoice that it cancels, and no remark', () => {
  const first = withDocuments({ header, documents: noDocuments() }, numbers, ['invoice', 'deliveryNote'], {
    now,
    merchant,
  })
  const second = withDocuments({ header, documents: first.documents }, first.numbers, ['creditAdvice'], {
    now,
    merchant,
  })
  expect(second).toEqual({
    documents: {
      ...first.documents,
      creditAdvices: [{ ...base(31), ...billing, ...amounts, remark: null, invoice_id: 11 }],
    },
    numbers: { orders: 41, invoices: 11, deliveryNotes: 21, creditAdvices: 31 },
  })
})

test('existing documents stay, and the latest invoice is named', () => {
  const documents = { ...noDocuments(), invoices: [{ id: 3 }] as never[], creditAdvices: [{ id: 4 }] as never[] }
  const again = withDocuments({ header, documents }, numbers, ['invoice', 'deliveryNote'], { now, merchant })
  expect(again.documents.invoices.map(({ id }) => id)).toEqual([3, 11])
  expect(again.documents.deliveryNotes).toMatchObject([{ invoice_id: 11 }])
  const advice = withDocuments({ header, documents: again.documents }, again.numbers, ['creditAdvice'], {
    now,
    merchant,
  })
  expect(advice.documents.creditAdvices).toMatchObject([{ id: 4 }, { id: 31, invoice_id: 11 }])
  const note = withDocuments({ header, documents: again.documents }, again.numbers, ['deliveryNote'], { now, merchant })
  expect(note.documents.deliveryNotes.map(({ id }) => id)).toEqual([21, 22])
})

test('without an invoice a credit advice names none; a step without documents changes nothing', () => {
  const { documents } = withDocuments({ header, documents: noDocuments() }, numbers, ['creditAdvice'], {
    now,
    merchant,
  })
  expect(documents.creditAdvices).toMatchObject([{ invoice_id: null }])
  expect(withDocuments({ header, documents: noDocuments() }, numbers, [], { now, merchant })).toEqual({
    documents: noDocuments(),
    numbers,
  })
})
