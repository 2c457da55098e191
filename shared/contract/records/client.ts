import * as v from 'valibot'
import { clientTypes, genders, invoiceTypes, paymentTypes } from '../vocabulary.ts'
import { CountryCode, Flag, filled, Mail, optionalLines } from '../wire.ts'
import { completing, entriesOf, type Fields, filed, OneLine, oneOf, whole } from './fields.ts'

const Percent = v.nullable(whole(0, 100))
const Days = v.nullable(whole(0, 365))
const Id = v.nullable(v.number())

/**
 * The client record (interface document 2.2); `cashback` and `rebate` are whole percents, periods are days. In files the
 * price range goes by its name; the delivery address is not in them, because addresses have no name.
 */
export const clientFields = {
  id: { schema: v.number() },
  number: {
    schema: OneLine,
    column: filled(),
    default: null,
    meaning: 'Client number, by which a row finds its client.',
    example: 'K-1042',
  },
  type: { ...filed(oneOf(clientTypes)), default: 'private', meaning: 'Kind of client.', example: 'gastronomy' },
  company: {
    ...filed(OneLine),
    default: null,
    meaning: 'Company name; a client needs it or last_name.',
    example: 'Gasthaus zur Linde',
  },
  department: { ...filed(OneLine), default: null, meaning: 'Department of the company.', example: 'Einkauf' },
  gender: {
    ...filed(v.nullable(oneOf(genders))),
    default: null,
    meaning: 'How the person is addressed: Herr, Frau, neither, or a family.',
    example: 'f',
  },
  title: { ...filed(OneLine), default: null, meaning: 'Academic title.', example: 'Dr.' },
  salutation: {
    ...filed(OneLine),
    default: null,
    meaning: 'Opening of letters.',
    example: 'Sehr geehrte Frau Dr. Amsel',
  },
  first_name: { ...filed(OneLine), default: null, meaning: 'First name.', example: 'Clara' },
  last_name: {
    ...filed(OneLine),
    default: null,
    meaning: 'Last name; a client needs it or company.',
    example: 'Amsel',
  },
  address: { ...filed(OneLine), default: null, meaning: 'Street and house number.', example: 'Marktplatz 1' },
  address_supplement: {
    ...filed(OneLine),
    default: null,
    meaning: 'Second line of the address.',
    example: 'Hinterhaus',
  },
  zip: { ...filed(OneLine), default: null, meaning: 'Postal code.', example: '67547' },
  city: { ...filed(OneLine), default: null, meaning: 'Town.', example: 'Worms' },
  countrycode: { ...filed(v.nullable(CountryCode)), default: null, meaning: 'Country of the address.', example: 'de' },
  mail: {
    ...filed(Mail),
    default: null,
    meaning: 'Mail address, with which the client signs in.',
    example: 'clara.amsel@example.org',
  },
  phone: { ...filed(OneLine), default: null, meaning: 'Telephone number.', example: '+49 6241 1234' },
  mobile: { ...filed(OneLine), default: null, meaning: 'Mobile number.', example: '+49 151 1234567' },
  fax: { ...filed(OneLine), default: null, meaning: 'Fax number.', example: '+49 6241 1235' },
  www: { ...filed(OneLine), default: null, meaning: 'Website.', example: 'https://linde.example' },
  taxid: { ...filed(OneLine), default: null, meaning: 'Tax number or VAT number.', example: 'DE123456789' },
  price_range: {
    column: OneLine,
    meaning: 'Name of the price range whose prices the client pays; it must exist.',
    example: 'Gastronomie',
  },
  invoice_type: {
    ...filed(v.nullable(oneOf(invoiceTypes))),
    default: null,
    meaning: 'Whether invoices show prices without or with tax.',
    example: 'net',
  },
  payment_type: {
    ...filed(v.nullable(oneOf(paymentTypes))),
    default: null,
    meaning: 'How the client usually pays.',
    example: 'invoice',
  },
  payment_period: {
    ...filed(Days),
    default: null,
    meaning: 'Days within which an invoice is to be paid.',
    example: 14,
  },
  rebate: { ...filed(Percent), default: null, meaning: 'Rebate on each order, in percent.', example: 5 },
  cashback: { ...filed(Percent), default: null, meaning: 'Discount for early payment, in percent.', example: 2 },
  cashback_period: {
    ...filed(Days),
    default: null,
    meaning: 'Days within which early payment earns the discount.',
    example: 7,
  },
  tax_free: { ...filed(Flag), default: 0, meaning: '1 sells to the client without tax.' },
  invoice_remark: {
    ...filed(optionalLines(4000)),
    default: null,
    meaning: 'Text for invoices; it may have several lines.',
    example: 'Bestellnummer angeben.',
  },
  delivery_note_remark: {
    ...filed(optionalLines(4000)),
    default: null,
    meaning: 'Text for delivery notes; it may have several lines.',
    example: 'Anlieferung im Hof.',
  },
  bank: { ...filed(OneLine), default: null, meaning: 'Name of the bank.', example: 'Sparkasse Worms' },
  iban: { ...filed(OneLine), default: null, meaning: 'IBAN of the account.', example: 'DE89370400440532013000' },
  bic: { ...filed(OneLine), default: null, meaning: 'BIC of the bank.', example: 'COBADEFFXXX' },
  unique_mandate_reference: {
    ...filed(OneLine),
    default: null,
    meaning: 'Reference of the SEPA direct debit mandate.',
    example: 'MANDAT-1042',
  },
  newsletter: { ...filed(Flag), default: 0, meaning: '1 marks a client who wants the newsletter.' },
  username: {
    ...filed(OneLine),
    default: null,
    meaning: 'User name from an earlier shop; clients sign in with mail.',
    example: 'amsel',
  },
  image: {
    ...filed(OneLine),
    default: null,
    meaning: 'Link to a picture of the client.',
    example: 'https://linde.example/clara.png',
  },
  active: { ...filed(Flag), default: 1, meaning: '0 keeps the client from signing in.' },
  deleted: { ...filed(Flag), default: 0, meaning: '1 marks the client as deleted; no order can name it.' },
  price_range_id: { schema: Id, default: null },
  delivery_address_id: { schema: Id, default: null },
  customers_id: { schema: v.number() },
} as const satisfies Fields

