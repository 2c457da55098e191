import * as v from 'valibot'
import { isTimeZone } from '../../values/day.ts'
import { formatMoney } from '../../values/money.ts'
import { isNumberFormat } from '../../values/number-format.ts'
import { entriesOf, type FieldTable, OneLine } from '../schema/fields.ts'
import { CountryCode, described, Flag, list, Mail, Money, must, text, wholeBetween, word } from '../schema/wire.ts'
import { paymentTypes } from '../vocabulary.ts'

// ISO 13616: with the first four characters moved to the end and letters as numbers from 10 on, the remainder by 97 is 1.
const hasCheckDigits = (text: string): boolean => {
  const digits = [...(text.slice(4) + text.slice(0, 4))].map(sign => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/** True for an IBAN without blanks whose check digits are right. */
export const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  return hasCheckDigits(text)
}

/**
 * True for a SEPA creditor identifier without blanks: check digits as an IBAN has them, over all but the business code in
 * places 5 to 7, which the creditor chooses.
 */
export const isCreditorId = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/.test(text)) return false
  return hasCheckDigits(text.slice(0, 4) + text.slice(7))
}

const compact = (text: string | null): string | null => text?.replaceAll(' ', '').toUpperCase() ?? null

const Iban = v.pipe(
  OneLine,
  v.transform(compact),
  must<string | null>('iban', 'an IBAN with valid check digits', text => text === null || isIban(text)),
)

const CreditorId = v.pipe(
  OneLine,
  v.transform(compact),
  must<string | null>(
    'creditor_id',
    'a SEPA creditor identifier with valid check digits',
    text => text === null || isCreditorId(text),
  ),
)

const Bic = v.pipe(
  OneLine,
  v.transform(compact),
  must<string | null>(
    'bic',
    'a BIC of 8 or 11 characters',
    text => text === null || /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text),
  ),
)

/** A merchant as its shop's pages, mails and invoices show it; every field may be unset. The bank account is for transfers. */
export const merchantFields = {
  company: { body: OneLine, default: null, description: 'Company name.' },
  address: { body: OneLine, default: null, description: 'Street and house number.' },
  zip: { body: OneLine, default: null, description: 'Postal code.' },
  city: { body: OneLine, default: null, description: 'Town.' },
  countrycode: { body: v.nullable(CountryCode), default: null, description: 'Country, as two letters.' },
  phone: { body: OneLine, default: null, description: 'Telephone number.' },
  mail: { body: Mail, default: null, description: 'Mail address for buyers.' },
  www: { body: OneLine, default: null, description: 'Website.' },
  taxid: { body: OneLine, default: null, description: 'Tax number.' },
  vatid: { body: OneLine, default: null, description: 'VAT number.' },
  tax_free: {
    body: Flag,
    default: 0,
    description:
      '1 sells without tax: the `gross` amount of wines, products and packages is the price, and `net` the same.',
  },
  iban: { body: Iban, default: null, description: 'IBAN of the account for transfers.' },
  bic: { body: Bic, default: null, description: 'BIC of the bank.' },
  bankname: { body: OneLine, default: null, description: 'Name of the bank.' },
  bank_owner: { body: OneLine, default: null, description: 'Holder of the account.' },
  creditor_id: {
    body: CreditorId,
    default: null,
    description: 'SEPA creditor identifier of its direct debits, such as `DE98ZZZ09999999999`.',
  },
  register_number: {
    body: OneLine,
    default: null,
    description: 'Number in the commercial register, such as `HRB 12345`.',
  },
  legal_note: {
    body: OneLine,
    default: null,
    description:
      'What letters of the company must say, as register court, seat and directors; in the footer of documents.',
  },
  organic_code: {
    body: OneLine,
    default: null,
    description: 'Code of the control body for organic goods, such as `DE-ÖKO-006`.',
  },
  contact_person: {
    body: OneLine,
    default: null,
    description: 'Person or department that answers questions on invoices.',
  },
  tax_free_reason: {
    body: OneLine,
    default: null,
    description: 'Reason for selling without tax as invoices print it, such as `Kleinunternehmer nach § 19 UStG`.',
  },
} as const satisfies FieldTable

