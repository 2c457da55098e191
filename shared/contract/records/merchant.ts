import * as v from 'valibot'
import { CountryCode, Flag, Mail, must } from '../wire.ts'
import { entriesOf, type Fields, OneLine } from './fields.ts'

// ISO 13616: what stands in front goes behind, letters count as numbers from 10 on, and the rest of a division by 97 is 1.
const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = [...(text.slice(4) + text.slice(0, 4))].map(sign => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

const compact = (text: string | null): string | null => text?.replaceAll(' ', '').toUpperCase() ?? null

const Iban = v.pipe(
  OneLine,
  v.transform(compact),
  must<string | null>('iban', 'an IBAN with its check digits', text => text === null || isIban(text)),
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

/** A merchant as its shop's pages, mails and invoices show it; all of it may be unset. The bank account is for transfers. */
export const merchantFields = {
  company: { body: OneLine, default: null },
  address: { body: OneLine, default: null },
  zip: { body: OneLine, default: null },
  city: { body: OneLine, default: null },
  countrycode: { body: v.nullable(CountryCode), default: null },
  phone: { body: OneLine, default: null },
  mail: { body: Mail, default: null },
  www: { body: OneLine, default: null },
  taxid: { body: OneLine, default: null },
  vatid: { body: OneLine, default: null },
  tax_free: { body: Flag, default: 0 },
  iban: { body: Iban, default: null },
  bic: { body: Bic, default: null },
  bankname: { body: OneLine, default: null },
  bank_owner: { body: OneLine, default: null },
} as const satisfies Fields

const Profile = v.object(entriesOf(merchantFields, 'body'))

/** What a merchant tells of itself, by field. */
export type Profile = v.InferOutput<typeof Profile>

const text = v.nullable(v.string())

/** A merchant as its shop is shown it; amounts are strings with two decimals, `bank` in it is the bank's name. */
export const ShownMerchant = v.strictObject({
  id: v.number(),
  type: v.literal('winery'),
  company: text,
  name: v.string(),
  address: text,
  zip: text,
  city: text,
  countrycode: text,
  phone: text,
  mail: text,
  email: text,
  www: text,
  taxid: text,
  vatid: text,
  tax_free: Flag,
  image: text,
  settings: v.strictObject({
    bank: v.strictObject({ iban: text, bic: text, bankname: text, bank: text, owner: text }),
    freightfreelimit: text,
  }),
})

export type ShownMerchant = v.InferOutput<typeof ShownMerchant>