/** A client as it is stored. */
export const Client = v.strictObject(entriesOf(clientFields, 'schema'))
export type Client = v.InferOutput<typeof Client>

// The service reckons with these; the interface types them as texts, as it does every field that it does not mark.
const numbersAsText = [
  'payment_period',
  'rebate',
  'cashback',
  'cashback_period',
  'price_range_id',
  'delivery_address_id',
] as const

const isText = Object.fromEntries(numbersAsText.map(name => [name, v.nullable(v.string())])) as Record<
  (typeof numbersAsText)[number],
  v.NullableSchema<v.StringSchema<undefined>, undefined>
>

/** A client as it is shown (interface document 2.2): all but id, customers_id and the flags are strings or null. */
export const ShownClient = v.strictObject({ ...Client.entries, ...isText, payment_type: v.nullable(v.string()) })
export type ShownClient = v.InferOutput<typeof ShownClient>

/** A stored client as it is shown. */
export const shownClient = (client: Client): ShownClient => {
  const shown: Record<string, unknown> = { ...client }
  for (const name of numbersAsText) if (typeof shown[name] === 'number') shown[name] = String(shown[name])
  return shown as ShownClient
}

/** A client with what is known of it; everything else is unset. */
export const completeClient = completing(clientFields, 'schema')

/** A client that is there, with all its fields. */
export const presentClient = (stored: Client | undefined): Client | undefined =>
  stored && !stored.deleted ? completeClient(stored) : undefined
