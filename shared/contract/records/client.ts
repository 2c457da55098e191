import * as v from 'valibot'
import {
  boundedWhole,
  common,
  createCompletion,
  entriesOf,
  type FieldTable,
  filed,
  OneLine,
  oneOfWords,
} from '../schema/fields.ts'
import { CountryCode, described, Flag, Id, Mail, optionalLines } from '../schema/wire.ts'
import { clientTypes, genders, invoiceTypes, paymentTypes } from '../vocabulary.ts'

const Percent = v.nullable(boundedWhole(0, 100))
const Days = v.nullable(boundedWhole(0, 365))
const OtherId = v.nullable(v.number())

/**
 * The client record; `cashback` and `rebate` are whole percents, periods are days. Files name the
 * price range; they have no delivery address, because addresses have no name.
 */
export const clientFields = {
  id: {
    schema: v.number(),
    column: Id,
    description: 'Id of the client.',
    inFiles: 'A row without a number finds its client by it; a new client gets it if it is free.',
    example: 42,
  },
  number: {
    ...filed(OneLine),
    default: null,
    description: "The merchant's own client number.",
    inFiles: 'A row finds its client by it.',
    example: 'K-1042',
  },
  type: {
    ...filed(oneOfWords(clientTypes)),
    default: 'private',
    description: 'Kind of client.',
    example: 'gastronomy',
  },
  company: {
    ...filed(OneLine),
    default: null,
    description: 'Company name.',
    inFiles: 'A client needs it or last_name.',
    example: 'Gasthaus zur Linde',
  },
  department: { ...filed(OneLine), default: null, description: 'Department of the company.', example: 'Einkauf' },
  gender: {
    ...filed(v.nullable(oneOfWords(genders))),
    default: null,
    description: 'Form of address: `m` Mr, `f` Ms, `d` neither, `fam` a family.',
    example: 'f',
  },
  title: { ...filed(OneLine), default: null, description: 'Academic title.', example: 'Dr.' },
  salutation: {
    ...filed(OneLine),
    default: null,
    description: 'Opening line of letters.',
    example: 'Sehr geehrte Frau Dr. Amsel',
  },
  first_name: { ...filed(OneLine), default: null, description: 'First name.', example: 'Clara' },
  last_name: {
    ...filed(OneLine),
    default: null,
    description: 'Last name.',
    inFiles: 'A client needs it or company.',
    example: 'Amsel',
  },
  address: { ...filed(OneLine), default: null, description: 'Street and house number.', example: 'Marktplatz 1' },
  address_supplement: {
    ...filed(OneLine),
    default: null,
    description: 'Second line of the address.',
    example: 'Hinterhaus',
  },
  zip: { ...filed(OneLine), default: null, description: 'Postal code.', example: '67547' },
  city: { ...filed(OneLine), default: null, description: 'Town.', example: 'Worms' },
  countrycode: {
    ...filed(v.nullable(CountryCode)),
    default: null,
    description: 'Country of the address, as two letters.',
    example: 'de',
  },
  mail: {
    ...filed(Mail),
    default: null,
    description: 'Mail address, with which the client signs in.',
    example: 'clara.amsel@example.org',
  },
  phone: { ...filed(OneLine), default: null, description: 'Telephone number.', example: '+49 6241 1234' },
  mobile: { ...filed(OneLine), default: null, description: 'Mobile number.', example: '+49 151 1234567' },
  fax: { ...filed(OneLine), default: null, description: 'Fax number.', example: '+49 6241 1235' },
  www: { ...filed(OneLine), default: null, description: 'Website.', example: 'https://linde.example' },
  taxid: { ...filed(OneLine), default: null, description: 'Tax number or VAT number.', example: 'DE123456789' },
  price_range: {
    column: OneLine,
    description: 'Name of the price range whose prices the client pays; it must exist.',
    example: 'Gastronomie',
  },
  invoice_type: {
    ...filed(v.nullable(oneOfWords(invoiceTypes))),
    default: null,
    description: 'Prices on invoices: without tax (`net`) or with it.',
    example: 'net',
  },
  payment_type: {
    ...filed(v.nullable(oneOfWords(paymentTypes))),
    default: null,
    description: 'How the client usually pays.',
    example: 'invoice',
  },
  payment_period: {
    ...filed(Days),
    default: null,
    description: 'Days within which an invoice must be paid.',
    example: 14,
  },
  rebate: { ...filed(Percent), default: null, description: 'Rebate on each order, in percent.', example: 5 },
  cashback: { ...filed(Percent), default: null, description: 'Discount for early payment, in percent.', example: 2 },
  cashback_period: {
    ...filed(Days),
    default: null,
    description: 'Days within which early payment earns the discount.',
    example: 7,
  },
  tax_free: { ...filed(Flag), default: 0, description: '1 sells to the client without tax, for the `net` price.' },
  invoice_remark: {
    ...filed(optionalLines(4000)),
    default: null,
    description: 'Text for invoices; it may have several lines.',
    example: 'Bestellnummer angeben.',
  },
  delivery_note_remark: {
    ...filed(optionalLines(4000)),
    default: null,
    description: 'Text for delivery notes; it may have several lines.',
    example: 'Anlieferung im Hof.',
  },
  bank: { ...filed(OneLine), default: null, description: 'Name of the bank.', example: 'Sparkasse Worms' },
  iban: { ...filed(OneLine), default: null, description: 'IBAN of the account.', example: 'DE89370400440532013000' },
  bic: { ...filed(OneLine), default: null, description: 'BIC of the bank.', example: 'COBADEFFXXX' },
  unique_mandate_reference: {
    ...filed(OneLine),
    default: null,
    description: 'Reference of the SEPA direct debit mandate.',
    example: 'MANDAT-1042',
  },
  newsletter: { ...filed(Flag), default: 0, description: '1 marks a client who wants the newsletter.' },
  username: {
    ...filed(OneLine),
    default: null,
    description: 'User name from an earlier shop; clients sign in with mail.',
    example: 'amsel',
  },
  image: {
    ...filed(OneLine),
    default: null,
    description: 'Link to a picture of the client.',
    example: 'https://linde.example/clara.png',
  },
  active: { ...filed(Flag), default: 1, description: '0 keeps the client from signing in.' },
  deleted: { ...filed(Flag), default: 0, description: '1 marks the client as deleted; no order can name it.' },
  price_range_id: {
    schema: OtherId,
    default: null,
    description: 'Id of the price range whose prices the client pays.',
  },
  delivery_address_id: { schema: OtherId, default: null, description: "Id of the client's usual delivery address." },
  customers_id: common.customers_id,
  vatid: { ...filed(OneLine), default: null, description: 'VAT number, for invoices.', example: 'DE123456789' },
  buyer_reference: {
    ...filed(OneLine),
    default: null,
    description: 'Reference that a public buyer requires on invoices (Leitweg-ID); they become XRechnungen.',
    example: '04011000-12345-34',
  },
  tax_free_reason: {
    ...filed(OneLine),
    default: null,
    description: "Reason for selling to the client without tax as invoices print it; the merchant's if it is empty.",
    example: 'Steuerfreie innergemeinschaftliche Lieferung',
  },
} as const satisfies FieldTable

