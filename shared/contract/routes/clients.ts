import * as v from 'valibot'
import { clientFields, ShownClient } from '../records/client.ts'
import { route } from '../route.ts'
import {
  CountryCode,
  described,
  FilledMail,
  Flag,
  filled,
  Mail,
  must,
  nothingAsNull,
  optionalText,
  requirement,
  Timestamp,
  word,
} from '../schema/wire.ts'
import { genders } from '../vocabulary.ts'

const sentenceOf = (name: keyof typeof clientFields): string => clientFields[name].description

/** A field of the client record with a schema for forms. */
const clientField = <Schema extends v.GenericSchema>(name: keyof typeof clientFields, schema: Schema) =>
  described(schema, sentenceOf(name))

/** The fields that a client may set; null and '' unset them. Number, terms and notes belong to the merchant. */
const person = v.partial(
  v.object({
    gender: clientField('gender', nothingAsNull(word(genders))),
    title: clientField('title', optionalText()),
    salutation: clientField('salutation', optionalText()),
    first_name: clientField('first_name', optionalText()),
    last_name: clientField('last_name', optionalText()),
    company: clientField('company', optionalText()),
    department: clientField('department', optionalText()),
    address: clientField('address', optionalText()),
    address_supplement: clientField('address_supplement', optionalText()),
    zip: clientField('zip', optionalText()),
    city: clientField('city', optionalText()),
    countrycode: clientField('countrycode', nothingAsNull(CountryCode)),
    phone: clientField('phone', optionalText()),
    mobile: clientField('mobile', optionalText()),
    fax: clientField('fax', optionalText()),
    www: clientField('www', optionalText()),
    newsletter: clientField('newsletter', Flag),
  }),
).entries

/** The password that a shop sends, mostly a digest: taken as it is, to the last blank. */
const Password = v.pipe(
  v.string(),
  must<string>('required', 'filled in', password => password !== '', { minLength: 1 }),
  must<string>('max_length', 'at most 255 characters long', password => password.length <= 255, {
    maxLength: 255,
  }),
  must<string>('well_formed', 'well-formed Unicode', password => password.isWellFormed(), {}),
)

/** The one-time token, under either of its field names. */
type OneTimeTokenNames = { hash?: string | null | undefined; lostpassword_hash?: string | null | undefined }

const hashes = {
  hash: described(
    v.nullish(filled()),
    'The hash from the mail, required under one of its two names; valid for 24 hours, once.',
  ),
  lostpassword_hash: described(v.nullish(filled()), 'Another name of `hash`.'),
}

const isGiven = requirement(
  'required',
  'given',
  ({ hash, lostpassword_hash }: OneTimeTokenNames) => typeof (hash ?? lostpassword_hash) === 'string',
)

const HashReference = v.pipe(
  v.object(hashes),
  v.forward(v.partialCheck([['hash'], ['lostpassword_hash']], isGiven), ['hash']),
)

const PasswordReset = v.pipe(
  v.object({ ...hashes, password: described(Password, 'The new password.') }),
  v.forward(v.partialCheck([['hash'], ['lostpassword_hash']], isGiven), ['hash']),
)

/** The one-time token of a request. */
export const oneTimeTokenIn = ({ hash, lostpassword_hash }: OneTimeTokenNames): string =>
  hash ?? lostpassword_hash ?? ''

const Whom = {
  id: described(v.number(), 'Id of the client.'),
  mail: described(v.string(), 'Mail address of the client.'),
}

/** The names that were typed, for the greeting in the mail; they reveal nothing about an existing client. */
const TypedNames = {
  gender: described(v.nullable(v.picklist(genders)), sentenceOf('gender')),
  title: described(v.nullable(v.string()), sentenceOf('title')),
  first_name: described(v.nullable(v.string()), sentenceOf('first_name')),
  last_name: described(v.nullable(v.string()), sentenceOf('last_name')),
  company: described(v.nullable(v.string()), sentenceOf('company')),
}

const expire = described(Timestamp, 'End of the hash, 24 hours after it was made, UTC.')

const readOwner = { clientMail: ['get'], client: ['batchGet'], clientAccess: ['batchGet'] } as const
const proving = {
  clientHash: ['get', 'delete'],
  clientMail: ['put'],
  clientAccess: ['batchGet', 'put'],
} as const

// scrypt needs one core; Lambda gives a whole core with this much memory.
const hashing = { memory: 1769 } as const

export const clientsExists = route({
  path: '/service/clients/exists',
  level: 'service',
  forBuyers: true,
  permissions: readOwner,
  body: v.object({ mail: described(v.nullish(Mail, null), 'Mail address to look for, in either case.') }),
  response: v.union([v.literal(false), v.number()]),
  summary: 'Returns the id of the client with this mail, or false.',
})

