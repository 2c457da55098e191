import type * as v from 'valibot'
import {
  clientErrors,
  commonErrors,
  type ErrorWord,
  ownClientErrors,
  quotaErrors,
  sessionErrors,
  webhookErrors,
} from './errors.ts'
import type { ItemKind } from './item-kinds.ts'

export type Method = 'GET' | 'POST'
/**
 * Who may call: a signed-in merchant; anybody, browsers of other sites included; anybody, but no browser; a payment
 * provider, which signs what it sends.
 */
export type Level = 'service' | 'public' | 'open' | 'webhook'

/**
 * How a Service route takes the header Client-Authorization, by which a merchant's client is signed in besides: it refuses
 * the header, so that nobody trusts a narrowing that is not there; its prices are the client's, and a token that does not
 * count is no token; with the header there are the client's own records alone; the route is about the client.
 */
export type ClientUse = 'refused' | 'prices' | 'narrows' | 'required'

/** DynamoDB's verbs, in short: what a route may do to one kind of item. */
export type Verb = 'get' | 'batchGet' | 'query' | 'queryIndex' | 'put' | 'update' | 'delete' | 'check'

/** Rights on the expertise PDFs, the pictures and the search indexes' snapshots in the bucket. */
export type FileRight =
  | 'readExpertise'
  | 'writeExpertise'
  | 'readPictures'
  | 'writePictures'
  | 'readSnapshots'
  | 'writeSnapshots'
  | 'removeSnapshots'

/** What the response's body looks like: `data`, a page of a list, its own fields, or whatever the handler makes of it. */
export type Envelope = 'data' | 'list' | 'bare' | 'raw'

/** Whether a request may be sent again whose answer was lost: a repeat does no more, or none with the same Idempotency-Key. */
type Repeat = 'safe' | 'with key'

type Schema = v.GenericSchema

/**
 * A route, said once: the Lambda, its rights, its place in the gateway, validation and the tests that walk all routes
 * are read from this object.
 */
export type Route<
  B extends Schema = Schema,
  A extends Schema = Schema,
  L extends Level = Level,
  F extends Envelope = Envelope,
  C extends ClientUse = ClientUse,
> = {
  path: `/${string}`
  methods: readonly Method[]
  level: L
  client: C
  /** Kinds of items and what may be done to them; the function's IAM policy holds just these. */
  permissions: Partial<Record<ItemKind, readonly Verb[]>>
  files: readonly FileRight[]
  /** Whether it reads the secrets of payment providers. */
  secrets?: boolean
  /** Shops show its refusals to buyers: the sentences are in their language. */
  forBuyers?: true
  body: B
  envelope: F
  /** The schema of `data`, of one list element, or of the whole body of a bare response. */
  response: A
  /** Top-level keys that repeat `data` or `pages`, for clients that read them there. */
  aliases?: Readonly<Record<string, 'data' | 'pages'>>
  /** Whether the fields of `data` are at the top level as well, for clients that read them there. */
  isFlat?: boolean
  /** The schema of what a list has at the top level beside its page. */
  beside?: v.ObjectSchema<v.ObjectEntries, undefined>
  /** The media type of a raw response by its status; null where there is no body. */
  serves?: Readonly<Record<number, string | null>>
  /** Headers beside those of its level: what a request may bring, and what the response says by them. */
  headers?: { reads?: Readonly<Record<string, string>>; sends?: Readonly<Record<string, string>> }
  /** How documents write a path whose last parameter is greedy. */
  writtenPaths?: readonly `/${string}`[]
  /** Said by a route that writes and may be asked again all the same; repeatOf tells it of every route. */
  repeat?: Repeat
  /** Since when the route is deprecated (unix seconds); sent as the Deprecation header. */
  deprecated?: number
  /** Seconds the function may take; 15 unless a route has a reason for more. */
  timeout?: number
  /** Memory of the function in MB; 512 unless a route has a reason for more. */
  memory?: number
  /** The error words of its own; errorsOf adds those that every route of its level may refuse with. */
  errors: readonly ErrorWord[]
  summary: string
}

