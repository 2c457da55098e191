import fc from 'fast-check'
import type * as v from 'valibot'
import { Problem } from '../../shared/contract/errors.ts'
import { addressFields } from '../../shared/contract/records/address.ts'
import { AddressChange, addressesGetAll, NewAddress } from '../../shared/contract/routes/addresses.ts'
import { genders } from '../../shared/contract/vocabulary.ts'
import { validate } from '../../shared/http/request.ts'
import { problemOf } from '../support/bad-values.ts'

const rulesOf = (schema: v.GenericSchema, value: unknown) =>
  problemOf(schema, value).fields.map(({ path, rule }) => `${path} ${rule}`)

const least = { name: 'Weingut Süd', address: 'Am Hang 1', zip: '01234', city: 'Trier', countrycode: 'de' }

const optionalTexts = ['name', 'first_name', 'last_name', 'company', 'title', 'address_supplement', 'phone'] as const
const requiredTexts = ['address', 'zip', 'city'] as const
const protectedFields = [
  'id',
  'customers_id',
  'cruser_id',
  'crstamp',
  'chstamp',
  'deleted',
  'pk',
  'sk',
  'lsi1sk',
  'client',
]
const prototypeKeys = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__', 'prototype']

describe('a new address', () => {
  test('requires street, zip, city, country and a name', () => {
    expect(validate(NewAddress, least)).toEqual({ ...least, type: 'shipping' })
  })

  test.each(['name', 'last_name', 'company'])('accepts a %s as its only name', field => {
    const { name, ...rest } = least
    expect(validate(NewAddress, { ...rest, [field]: 'Süd' })).toEqual({ ...rest, [field]: 'Süd', type: 'shipping' })
  })

  test.each([
    {},
    { name: null },
    { name: '' },
    { name: '  ', last_name: null, company: '' },
    { first_name: 'Anna' },
  ])('does not accept %j as a name', names => {
    const { name, ...rest } = least
    expect(rulesOf(NewAddress, { ...rest, ...names })).toEqual([' named'])
  })

  test('reports all missing fields together', () => {
    expect(rulesOf(NewAddress, {})).toEqual([
      'address required',
      'zip required',
      'city required',
      'countrycode required',
      ' named',
    ])
    expect(rulesOf(NewAddress, [])).toEqual([
      'address required',
      'zip required',
      'city required',
      'countrycode required',
      ' named',
    ])
  })

  test.each(requiredTexts)('requires a visible %s', field => {
    for (const value of ['', '   ', '\u00a0'])
      expect(rulesOf(NewAddress, { ...least, [field]: value })).toEqual([`${field} required`])
    for (const value of [null, 5, [], {}])
      expect(rulesOf(NewAddress, { ...least, [field]: value })).toEqual([`${field} type`])
  })

  test('keeps the leading zero of its zip, which is a text', () => {
    expect(validate(NewAddress, least).zip).toBe('01234')
    expect(rulesOf(NewAddress, { ...least, zip: 1234 })).toEqual(['zip type'])
  })

  test.each([null, 5, 'text', true])('cannot be %j', value => {
    expect(rulesOf(NewAddress, value)).toEqual([' type'])
  })

  test.each(['invoice', 'shipping', 'geolocation'])('accepts the type %s', type => {
    expect(validate(NewAddress, { ...least, type }).type).toBe(type)
  })

  test('has the type shipping by default', () => {
    expect(validate(NewAddress, { ...least, type: null }).type).toBe('shipping')
  })

  test.each(['', 'Invoice', 'billing', 'constructor', 0, []])('refuses the type %j', type => {
    expect(rulesOf(NewAddress, { ...least, type })).toEqual(['type one_of'])
  })

  test.each(['xx', 'd', 'deu', '', null, 49])('refuses the country %j', countrycode => {
    expect(problemOf(NewAddress, { ...least, countrycode }).fields).toHaveLength(1)
  })

  test('has no writable version', () => {
    expect(rulesOf(NewAddress, { ...least, version: 1 })).toEqual(['version not_writable'])
  })
})

describe('a change of an address', () => {
  test('accepts each field alone', () => {
    for (const field of [...optionalTexts, ...requiredTexts]) {
      expect(validate(AddressChange, { [field]: 'Süd' })).toEqual({ [field]: 'Süd' })
    }
    expect(validate(AddressChange, { mail: 'sued@example.org' })).toEqual({ mail: 'sued@example.org' })
    expect(validate(AddressChange, { type: 'invoice' })).toEqual({ type: 'invoice' })
    expect(validate(AddressChange, { client_id: '12' })).toEqual({ client_id: 12 })
    expect(validate(AddressChange, { version: '3' })).toEqual({ version: 3 })
  })

  test('does not contain missing fields', () => {
    expect(validate(AddressChange, {})).toEqual({})
    expect(validate(AddressChange, [])).toEqual({})
  })

  test.each(optionalTexts)('unsets %s by null and the empty text', field => {
    for (const value of [null, '', '  ']) expect(validate(AddressChange, { [field]: value })).toEqual({ [field]: null })
  })

  test.each(requiredTexts)('changes %s, but does not unset it', field => {
    expect(rulesOf(AddressChange, { [field]: '' })).toEqual([`${field} required`])
    expect(rulesOf(AddressChange, { [field]: null })).toEqual([`${field} type`])
  })

  test('does not unset type and country', () => {
    expect(rulesOf(AddressChange, { type: null, countrycode: null })).toHaveLength(2)
  })

  test.each([0, '0', -1, 1.5, '1e3', '12abc', '', 2 ** 53, true])('refuses the version %j', version => {
    expect(rulesOf(AddressChange, { version })).toEqual(['version id'])
  })
})