export const clientsRegister = route({
  path: '/service/clients/register',
  level: 'service',
  forBuyers: true,
  ...hashing,
  permissions: {
    ...readOwner,
    clientMail: ['get', 'put'],
    client: ['batchGet', 'put', 'query'],
    clientNumbers: ['update', 'put'],
    clientHash: ['put'],
    quota: ['update'],
  },
  body: v.object({
    data: described(
      v.object({
        mail: described(FilledMail, 'Mail address, with which the client signs in.'),
        password: described(Password, 'The password, as the shop passes it on.'),
        name: described(v.nullish(optionalText()), 'Full name, where first and last name are not apart.'),
        ...person,
      }),
      'The new client.',
    ),
  }),
  response: v.strictObject({
    ...Whom,
    ...TypedNames,
    lostpassword_hash: described(v.string(), 'Hash that the shop mails to the client, for `clients/activate`.'),
    expire,
  }),
  errors: ['mail_taken'],
  summary: 'Registers a client; returns a hash, which the shop mails and clients/activate needs.',
})

export const clientsActivate = route({
  path: '/service/clients/activate',
  level: 'service',
  forBuyers: true,
  permissions: { ...proving, client: ['batchGet', 'update'] },
  body: HashReference,
  response: v.strictObject(Whom),
  errors: ['hash_invalid'],
  summary: 'Activates the account of a registered client.',
})

export const clientsLogin = route({
  path: '/service/clients/login',
  level: 'service',
  forBuyers: true,
  ...hashing,
  permissions: {
    ...readOwner,
    clientSession: ['put'],
    clientCaller: ['get', 'put'],
    failures: ['put', 'update'],
  },
  repeat: 'safe',
  body: v.object({
    mail: described(FilledMail, 'Mail address of the client.'),
    password: described(Password, 'The password, as it was set.'),
    caller: described(
      v.nullish(optionalText(64), null),
      'Opaque key of the visitor, as a hash of their network address; keeps attackers from locking the client out.',
    ),
  }),
  response: v.strictObject({
    ...Whom,
    token: described(v.string(), 'Token for the header `Client-Authorization`.'),
    expires: described(Timestamp, 'End of the sign-in, 12 hours ahead, UTC.'),
  }),
  errors: ['login_failed', 'client_login_throttled'],
  summary: 'Signs a client in for 12 hours.',
})

export const clientsLogout = route({
  path: '/service/clients/logout',
  level: 'service',
  forBuyers: true,
  client: 'required',
  permissions: { clientSession: ['delete'] },
  body: v.object({}),
  response: v.strictObject({ id: Whom.id }),
  summary: 'Ends the session of the given client token, within a minute.',
})

export const clientsGetPasswordHash = route({
  path: '/service/clients/getPasswordHash',
  level: 'service',
  forBuyers: true,
  permissions: { ...readOwner, clientHash: ['put'] },
  body: v.object({ mail: described(FilledMail, 'Mail address of the client.') }),
  response: v.strictObject({
    hash: described(v.string(), 'Hash that the shop mails to the client, for `clients/resetPassword`.'),
    expire,
  }),
  summary: 'Returns a hash for a new password, which the shop mails to the client.',
})

export const clientsValidatePasswordHash = route({
  path: '/service/clients/validatePasswordHash',
  level: 'service',
  forBuyers: true,
  permissions: { clientHash: ['get'], client: ['batchGet'], clientAccess: ['batchGet'] },
  body: HashReference,
  response: v.strictObject({ ...Whom, expire }),
  errors: ['hash_invalid'],
  summary: 'Returns the client of a hash and the time when it expires.',
})

export const clientsResetPassword = route({
  path: '/service/clients/resetPassword',
  level: 'service',
  forBuyers: true,
  ...hashing,
  permissions: { ...proving, client: ['batchGet', 'check'] },
  body: PasswordReset,
  response: v.strictObject(Whom),
  errors: ['hash_invalid'],
  summary: 'Sets a new password with a hash, which is valid once; ends all sessions of the client.',
})

export const clientsGet = route({
  path: '/service/clients/get',
  level: 'service',
  forBuyers: true,
  client: 'required',
  permissions: { client: ['get'] },
  body: v.object({}),
  response: ShownClient,
  summary: 'Reads the client who is signed in.',
})

export const clientsEdit = route({
  path: '/service/clients/edit',
  level: 'service',
  forBuyers: true,
  client: 'required',
  ...hashing,
  permissions: {
    client: ['get', 'batchGet', 'update', 'check'],
    clientMail: ['batchGet', 'put', 'delete'],
    clientAccess: ['batchGet', 'check', 'put'],
    clientSession: ['batchGet', 'update'],
  },
  // A shop's form sends more fields than the record has, such as password_repeat in plain text.
  body: v.object({
    data: described(
      v.pipe(
        v.unknown(),
        must<unknown>('type', 'an object', data => !Array.isArray(data), {}),
        v.object({
          ...person,
          mail: described(v.optional(FilledMail), 'New mail address, with which the client signs in from then on.'),
          username: described(v.optional(nothingAsNull(FilledMail), null), 'Another name of `mail`.'),
          password: described(
            v.optional(nothingAsNull(Password), null),
            'New password; ends other sign-ins of the client.',
          ),
        }),
      ),
      'Fields to change; the others stay as they are.',
    ),
  }),
  response: ShownClient,
  errors: ['nothing_to_change', 'mail_taken'],
  summary:
    'Changes the given fields of the client who is signed in; a new password ends its other sessions. Orders keep their own copy.',
})
