import type { Client, NewOrder } from '../client/index.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import { Refusal } from './errors.ts'
import type { Mailbox } from './mailbox.ts'
import type { SignInLimit } from './sign-in-limit.ts'
import type { WineCache } from './wine-cache.ts'

export type Language = 'de' | 'en'

export type ShopOptions = {
  /** The typed client with the merchant's AuthID and API token; no browser sees either. */
  client: Client
  /** The shop's own origins, such as https://shop.example; links begin with the visitor's. */
  origins: readonly [string, ...string[]]
  /** Signs the cookies: secret, random, 32 bytes, and the same after a restart. */
  cookieKey: Uint8Array
}

export const personFields = [
  ...(['gender', 'title', 'first_name', 'last_name', 'company', 'address', 'address_supplement'] as const),
  ...(['zip', 'city', 'countrycode', 'phone'] as const),
] as const

export type Person = Pick<NonNullable<NewOrder['billing']>, (typeof personFields)[number]>

/** The fields of a request. The service validates each of them; the shop only checks that the body is JSON. */
type RequestFields = Person & {
  id: number | string
  item_type?: 'wine' | 'product'
  quantity: number | string
  page?: number | string
  q?: string
  sort?: string
  size?: number | string
  uuid: string
  document: 'invoice' | 'credit_advice' | 'delivery_note'
  number?: number | string
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

/** A request of a visitor. */
export type Visit = {
  /** Calls the service as the merchant, and for the signed-in client. */
  client: Client
  /** Calls the service as the merchant alone. */
  merchant: Client
  isSignedIn: boolean
  cookies: Cookies
  mailbox: Mailbox
  readWines: WineCache
  limitSignIn: SignInLimit
  /** The network address of the request. */
  address: string
  language: Language
  /** The origin that the visitor uses. */
  origin: string
  /** The fields of the body, or of the query of a GET. */
  fields: RequestFields
  /** All values of a query parameter. */
  all(name: string): string[]
  /** A key per checkout, so that a double click orders once. */
  idempotencyKey: string | undefined
}

const maxBytes = 64 * 1024
// A deeper value could exceed the stack of a program that serializes it.
const maxDepth = 8

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some(one => isDeeper(one, depth - 1)))

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

const fieldsOf = async (request: Request, url: URL): Promise<object> => {
  if (isReading(request)) return Object.fromEntries(url.searchParams)
  if (!request.headers.get('content-type')?.startsWith('application/json'))
    throw new Refusal(415, 'unsupported_media_type')
  const text = await request.text()
  if (text.length > maxBytes) throw new Refusal(413, 'payload_too_large')
  let body: unknown
  try {
    body = JSON.parse(text || '{}')
  } catch {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(400, 'invalid_json')
  if (isDeeper(body, maxDepth)) throw new Refusal(400, 'json_too_deep')
  return body
}

/** Refuses a change that a page of another site requested. */
const mustBeSameOrigin = ({ headers }: Request, origins: readonly string[]): void => {
  const site = headers.get('sec-fetch-site') ?? 'same-origin'
  if (site !== 'same-origin' || !origins.includes(headers.get('origin') ?? '')) throw new Refusal(403, 'foreign_origin')
}

/** Reads a request. Throws a Refusal. */
export const visitOf = async (
  request: Request,
  { client, origins, cookieKey: key }: ShopOptions,
  context: Pick<Visit, 'mailbox' | 'readWines' | 'limitSignIn' | 'address'>,
): Promise<Visit> => {
  const { headers } = request
  if (!isReading(request)) mustBeSameOrigin(request, origins)
  const url = new URL(request.url)
  const origin = origins.find(one => one === headers.get('origin')) ?? origins[0]
  const cookies = cookiesOf(headers.get('cookie'), { key, isSecure: origin.startsWith('https:') })
  const token = cookies.get('client')
  return {
    client: token ? client.forClient(token) : client,
    merchant: client,
    isSignedIn: token !== undefined,
    cookies,
    ...context,
    language: headers.get('accept-language')?.startsWith('en') ? 'en' : 'de',
    origin,
    fields: (await fieldsOf(request, url)) as RequestFields,
    all: name => url.searchParams.getAll(name),
    idempotencyKey: headers.get('idempotency-key') ?? undefined,
  }
}