/** The headers of files that callers keep. */
export const fileHeaders = {
  reads: { 'if-none-match': 'The ETag of what the caller has; the response is 304 while that is the present one.' },
  sends: { etag: 'Names these bytes.', 'cache-control': 'How long they may be kept.' },
} as const

/** The same of answers, which each GET makes anew. */
export const answerHeaders = {
  reads: fileHeaders.reads,
  sends: { etag: 'Names this answer.', 'cache-control': 'How long it may be kept.' },
} as const

type Optional = 'client' | 'methods' | 'permissions' | 'files' | 'errors' | 'envelope'
type Props<R extends Route> = Omit<R, Optional> & Partial<Pick<R, Optional>>

/** Declares a route: POST only, returning `data`, touching nothing, for no client, unless it says otherwise. */
export const route = <
  B extends Schema,
  A extends Schema,
  L extends Level,
  F extends Envelope = 'data',
  C extends ClientUse = 'refused',
>(
  props: Props<Route<B, A, L, F, C>>,
): Route<B, A, L, F, C> => ({
  methods: ['POST'],
  client: 'refused' as C,
  envelope: 'data' as F,
  permissions: {},
  files: [],
  errors: [],
  ...props,
})

/** All words that a request to a route may be refused with. The tests refuse any other. */
export const errorsOf = ({
  level,
  client,
  errors,
}: Pick<Route, 'level' | 'client' | 'errors'>): readonly ErrorWord[] => [
  ...commonErrors,
  ...(level === 'service' ? sessionErrors : []),
  ...(client === 'narrows' ? clientErrors : []),
  ...(client === 'required' ? ownClientErrors : []),
  ...(level === 'service' || level === 'open' ? quotaErrors : []),
  ...(level === 'webhook' ? webhookErrors : []),
  ...errors,
]

const writing: ReadonlySet<string> = new Set<Verb | FileRight>([
  ...(['put', 'update', 'delete'] as const),
  ...(['writeExpertise', 'writePictures', 'writeSnapshots', 'removeSnapshots'] as const),
])

/** Whether a route may write anything. */
export const writes = ({ permissions, files }: Pick<Route, 'permissions' | 'files'>): boolean =>
  [...Object.values(permissions).flat(), ...files].some(right => writing.has(right))

/** Whether a request to a route may be sent again: always where nothing is written, else if the route says so. */
export const repeatOf = ({ permissions, files, repeat }: Pick<Route, 'permissions' | 'files' | 'repeat'>) =>
  writes({ permissions, files }) ? repeat : 'safe'

/** The file of a route's function below `functions/`, without its ending: the path of the URL, `{id}` written `[id]`. */
export const fileOf = (route: Pick<Route, 'path'>): string =>
  route.path.slice(1).replaceAll('{', '[').replaceAll('}', ']')

/** Whether caches may keep what a route answers to GET: everybody is told the same, and its headers say for how long. */
export const isCacheable = ({ level, client, methods, headers }: Route): boolean =>
  level === 'public' &&
  client === 'refused' &&
  methods.includes('GET') &&
  headers?.sends?.['cache-control'] !== undefined

/** Kinds of routes, whose requests take about as long as each other's. */
export const kinds = ['read', 'search', 'write', 'checkout', 'public', 'file'] as const

export type Kind = (typeof kinds)[number]

/** The kind of a route, as its rights tell it. */
export const kindOf = ({
  level,
  envelope,
  permissions,
  files,
}: Pick<Route, 'level' | 'envelope' | 'permissions' | 'files'>): Kind => {
  if (envelope === 'raw' || files.includes('writeExpertise')) return 'file'
  if (permissions.payment) return 'checkout'
  if (level === 'public') return 'public'
  if (permissions.wine?.includes('queryIndex')) return 'search'
  return writes({ permissions, files }) ? 'write' : 'read'
}
