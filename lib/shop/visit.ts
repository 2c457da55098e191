import type { Client, NewOrder } from '../client/index.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import type { Mailbox } from './mailbox.ts'
import type { Matches } from './matches.ts'
import { Refusal } from './refusal.ts'
import type { Tries } from './tries.ts'

/** The languages of the shop. */
export type Language = 'de' | 'en'

/** What an integrator gives the shop. */
export type ShopOptions = {
  /** The typed client with the merchant's AuthID and API token; no browser sees either. */
  client: Client
  /** Where the shop is reached, such as https://shop.example; links begin with the one that a visitor came by. */
  origins: readonly [string, ...string[]]
  /** Signs the cookies: secret, random, 32 bytes, and the same after a restart. */
  cookieKey: Uint8Array
}

/** What a client says of itself. */
export type Person = Pick<NonNullable<NewOrder['billing']>, (typeof personFields)[number]>

export const personFields = [
  ...(['gender', 'title', 'first_name', 'last_name', 'company', 'address', 'address_supplement'] as const),
  ...(['zip', 'city', 'countrycode', 'phone'] as const),
] as const

/**
 * What the pages send. Nothing of it is checked here but that it is JSON: the service checks every field, and what is
 * missing it refuses.
 */
type Sent = Person & {
  id: number | string
  item_type?: 'wine' | 'product'
  quantity: number | string
  page?: number | string
  q?: string
  sort?: string
  size?: number | string
  uuid: string
  pid: string
  hash: string
  mail: string
  password: string
  billing?: NewOrder['billing']
  delivery?: NewOrder['delivery']
  isCollected?: boolean
  payment_type?: NewOrder['payment_type']
  client_remark?: string | null
  gross?: string | null
}

/** One request of a visitor, and what the shop knows of whoever sends it. */
export type Visit = {
  /** Calls the service as the merchant, and for the client who is signed in. */
  client: Client
  /** Calls the service as the merchant alone. */
  merchant: Client
  isSignedIn: boolean
  cookies: Cookies
  mailbox: Mailbox
  matches: Matches
  tries: Tries
  /** The network address that the request came from. */
  address: string
  language: Language
  /** Where the visitor came by. */
  origin: string
  /** The fields of the body, or of the query of a GET. */
  fields: Sent
  /** All values of a parameter of the query. */
  all(name: string): string[]
  /** One a checkout, so that a double click orders once. */
  idempotencyKey: string | undefined
}

const maxBytes = 64 * 1024
// The pages nest an address in an order; what is nested without end no program after this one can write.
const mostLevels = 8

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(one => isDeeper(one, levels - 1)))

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = async (request: Request, url: URL): Promise<Record<string, unknown>> => {
  if (isReading(request)) return Object.fromEntries(url.searchParams)
  if (!request.headers.get('content-type')?.startsWith('application/json'))
    throw new Refusal(415, 'unsupported_media_type')
  const text = await request.text()
  if (text.length > maxBytes) throw new Refusal(413, 'payload_too_large')
  let body: unknown
  try {
    body = JSON.parse(text || '{}')
  } catch {}
  if (!isObject(body)) throw new Refusal(400, 'invalid_json')
  if (isDeeper(body, mostLevels)) throw new Refusal(400, 'json_too_deep')
  return body
}

/** Refuses a change that another site's page asked for: browsers say where a request comes from. */
const mustBeOwn = ({ headers }: Request, origins: readonly string[]): void => {
  const site = headers.get('sec-fetch-site') ?? 'same-origin'
  if (site !== 'same-origin' || !origins.includes(headers.get('origin') ?? '')) throw new Refusal(403, 'foreign_origin')
}

/** What the shop keeps in memory of all visitors, and where one of them calls from. */
export type Surroundings = Pick<Visit, 'mailbox' | 'matches' | 'tries' | 'address'>

/** Makes a visit of a request. Throws a Refusal. */
export const visitOf = async (request: Request, options: ShopOptions, surroundings: Surroundings): Promise<Visit> => {
  const { client, origins, cookieKey: key } = options
  const { headers } = request
  if (!isReading(request)) mustBeOwn(request, origins)
  const url = new URL(request.url)
  const origin = origins.find(one => one === headers.get('origin')) ?? origins[0]
  const cookies = cookiesOf(headers.get('cookie'), { key, isSecure: origin.startsWith('https:') })
  const token = cookies.get('client')
  return {
    client: token ? client.forClient(token) : client,
    merchant: client,
    isSignedIn: token !== undefined,
    cookies,
    ...surroundings,
    language: headers.get('accept-language')?.startsWith('en') ? 'en' : 'de',
    origin,
    fields: (await fieldsOf(request, url)) as Sent,
    all: name => url.searchParams.getAll(name),
    idempotencyKey: headers.get('idempotency-key') ?? undefined,
  }
}