export const Client = v.strictObject(entriesOf(clientFields, 'schema'))
export type Client = v.InferOutput<typeof Client>

// The service computes with these numbers; the interface types them as texts, as all fields without a mark.
const numbersAsText = [
  'payment_period',
  'rebate',
  'cashback',
  'cashback_period',
  'price_range_id',
  'delivery_address_id',
] as const

const asText = (name: keyof typeof clientFields) => described(v.nullable(v.string()), clientFields[name].description)

const isText = Object.fromEntries(numbersAsText.map(name => [name, asText(name)])) as Record<
  (typeof numbersAsText)[number],
  v.NullableSchema<v.StringSchema<undefined>, undefined>
>

/** A client as it is shown: all but id, customers_id and the flags are strings or null. */
export const ShownClient = v.strictObject({ ...Client.entries, ...isText, payment_type: asText('payment_type') })
export type ShownClient = v.InferOutput<typeof ShownClient>

export const shownClient = (client: Client): ShownClient => {
  const shown: Record<string, unknown> = { ...client }
  for (const name of numbersAsText) if (typeof shown[name] === 'number') shown[name] = String(shown[name])
  return shown as ShownClient
}

export const completeClient = createCompletion(clientFields, 'schema')

/** The complete client; undefined if it is missing or deleted. */
export const presentClient = (stored: Client | undefined): Client | undefined =>
  stored && !stored.deleted ? completeClient(stored) : undefined
