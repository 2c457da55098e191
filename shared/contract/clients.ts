import * as v from 'valibot'
import { ShownClient } from './records/client.ts'
import { route } from './route.ts'
import { genders } from './vocabulary.ts'
import {
  CountryCode,
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
} from './wire.ts'

/** What a client says of itself; null and '' unset it. Number, terms and what the merchant notes are the merchant's. */
const person = v.partial(
  v.object({
    gender: nothingAsNull(word(genders)),
    title: optionalText(),
    salutation: optionalText(),
    first_name: optionalText(),
    last_name: optionalText(),
    company: optionalText(),
    department: optionalText(),
    address: optionalText(),
    address_supplement: optionalText(),
    zip: optionalText(),
    city: optionalText(),
    countrycode: nothingAsNull(CountryCode),
    phone: optionalText(),
    mobile: optionalText(),
    fax: optionalText(),
    www: optionalText(),
    newsletter: Flag,
  }),
).entries

/** What a shop sends for a password, a digest mostly: taken as it is, to the last blank. */
const Password = v.pipe(
  v.string(),
  must<string>('required', 'filled in', password => password !== '', { minLength: 1 }),
  must<string>('max_length', 'at most 255 characters long', password => password.length <= 255, {
    maxLength: 255,
  }),
  must<string>('well_formed', 'well-formed Unicode', password => password.isWellFormed(), {}),
)

/** A hash, under either of its names. */
type Hashes = { hash?: string | null | undefined; lostpassword_hash?: string | null | undefined }

const hashes = { hash: v.nullish(filled()), lostpassword_hash: v.nullish(filled()) }

const isGiven = requirement(
  'required',
  'given',
  ({ hash, lostpassword_hash }: Hashes) => typeof (hash ?? lostpassword_hash) === 'string',
)

const HashReference = v.pipe(
  v.object(hashes),
  v.forward(v.partialCheck([['hash'], ['lostpassword_hash']], isGiven), ['hash']),
)

const PasswordReset = v.pipe(
  v.object({ ...hashes, password: Password }),
  v.forward(v.partialCheck([['hash'], ['lostpassword_hash']], isGiven), ['hash']),
)

/** The hash of a request that names it in one way or the other. */
export const hashIn = ({ hash, lostpassword_hash }: Hashes): string => hash ?? lostpassword_hash ?? ''

const Whom = { id: v.number(), mail: v.string() }

/** The names that were typed, by which a mail greets its reader; of a client that was there already they tell nothing. */
const Greeted = {
  gender: v.nullable(v.picklist(genders)),
  title: v.nullable(v.string()),
  first_name: v.nullable(v.string()),
  last_name: v.nullable(v.string()),
  company: v.nullable(v.string()),
}

const readOwner = { clientMail: ['get'], client: ['batchGet'], clientAccess: ['batchGet'] } as const
const proving = {
  clientHash: ['get', 'delete'],
  clientMail: ['put'],
  clientAccess: ['batchGet', 'put'],
} as const

// What scrypt takes is time of one core, and Lambda gives a whole one with this much memory.
const hashing = { memory: 1769 } as const

export const clientsExists = route({
  path: '/service/clients/exists',
  level: 'service',
  forBuyers: true,
  permissions: readOwner,
  body: v.object({ mail: v.nullish(Mail, null) }),
  response: v.union([v.literal(false), v.number()]),
  summary: 'Tells the id of the client whose mail it is, or false.',
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
    data: v.object({ mail: FilledMail, password: Password, name: v.nullish(optionalText()), ...person }),
  }),
  response: v.strictObject({ ...Whom, ...Greeted, lostpassword_hash: v.string(), expire: Timestamp }),
  errors: ['mail_taken'],
  summary: 'Registers a client; its account waits for the hash, which the shop mails, to come back.',
})

export const clientsActivate = route({
  path: '/service/clients/activate',
  level: 'service',
  forBuyers: true,
  permissions: { ...proving, client: ['batchGet', 'update'] },
  body: HashReference,
  response: v.strictObject(Whom),
  errors: ['hash_invalid'],
  summary: 'Brings the account of a registered client into force.',
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
  body: v.object({ mail: FilledMail, password: Password, caller: v.nullish(optionalText(64), null) }),
  response: v.strictObject({ ...Whom, token: v.string(), expires: Timestamp }),
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
  response: v.strictObject({ id: v.number() }),
  summary: 'Ends the sign-in whose token is presented, everywhere within a minute.',
})

export const clientsGetPasswordHash = route({
  path: '/service/clients/getPasswordHash',
  level: 'service',
  forBuyers: true,
  permissions: { ...readOwner, clientHash: ['put'] },
  body: v.object({ mail: FilledMail }),
  response: v.strictObject({ hash: v.string(), expire: Timestamp }),
  summary: 'Makes a hash for a client who forgot the password; the shop mails it.',
})

export const clientsValidatePasswordHash = route({
  path: '/service/clients/validatePasswordHash',
  level: 'service',
  forBuyers: true,
  permissions: { clientHash: ['get'], client: ['batchGet'], clientAccess: ['batchGet'] },
  body: HashReference,
  response: v.strictObject({ ...Whom, expire: Timestamp }),
  errors: ['hash_invalid'],
  summary: 'Tells whose a hash is and until when it counts.',
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
  summary: 'Sets a new password by a hash, once; whoever was signed in is not any more.',
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
  // A shop's form sends more than its record has, such as password_repeat in plain text.
  body: v.object({
    data: v.pipe(
      v.unknown(),
      must<unknown>('type', 'an object', data => !Array.isArray(data)),
      v.object({
        ...person,
        mail: v.optional(FilledMail),
        username: v.optional(nothingAsNull(FilledMail), null),
        password: v.optional(nothingAsNull(Password), null),
      }),
    ),
  }),
  response: ShownClient,
  errors: ['nothing_to_change', 'mail_taken'],
  summary:
    'Changes the given fields of the client who is signed in; a new password ends its other sign-ins. Orders keep their own copy.',
})
