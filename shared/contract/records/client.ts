import * as v from 'valibot'
import { clientTypes, genders, invoiceTypes, paymentTypes } from '../vocabulary.ts'
import { CountryCode, Flag, filled, Mail, optionalLines } from '../wire.ts'
import { completing, entriesOf, type Fields, filed } from './fields.ts'
import { OneLine, oneOf, whole } from './values.ts'

const Percent = v.nullable(whole(0, 100))
const Days = v.nullable(whole(0, 365))
const Id = v.nullable(v.number())

/**
 * The client record (interface document 2.2); `cashback` and `rebate` are whole percents, periods are days. In files the
 * price range goes by its name; the delivery address is not in them, because addresses have no name.
 */
export const clientFields = {
  id: { schema: v.number() },
  number: { schema: OneLine, column: filled(), default: null },
  type: { ...filed(oneOf(clientTypes)), default: 'private' },
  company: { ...filed(OneLine), default: null },
  department: { ...filed(OneLine), default: null },
  gender: { ...filed(v.nullable(oneOf(genders))), default: null },
  title: { ...filed(OneLine), default: null },
  salutation: { ...filed(OneLine), default: null },
  first_name: { ...filed(OneLine), default: null },
  last_name: { ...filed(OneLine), default: null },
  address: { ...filed(OneLine), default: null },
  address_supplement: { ...filed(OneLine), default: null },
  zip: { ...filed(OneLine), default: null },
  city: { ...filed(OneLine), default: null },
  countrycode: { ...filed(v.nullable(CountryCode)), default: null },
  mail: { ...filed(Mail), default: null },
  phone: { ...filed(OneLine), default: null },
  mobile: { ...filed(OneLine), default: null },
  fax: { ...filed(OneLine), default: null },
  www: { ...filed(OneLine), default: null },
  taxid: { ...filed(OneLine), default: null },
  price_range: { column: OneLine },
  invoice_type: { ...filed(v.nullable(oneOf(invoiceTypes))), default: null },
  payment_type: { ...filed(v.nullable(oneOf(paymentTypes))), default: null },
  payment_period: { ...filed(Days), default: null },
  rebate: { ...filed(Percent), default: null },
  cashback: { ...filed(Percent), default: null },
  cashback_period: { ...filed(Days), default: null },
  tax_free: { ...filed(Flag), default: 0 },
  invoice_remark: { ...filed(optionalLines(4000)), default: null },
  delivery_note_remark: { ...filed(optionalLines(4000)), default: null },
  bank: { ...filed(OneLine), default: null },
  iban: { ...filed(OneLine), default: null },
  bic: { ...filed(OneLine), default: null },
  unique_mandate_reference: { ...filed(OneLine), default: null },
  newsletter: { ...filed(Flag), default: 0 },
  username: { ...filed(OneLine), default: null },
  image: { ...filed(OneLine), default: null },
  active: { ...filed(Flag), default: 1 },
  deleted: { ...filed(Flag), default: 0 },
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