describe.each([
  ['a new address', NewAddress, least],
  ['a change', AddressChange, {}],
] as const)('%s', (_, schema, base) => {
  test.each([
    ...protectedFields,
    ...prototypeKeys,
    'constructor.prototype',
    'Name',
    '',
  ])('"%s" cannot be set', field => {
    const problem = problemOf(schema, { ...base, [field]: 1 })
    expect(problem.word).toBe('field_not_writable')
    expect(problem.fields).toEqual([{ path: field, rule: 'not_writable', expected: 'left out' }])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('all fields that cannot be set are reported, together with those of invalid values', () => {
    const value = { ...base, id: 1, crstamp: 2, city: 5 }
    expect(rulesOf(schema, value).toSorted()).toEqual(['city type', 'crstamp not_writable', 'id not_writable'])
  })

  test.each([null, 12, '12', 9007199254740991])('the client_id %j is valid', client_id => {
    expect(validate(schema, { ...base, client_id })).toMatchObject({ client_id: client_id && Number(client_id) })
  })

  test.each([
    0,
    '0',
    -1,
    1.5,
    '1e3',
    '12abc',
    '0x10',
    '１２',
    '',
    ' 12',
    2 ** 53,
    true,
    [],
    {},
  ])('the client_id %j is invalid', client_id => {
    expect(rulesOf(schema, { ...base, client_id })).toEqual(['client_id id'])
  })

  test.each([...genders, null])('the gender %j is valid', gender => {
    expect(validate(schema, { ...base, gender })).toMatchObject({ gender })
  })

  test.each(['w', 'M', 'male', 'constructor', 1, true])('the gender %j is invalid', gender => {
    expect(rulesOf(schema, { ...base, gender })).toEqual(['gender one_of'])
  })

  test.each([...optionalTexts, ...requiredTexts])('%s is one printable line of at most 255 characters', field => {
    const given = (value: string) => ({ ...base, [field]: value })
    expect(validate(schema, given(` ${'🍷'.repeat(255)} `))).toMatchObject({ [field]: '🍷'.repeat(255) })
    expect(rulesOf(schema, given('🍷'.repeat(256)))).toEqual([`${field} max_length`])
    for (const value of ['a\nb', 'a\u0000b', 'a\u009bb', 'a\u202eb', 'a\u2066b']) {
      expect(rulesOf(schema, given(value))).toEqual([`${field} printable`])
    }
    expect(rulesOf(schema, given('a\ud800b'))).toEqual([`${field} well_formed`])
  })

  test('mail is a mail address, and nothing longer than one', () => {
    const given = (mail: string) => ({ ...base, mail })
    const longest = `${'🍷'.repeat(242)}@example.org`
    expect(validate(schema, given(` ${longest} `))).toMatchObject({ mail: longest })
    expect(rulesOf(schema, given(`🍷${longest}`))).toEqual(['mail max_length'])
    for (const value of ['a\nb@example.org', 'a\u0000b@example.org', 'a\u202eb@example.org']) {
      expect(rulesOf(schema, given(value))).toEqual(['mail printable'])
    }
    for (const value of ['sued', 'sued@', '@example.org', 'a b@example.org', 'a@b@example.org', 'a@example']) {
      expect(rulesOf(schema, given(value))).toEqual(['mail mail'])
    }
  })
})

test('add and edit have the same fields except version', () => {
  const fields = Object.keys(addressFields).toSorted()
  expect(Object.keys(NewAddress.entries).toSorted()).toEqual(fields)
  expect(Object.keys(AddressChange.entries).toSorted()).toEqual([...fields, 'version'].toSorted())
})

test('a list of addresses accepts client_id and type or neither', () => {
  expect(validate(addressesGetAll.body, {})).toEqual({})
  expect(validate(addressesGetAll.body, { client_id: null, type: null, other: 1 })).toEqual({
    client_id: null,
    type: null,
  })
  expect(validate(addressesGetAll.body, { client_id: '5', type: 'invoice' })).toEqual({
    client_id: 5,
    type: 'invoice',
  })
  expect(rulesOf(addressesGetAll.body, { client_id: 'x', type: 'home' })).toEqual(['client_id id', 'type one_of'])
})

test('an accepted address is accepted again and unchanged', () => {
  const field = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constant(null))
  const address = fc.record({ ...Object.fromEntries(optionalTexts.map(name => [name, field])) }, { requiredKeys: [] })
  fc.assert(
    fc.property(address, fields => {
      const value: Record<string, unknown> = { ...least, ...fields }
      if (!value.name && !value.last_name && !value.company) return
      let first: unknown
      try {
        first = validate(NewAddress, value)
      } catch (error) {
        expect(error).toBeInstanceOf(Problem)
        return
      }
      expect(validate(NewAddress, first)).toEqual(first)
    }),
  )
})
