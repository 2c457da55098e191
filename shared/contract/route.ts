import type * as v from 'valibot'
import {
  clientErrors,
  commonErrors,
  type ErrorWord,
  ownClientErrors,
  quotaErrors,
  roleErrors,
  sessionErrors,
  webhookErrors,
} from './errors.ts'
import type { ItemKind } from './item-kinds.ts'

export type Method = 'GET' | 'POST'
/**
 * The callers of a route: a signed-in merchant; any client, browsers of other sites included; any client except browsers; a
 * payment provider, which signs its requests.
 */
export type Level = 'service' | 'public' | 'open' | 'webhook'

/**
 * The use of the header Client-Authorization in a Service route, the session of a merchant's client: `refused`, so that no
 * shop relies on a restriction that does not exist; `prices` are the client's, and an invalid token is ignored; `narrows`
 * the route to the client's own records; `required`.
 */
export type ClientUse = 'refused' | 'prices' | 'narrows' | 'required'

/** The DynamoDB operations that a route may use on one kind of item. */
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

/** The form of the response's body: `data`, a page of a list, its own fields, or bytes from the handler. */
export type Envelope = 'data' | 'list' | 'bare' | 'raw'

/** A request whose answer was lost may be repeated: always, or with the same Idempotency-Key. */
type Repeat = 'safe' | 'with key'

type Schema = v.GenericSchema

/**
 * The definition of a route: the Lambda, its rights, its path in the gateway, its validation and the tests of all routes
 * follow from this object.
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
  /** The role that the session's API token must have; any if left out. */
  role?: 'desk'
  /** The operations on each kind of item; the function's IAM policy allows exactly these. */
  permissions: Partial<Record<ItemKind, readonly Verb[]>>
  files: readonly FileRight[]
  /** True if it reads the secrets of payment providers. */
  secrets?: boolean
  /** Shops show its refusals to buyers: the sentences are in the merchant's language. */
  forBuyers?: true
  body: B
  envelope: F
  /** The schema of `data`, of one list element, or of the whole body of a bare response. */
  response: A
  /** Top-level keys that repeat `data` or `pages`, for clients that read them there. */
  aliases?: Readonly<Record<string, 'data' | 'pages'>>
  /** True if the fields of `data` are at the top level as well, for clients that read them there. */
  isFlat?: boolean
  /** The schema of a list's top-level fields in addition to its page. */
  listFields?: v.ObjectSchema<v.ObjectEntries, undefined>
  /** The media type of a raw response by its status; null where there is no body. */
  serves?: Readonly<Record<number, string | null>>
  /** Request and response headers in addition to those of its level, each with a sentence for documents. */
  headers?: { reads?: Readonly<Record<string, string>>; sends?: Readonly<Record<string, string>> }
  /** How documents write a path whose last parameter is greedy. */
  writtenPaths?: readonly `/${string}`[]
  /** Set by a route that writes and may be repeated all the same; `repeatOf` returns it for every route. */
  repeat?: Repeat
  /** Since when the route is deprecated (unix seconds); sent as the Deprecation header. */
  deprecated?: number
  /** Timeout of the function in seconds; default 15. */
  timeout?: number
  /** Memory of the function in MB; default 512. */
  memory?: number
  /** Its own error words; `errorsOf` adds those of its level. */
  errors: readonly ErrorWord[]
  summary: string
}

/** The headers of files that callers cache. */
export const fileHeaders = {
  reads: { 'if-none-match': 'The ETag of what the caller has; the response is 304 while that is the present one.' },
  sends: { etag: 'Names these bytes.', 'cache-control': 'How long they may be kept.' },
} as const

/** The caching headers of other responses, which each GET computes again. */
export const answerHeaders = {
  reads: fileHeaders.reads,
  sends: { etag: 'Names this answer.', 'cache-control': 'How long it may be kept.' },
} as const

type Optional = 'client' | 'methods' | 'permissions' | 'files' | 'errors' | 'envelope'
type Props<R extends Route> = Omit<R, Optional> & Partial<Pick<R, Optional>>

/** Declares a route. Defaults: POST only, returns `data`, no permissions, refuses clients' tokens. */
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

/** All error words of a route. The tests refuse any other. */
export const errorsOf = ({
  level,
  client,
  role,
  errors,
}: Pick<Route, 'level' | 'client' | 'role' | 'errors'>): readonly ErrorWord[] => [
  ...commonErrors,
  ...(level === 'service' ? sessionErrors : []),
  ...(role ? roleErrors : []),
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

/** True if a route may write. */
export const writes = ({ permissions, files }: Pick<Route, 'permissions' | 'files'>): boolean =>
  [...Object.values(permissions).flat(), ...files].some(right => writing.has(right))

/** `safe` for a route that does not write, else as the route declares. */
export const repeatOf = ({ permissions, files, repeat }: Pick<Route, 'permissions' | 'files' | 'repeat'>) =>
  writes({ permissions, files }) ? repeat : 'safe'

/** The file of a route's function below `functions/`, without its ending: the path of the URL, `{id}` written `[id]`. */
export const fileOf = (route: Pick<Route, 'path'>): string =>
  route.path.slice(1).replaceAll('{', '[').replaceAll('}', ']')

/** True if caches may store the responses to GET: they are the same for all callers, and `cache-control` limits their age. */
export const isCacheable = ({ level, client, methods, headers }: Route): boolean =>
  level === 'public' &&
  client === 'refused' &&
  methods.includes('GET') &&
  headers?.sends?.['cache-control'] !== undefined

/** Kinds of routes; requests of one kind have similar latencies. */
export const kinds = ['read', 'search', 'write', 'checkout', 'public', 'file'] as const

export type Kind = (typeof kinds)[number]

/** The kind of a route, derived from its rights. */
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
