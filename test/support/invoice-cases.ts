import {
  creditContent,
  type DocumentSource,
  type InvoiceContent,
  invoiceContent,
} from '../../shared/documents/invoices/content.ts'
import { type Good, orderOf, type Sample } from './invoice-samples.ts'

const riesling: Good = { name: 'Riesling Kabinett', gross: 1090, quantity: 6, vintage: 2024, gtin: '4006381333931' }
const pinot: Good = { name: 'Spätburgunder trocken', gross: 1690, quantity: 3, vintage: 2022 }
const juice: Good = { name: 'Traubensaft', gross: 390, quantity: 4, taxrate: 7, vintage: 0, bottlesize: '1.000' }
const business = {
  company: 'Gasthaus Zur Linde GmbH',
  department: 'Einkauf',
  number: 'K-2001',
  iban: 'DE02120300000000202051',
}
const authority = {
  ...{ company: 'Stadtverwaltung Beispielstadt', number: 'K-3001', buyer_reference: '04011000-12345-34' },
  ...{ address: 'Rathausplatz 1', zip: '12345', city: 'Beispielstadt', mail: 'rechnung@beispielstadt.example' },
}
const french = {
  ...{ company: 'Vins du Midi SARL', first_name: 'Luc', last_name: 'Martin', vatid: 'FR83404833048' },
  ...{ address: 'Rue du Port 3', zip: '34000', city: 'Montpellier', countrycode: 'fr' },
}
const swiss = {
  ...{
    company: 'Weinhandel Rheinfall AG',
    address: 'Seestrasse 12',
    zip: '8200',
    city: 'Schaffhausen',
    countrycode: 'ch',
  },
}
const many = Array.from(
  { length: 50 },
  (_, n): Good => ({
    name: `${['Riesling', 'Silvaner', 'Grauburgunder', 'Lemberger', 'Scheurebe'][n % 5]} Lage ${n + 1}`,
    gross: 690 + 37 * n,
    quantity: 1 + (n % 12),
    taxrate: n % 10 === 9 ? 7 : 19,
    vintage: 2015 + (n % 10),
  }),
)

const invoiceOf = (sample: Sample): InvoiceContent => {
  const source = orderOf(sample)
  const [invoice] = source.order.documents.invoices
  if (!invoice) throw new Error('the sample has no invoice')
  return invoiceContent(source, invoice)
}

const adviceIn = ({ order }: DocumentSource) => {
  const advice = order.documents.creditAdvices.at(-1)
  if (!advice) throw new Error('the sample has no credit advice')
  return advice
}

const creditOf = (sample: Sample): InvoiceContent => {
  const source = orderOf({ ...sample, events: ['cancel'] })
  return creditContent(source, adviceIn(source))
}

type Sums = { net: string; tax: string; gross: string }

/** A credit of some bottles of the first line; `own` is their total as invoiced, `total` that less their share of rebates. */
const partOf = (sample: Sample, quantity: number, own: Sums, total: Sums): InvoiceContent => {
  const source = orderOf({ ...sample, events: ['cancel'] })
  const [line] = source.sold.positions
  if (!line) throw new Error('the sample has no line')
  const position_id = source.order.header.id * 100 + 1
  return creditContent(source, {
    ...adviceIn(source),
    ...total,
    taxrates: { 19: total },
    lines: [
      {
        ...{ position_id, item_type: 'wine', item_id: line.item_id, name: line.name },
        ...{ quantity, ...own, taxrate: 19 },
      },
    ],
  })
}

const rebated: Sample = { goods: [riesling, juice], client: { rebate: 10 } }