const isHost = (text: string): boolean => {
  if (!URL.canParse(`https://${text}`)) return false
  const { hostname, href } = new URL(`https://${text}`)
  return hostname === text && href === `https://${text}/`
}

const Host = v.pipe(text(), must<string>('host', 'the name of a host in lower case, such as shop.example.org', isHost))

const TimeZone = v.pipe(
  v.string(),
  must<string>('time_zone', 'the name of an IANA time zone, such as Europe/Berlin', isTimeZone),
)

const distinct = <T>(values: T[]): T[] => [...new Set(values)]

/** The settings of a merchant's shop that the merchant itself may change. */
export const settingFields = {
  payment_types: {
    body: v.pipe(list(word(paymentTypes), 20), v.minLength(1), v.transform(distinct)),
    description: 'Payment types that the shop offers, at least one.',
  },
  default_payment_type: {
    body: word(paymentTypes),
    description: 'Payment type of an order if neither the order nor its client names one; one of `payment_types`.',
  },
  freight_free_from: {
    body: v.nullable(v.pipe(Money, v.minValue(0), v.transform(formatMoney))),
    description: 'Gross value of goods, in euros, from which shipping is free, as `150.00`; null for never.',
  },
  redirect_hosts: {
    body: v.pipe(list(Host, 20), v.transform(distinct)),
    description: 'Hosts that `return_url` and `cancel_url` may name, as `shop.example.org`; empty for any.',
  },
  ships_to: {
    body: v.pipe(
      v.nullable(list(CountryCode, 250)),
      v.transform(codes => distinct(codes ?? [])),
    ),
    description: 'Countries that the merchant ships to, as codes of two letters; empty for all.',
  },
  timezone: {
    body: v.nullable(TimeZone),
    description:
      'Time zone in which days begin, as `Europe/Berlin`: those on documents, and `from` and `to` of lists; null for that of the country.',
  },
} as const satisfies FieldTable

const ShopSettings = v.object(entriesOf(settingFields, 'body'))

/** The settings of a merchant's shop, without its payment provider and quotas. */
export type ShopSettings = v.InferOutput<typeof ShopSettings>

const NumberFormat = v.pipe(
  text(),
  must<string>(
    'number_format',
    'up to 40 letters, digits, `.`, `_` and `-`, one `{n}` or `{n:5}`, and optionally `{year}` or `{year}` and `{month}`',
    isNumberFormat,
  ),
)

/** The kinds of documents that have numbers. */
export const numberedKinds = ['order', 'invoice', 'credit_advice', 'delivery_note'] as const

export type NumberedKind = (typeof numberedKinds)[number]

const formatSentence =
  'Numbers of new documents, as `R-{year}-{n:5}`: `{n}` counts, here with five digits; with `{year}` or `{year}` and `{month}` from 1 in each.'
const nextSentence = 'What `{n}` is in the next document.'

const NumberingChange = v.partial(
  v.strictObject({
    number_format: described(NumberFormat, formatSentence),
    next_number: described(wholeBetween(1, 10 ** 9), nextSentence),
  }),
)

const Numbering = v.strictObject({
  number_format: described(v.string(), formatSentence),
  next_number: described(v.number(), nextSentence),
})

const ofEachKind = <Schema extends v.GenericSchema>(schema: Schema) =>
  Object.fromEntries(
    numberedKinds.map(kind => [kind, described(schema, `Numbers of each ${kind.replace('_', ' ')}.`)]),
  ) as Record<NumberedKind, Schema>

export const NumberingsChange = v.partial(v.strictObject(ofEachKind(NumberingChange)))

