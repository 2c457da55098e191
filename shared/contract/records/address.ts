import * as v from 'valibot'
import { commonEntries } from '../schema/fields.ts'
import { CountryCode, described, filled, Id, Mail, optionalText, word } from '../schema/wire.ts'
import { addressTypes, genders } from '../vocabulary.ts'

/** The writable fields of an address; null and '' unset optional fields. */
export const addressFields = {
  type: described(word(addressTypes), 'Use of the address.'),
  client_id: described(v.nullable(Id), 'Id of the client whose address it is; null for none.'),
  name: described(optionalText(), 'Full name, where first and last name are not apart.'),
  first_name: described(optionalText(), 'First name.'),
  last_name: described(optionalText(), 'Last name.'),
  company: described(optionalText(), 'Company name.'),
  gender: described(v.nullable(word(genders)), 'Form of address: `m` Mr, `f` Ms, `d` neither, `fam` a family.'),
  title: described(optionalText(), 'Academic title.'),
  address: described(filled(), 'Street and house number.'),
  address_supplement: described(optionalText(), 'Second line of the address.'),
  zip: described(filled(), 'Postal code.'),
  city: described(filled(), 'Town.'),
  countrycode: described(CountryCode, 'Country, as two letters (ISO 3166) in either case.'),
  phone: described(optionalText(), 'Telephone number.'),
  mail: described(Mail, 'Mail address.'),
}

export const Address = v.strictObject({
  id: described(v.number(), 'Id of the address.'),
  ...addressFields,
  ...commonEntries,
  version: described(v.number(), 'Number that rises with each change.'),
})

export type Address = v.InferOutput<typeof Address>

/** The fields of which any must be filled in. */
export const namingFields = ['name', 'last_name', 'company'] as const

export const isNamed = (data: Partial<Pick<Address, (typeof namingFields)[number]>>): boolean =>
  namingFields.some(field => data[field])