/** The golden invoices: what each is, and its contents. */
export const invoiceCases: Record<string, readonly [what: string, content: () => InvoiceContent]> = {
  gross: ['a private buyer, prices with tax, one rate', () => invoiceOf({ goods: [riesling, pinot] })],
  net: ['a business, prices without tax', () => invoiceOf({ goods: [riesling, pinot], mode: 'net', client: business })],
  'mixed-rates': ['goods at 19 % and 7 %, prices with tax', () => invoiceOf({ goods: [riesling, juice] })],
  'mixed-rates-net': [
    'goods at 19 % and 7 %, prices without tax',
    () => invoiceOf({ goods: [riesling, juice], mode: 'net', client: business }),
  ],
  'a-cent-off': [
    'a sum with tax whose tax is not net × rate, rounded: 10.05 = 8.45 + 1.60',
    () => invoiceOf({ goods: [{ ...riesling, gross: 335, quantity: 3 }], delivery: 'none' }),
  ],
  'rebate-two-rates': ['10 % off goods at two rates: an allowance at each', () => invoiceOf(rebated)],
  'rebate-two-rates-net': [
    '10 % off goods at two rates, prices without tax',
    () => invoiceOf({ ...rebated, mode: 'net', client: { ...business, rebate: 10 } }),
  ],
  'rebate-amounts': [
    'two rebates of fixed amounts',
    () =>
      invoiceOf({
        goods: [riesling, pinot],
        rebates: [
          { name: 'Treuerabatt', net: '-1.00', tax: '-0.19', gross: '-1.19' },
          { name: 'Gutschein HERBST', net: '-4.20', tax: '-0.80', gross: '-5.00' },
        ],
      }),
  ],
  'free-of-charge': [
    'nothing to pay: 100 % off, no package',
    () => invoiceOf({ goods: [riesling], client: { rebate: 100 }, delivery: 'none' }),
  ],
  'zero-rate': [
    'a line at 0 % in a taxed order (category Z)',
    () => invoiceOf({ goods: [riesling, { name: 'Pfandkiste', gross: 300, quantity: 1, taxrate: 0 }] }),
  ],
  'tax-free-small-business': [
    'a merchant without tax, § 19 UStG (category E)',
    () =>
      invoiceOf({
        goods: [riesling, pinot],
        merchant: {
          tax_free: 1,
          vatid: null as never,
          tax_free_reason: 'Kein Ausweis von Umsatzsteuer nach § 19 UStG',
        },
      }),
  ],
  'tax-free-intra-community': [
    'a business in France with a VAT number (category K), in English',
    () =>
      invoiceOf({
        goods: [riesling, pinot],
        mode: 'net',
        client: { ...french, tax_free: 1, tax_free_reason: 'Intra-Community supply exempt from VAT' },
        events: ['ship'],
      }),
  ],
  'tax-free-export': [
    'a buyer in Switzerland (category G)',
    () =>
      invoiceOf({
        goods: [riesling],
        client: { ...swiss, tax_free: 1, tax_free_reason: 'Steuerfreie Ausfuhrlieferung nach § 4 Nr. 1a UStG' },
      }),
  ],
  'other-country': [
    'a private buyer in France, taxed, in English',
    () => invoiceOf({ goods: [riesling], client: { ...french, company: null, vatid: null } }),
  ],
  'other-address': [
    'goods to another address, in Austria',
    () =>
      invoiceOf({
        goods: [pinot],
        delivery: { company: 'Hotel Alpenblick', address: 'Dorf 4', zip: '6020', city: 'Innsbruck', countrycode: 'at' },
      }),
  ],
  skonto: [
    '2 % for payment within 8 days',
    () => invoiceOf({ goods: [riesling, pinot], client: { ...business, cashback: 2, cashback_period: 8 } }),
  ],
  shipped: ['drawn after the goods were sent', () => invoiceOf({ goods: [riesling], events: ['ship'] })],
  remark: [
    'a text on the invoice, of two lines',
    () => invoiceOf({ goods: [riesling], remark: 'Ihre Bestellung vom Hoffest.\nVielen Dank!' }),
  ],
  prepaid: [
    'paid before it was invoiced, by transfer',
    () => invoiceOf({ goods: [riesling], payment: 'prepaid', events: ['money_received', 'pack'] }),
  ],
  bank: [
    'the same, by bank',
    () => invoiceOf({ goods: [pinot], payment: 'bank', events: ['money_received', 'pack', 'ship'] }),
  ],
  paypal: ['paid by PayPal', () => invoiceOf({ goods: [riesling], payment: 'paypal', events: ['payment_completed'] })],
  card: ['paid by card', () => invoiceOf({ goods: [riesling], payment: 'card', events: ['payment_completed'] })],
  debit: [
    'by direct debit, with account and mandate of the buyer',
    () =>
      invoiceOf({
        goods: [riesling],
        payment: 'debit',
        client: { ...business, unique_mandate_reference: 'MANDAT-2001' },
      }),
  ],
  collected: [
    'collected at the cellar and paid in cash: no delivery',
    () => invoiceOf({ goods: [riesling], payment: 'cash', delivery: 'none' }),
  ],
  'no-account': [
    'a merchant without bank account and VAT number',
    () => invoiceOf({ goods: [riesling], merchant: { iban: null as never, vatid: null as never } }),
  ],
  'signs-and-scripts': [
    'signs that XML escapes, and names in other scripts',
    () =>
      invoiceOf({
        goods: [
          { ...riesling, name: 'Wein & Käse <Kiste> "Ρετσίνα"' },
          { ...pinot, name: 'Саперави – საფერავი' },
        ],
        client: { first_name: 'Ελένη', last_name: 'Παπαδοπούλου' },
      }),
  ],
  xrechnung: [
    'a public buyer with a buyer reference: an XRechnung',
    () => invoiceOf({ goods: [riesling, juice], mode: 'net', client: authority }),
  ],
  'xrechnung-skonto': [
    'an XRechnung with prices including tax, a rebate and 2.00 % for early payment',
    () =>
      invoiceOf({ goods: [riesling, juice], client: { ...authority, rebate: 5, cashback: 2, cashback_period: 10 } }),
  ],
  'xrechnung-debit': [
    'an XRechnung by direct debit, without all that its rules ask for one',
    () => invoiceOf({ goods: [riesling], payment: 'debit', client: authority }),
  ],
  'xrechnung-debit-whole': [
    'an XRechnung by direct debit, with creditor identifier, account and mandate',
    () =>
      invoiceOf({
        goods: [riesling],
        payment: 'debit',
        client: { ...authority, iban: business.iban, unique_mandate_reference: 'MANDAT-3001' },
        merchant: { creditor_id: 'DE98ZZZ09999999999' },
      }),
  ],
  company: [
    'a company with register number, legal note and organic control body; its buyer with person and department',
    () =>
      invoiceOf({
        goods: [riesling],
        client: { ...business, first_name: 'Ute', last_name: 'Linde' },
        merchant: {
          ...{ register_number: 'HRB 12345', organic_code: 'DE-ÖKO-006' },
          legal_note: 'Amtsgericht Hamburg, Sitz Hamburg, Geschäftsführerin Ada Kontor',
        },
      }),
  ],
  'northern-ireland': [
    'a business in Northern Ireland (category K)',
    () =>
      invoiceOf({
        goods: [riesling],
        client: {
          ...{ company: 'Lagan Wines Ltd', address: 'Quay 1', zip: 'BT1 3AB', city: 'Belfast', countrycode: 'gb' },
          ...{ vatid: 'XI123456789', tax_free: 1, tax_free_reason: 'Intra-Community supply exempt from VAT' },
        },
        events: ['ship'],
      }),
  ],
  'xrechnung-credit': ['the credit of an XRechnung', () => creditOf({ goods: [riesling], client: authority })],
  long: ['50 lines at two rates, with a rebate', () => invoiceOf({ goods: many, client: { ...business, rebate: 3 } })],
  'credit-whole': ['the credit of a whole invoice', () => creditOf({ goods: [riesling, juice] })],
  'credit-whole-net': [
    'the credit of a whole invoice without tax in its prices, to the account of the buyer',
    () => creditOf({ goods: [riesling, juice], mode: 'net', client: { ...business, rebate: 10 } }),
  ],
  'credit-tax-free': [
    'the credit of an invoice without tax',
    () =>
      creditOf({
        goods: [riesling],
        merchant: { tax_free: 1, tax_free_reason: 'Kein Ausweis von Umsatzsteuer nach § 19 UStG' },
      }),
  ],
  'credit-part': [
    'one bottle of six credited',
    () =>
      partOf(
        { goods: [riesling, pinot] },
        1,
        { net: '9.16', tax: '1.74', gross: '10.90' },
        { net: '9.16', tax: '1.74', gross: '10.90' },
      ),
  ],
  'credit-part-rebated': [
    'two bottles of six credited, less their share of the rebate',
    () =>
      partOf(rebated, 2, { net: '18.32', tax: '3.48', gross: '21.80' }, { net: '16.49', tax: '3.13', gross: '19.62' }),
  ],
}
