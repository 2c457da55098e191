import * as v from 'valibot'
import { addressTypes, genders } from '../vocabulary.ts'
import { CountryCode, filled, Id, Mail, optionalText, Timestamp, word } from '../wire.ts'

/** What a caller may set on an address, each field on its own; null and '' unset the optional ones. */
export const addressFields = {
  type: word(addressTypes),
  client_id: v.nullable(Id),
  name: optionalText(),
  first_name: optionalText(),
  last_name: optionalText(),
  company: optionalText(),
  gender: v.nullable(word(genders)),
  title: optionalText(),
  address: filled(),
  address_supplement: optionalText(),
  zip: filled(),
  city: filled(),
  countrycode: CountryCode,
  phone: optionalText(),
  mail: Mail,
}

/** An address as it is stored and shown. */
export const Address = v.strictObject({
  id: v.number(),
  ...addressFields,
  customers_id: v.number(),
  cruser_id: v.number(),
  crstamp: Timestamp,
  chstamp: Timestamp,
  version: v.number(),
})

export type Address = v.InferOutput<typeof Address>

/** The fields of which one must name the person or company. */
export const namingFields = ['name', 'last_name', 'company'] as const

/** Whether one of the fields that name a person or company is filled in. */
export const isNamed = (data: Partial<Pick<Address, (typeof namingFields)[number]>>): boolean =>
  namingFields.some(field => data[field])
