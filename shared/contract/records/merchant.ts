import * as v from 'valibot'
import { CountryCode, described, Flag, Mail, must } from '../wire.ts'
import { entriesOf, type Fields, OneLine } from './fields.ts'

// ISO 13616: with the first four characters moved to the end and letters as numbers from 10 on, the remainder by 97 is 1.
/** True for an IBAN without blanks whose check digits are right. */
export const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = [...(text.slice(4) + text.slice(0, 4))].map(sign => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

const compact = (text: string | null): string | null => text?.replaceAll(' ', '').toUpperCase() ?? null

const Iban = v.pipe(
  OneLine,
  v.transform(compact),
  must<string | null>('iban', 'an IBAN with valid check digits', text => text === null || isIban(text)),
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
  tax_free: { body: Flag, default: 0, description: '1 sells without tax.' },
  iban: { body: Iban, default: null, description: 'IBAN of the account for transfers.' },
  bic: { body: Bic, default: null, description: 'BIC of the bank.' },
  bankname: { body: OneLine, default: null, description: 'Name of the bank.' },
  bank_owner: { body: OneLine, default: null, description: 'Holder of the account.' },
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
} as const satisfies Fields

const Profile = v.object(entriesOf(merchantFields, 'body'))

export type Profile = v.InferOutput<typeof Profile>

const nullableText = v.nullable(v.string())

const text = (name: keyof typeof merchantFields) => described(nullableText, merchantFields[name].description)

const Bank = v.strictObject({
  iban: text('iban'),
  bic: text('bic'),
  bankname: text('bankname'),
  bank: described(nullableText, 'The same as `bankname`, for existing clients.'),
  owner: text('bank_owner'),
})

/** A merchant as its shop reads it; amounts are strings with two decimals. */
export const ShownMerchant = v.strictObject({
  id: described(v.number(), 'Id of the merchant (`customers_id` in records).'),
  type: described(v.literal('winery'), 'Always `winery`.'),
  company: text('company'),
  name: described(v.string(), 'Name of the merchant.'),
  address: text('address'),
  zip: text('zip'),
  city: text('city'),
  countrycode: text('countrycode'),
  phone: text('phone'),
  mail: text('mail'),
  email: described(nullableText, 'The same as `mail`, for existing clients.'),
  www: text('www'),
  taxid: text('taxid'),
  vatid: text('vatid'),
  tax_free: described(Flag, merchantFields.tax_free.description),
  image: described(nullableText, 'Path of the logo.'),
  settings: described(
    v.strictObject({
      bank: described(Bank, 'Account for transfers.'),
      freightfreelimit: described(
        nullableText,
        'Gross value of goods, in euros, from which shipping is free; null for never.',
      ),
    }),
    'Settings of the shop.',
  ),
})

export type ShownMerchant = v.InferOutput<typeof ShownMerchant>