/** A change of how a merchant numbers its documents, by kind. */
export type NumberingsChange = v.InferOutput<typeof NumberingsChange>

/** How a merchant numbers its documents, by kind. */
export type Numberings = Record<NumberedKind, v.InferOutput<typeof Numbering>>

const Profile = v.object(entriesOf(merchantFields, 'body'))

/** A change of a merchant: each field may be left out. */
export const MerchantChange = v.partial(v.strictObject({ ...Profile.entries, ...ShopSettings.entries }))

const numbersSentence = 'Formats and next numbers by kind of document; documents that exist keep their numbers.'

/** A change of a merchant by its desk. */
export const DeskChange = v.partial(
  v.strictObject({ ...MerchantChange.entries, numbers: described(NumberingsChange, numbersSentence) }),
)

export type Profile = v.InferOutput<typeof Profile>

const nullableText = v.nullable(v.string())

const textOf = (name: keyof typeof merchantFields) => described(nullableText, merchantFields[name].description)

const fieldNames = v.array(v.string())

const Bank = v.strictObject({
  iban: textOf('iban'),
  bic: textOf('bic'),
  bankname: textOf('bankname'),
  bank: described(nullableText, 'The same as `bankname`, for existing clients.'),
  owner: textOf('bank_owner'),
})

/** A merchant as its shop reads it; amounts are strings with two decimals. */
export const ShownMerchant = v.strictObject({
  id: described(v.number(), 'Id of the merchant (`customers_id` in records).'),
  type: described(v.literal('winery'), 'Always `winery`.'),
  company: textOf('company'),
  name: described(v.string(), 'Name of the merchant.'),
  address: textOf('address'),
  zip: textOf('zip'),
  city: textOf('city'),
  countrycode: textOf('countrycode'),
  phone: textOf('phone'),
  mail: textOf('mail'),
  email: described(nullableText, 'The same as `mail`, for existing clients.'),
  www: textOf('www'),
  taxid: textOf('taxid'),
  vatid: textOf('vatid'),
  tax_free: described(Flag, merchantFields.tax_free.description),
  tax_free_reason: textOf('tax_free_reason'),
  contact_person: textOf('contact_person'),
  creditor_id: textOf('creditor_id'),
  register_number: textOf('register_number'),
  legal_note: textOf('legal_note'),
  organic_code: textOf('organic_code'),
  image: described(nullableText, 'Path of the logo.'),
  incomplete: described(
    v.optional(
      v.strictObject({
        invoices: described(fieldNames, 'Fields that all invoices need; `taxid` where neither it nor `vatid` is set.'),
        xrechnungen: described(fieldNames, 'Fields that XRechnungen, the invoices of public buyers, need besides.'),
      }),
    ),
    'Fields of `customers/edit` without which documents are refused. Present in sessions of the role `desk`.',
  ),
  settings: described(
    v.strictObject({
      bank: described(Bank, 'Account for transfers.'),
      freightfreelimit: described(
        nullableText,
        'Gross value of goods, in euros, from which shipping is free; null for never.',
      ),
      payment_types: described(v.array(word(paymentTypes)), settingFields.payment_types.description),
      default_payment_type: described(word(paymentTypes), settingFields.default_payment_type.description),
      redirect_hosts: described(v.array(v.string()), settingFields.redirect_hosts.description),
      ships_to: described(v.array(v.string()), settingFields.ships_to.description),
      timezone: described(v.string(), 'Time zone in which days begin: the one that is set, or that of the country.'),
    }),
    'Settings of the shop.',
  ),
})

export type ShownMerchant = v.InferOutput<typeof ShownMerchant>

/** The same with how it numbers its documents. */
export const NumberedMerchant = v.strictObject({
  ...ShownMerchant.entries,
  numbers: described(v.strictObject(ofEachKind(Numbering)), numbersSentence),
})

export type NumberedMerchant = v.InferOutput<typeof NumberedMerchant>
