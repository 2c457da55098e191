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
 * The callers of a route. `service`: a merchant's server, with a session token. `public`: everyone, also browsers of other
 * sites (CORS). `open`: everyone, without CORS headers. `webhook`: a payment provider, which signs its requests.
 */
export type Level = 'service' | 'public' | 'open' | 'webhook'

/**
 * The effect of the header `Client-Authorization`, the token of a merchant's signed-in client, on a Service route.
 * `refused`: 400, so that no shop relies on a restriction that does not exist. `prices`: the response has the client's
 * prices; an invalid token is ignored. `narrows`: only the client's own records are accessible. `required`: 401 without it.
 */
export type ClientUse = 'refused' | 'prices' | 'narrows' | 'required'

/** The DynamoDB operations that a route can declare for a kind of item; `check` is a condition in a transaction. */
export type Verb = 'get' | 'batchGet' | 'query' | 'queryIndex' | 'put' | 'update' | 'delete' | 'check'

/** Rights on the expertise PDFs, orders' documents and their drafts, pictures, uploads and search index snapshots in the bucket. */
export type FileRight =
  | 'readExpertise'
  | 'writeExpertise'
  | 'readDocuments'
  | 'writeDocuments'
  | 'readDrafts'
  | 'writeDrafts'
  | 'readPictures'
  | 'writePictures'
  | 'readUploads'
  | 'writeUploads'
  | 'removeUploads'
  | 'readSnapshots'
  | 'writeSnapshots'
  | 'removeSnapshots'

/**
 * The form of a successful response. `data`: `{info, data}`. `list`: `{info, data, totalCount, pages}`. `bare`: `{info}` with
 * the fields of the handler's value. `raw`: the handler returns API Gateway's response itself.
 */
export type Envelope = 'data' | 'list' | 'bare' | 'raw'

/** When a client may repeat a request without a response: always, or with the same Idempotency-Key. */
type Repeat = 'safe' | 'with key'

type Schema = v.GenericSchema

/**
 * The definition of a route. Its Lambda function, IAM policy, API Gateway route, validation, documents, typed client and the
 * tests of all routes are generated from this object. Type parameters: schemas of request and response, level, envelope and
 * use of the client's token.
 */
export type Route<
  B extends Schema = Schema,
  A extends Schema = Schema,
  L extends Level = Level,
  F extends Envelope = Envelope,
  C extends ClientUse = ClientUse,
> = {
  /** The path in API Gateway, with `{name}` for a parameter and `{name+}` for a greedy parameter. */
  path: `/${string}`
  methods: readonly Method[]
  level: L
  client: C
  /** The role that the session's API token must have; any if left out. */
  role?: 'desk'
  /** The operations on each kind of item; the function's IAM policy allows exactly these. */
  permissions: Partial<Record<ItemKind, readonly Verb[]>>
  files: readonly FileRight[]
  /** True if the function may read the secrets of payment providers. */
  secrets?: boolean
  /** True if shops show its refusals to buyers; `details` is then in the language of the request or the merchant. */
  forBuyers?: true
  /** The schema of the request: the JSON body of a POST, path parameters and query string of a GET. */
  body: B
  envelope: F
  /** The schema of `data`, of a list element, or of the body of a bare response without `info`. */
  response: A
  /** Top-level fields that repeat `data` or `pages`, for existing clients. */
  aliases?: Readonly<Record<string, 'data' | 'pages'>>
  /** True if the response repeats the fields of `data` at the top level, for existing clients. */
  isFlat?: boolean
  /** The schema of further top-level fields of a list. */
  listFields?: v.ObjectSchema<v.ObjectEntries, undefined>
  /** The media type of a raw response by HTTP status, or several; null without a body. That of a refusal is besides JSON. */
  mediaTypes?: Readonly<Record<number, string | readonly string[] | null>>
  /**
   * Request headers (`reads`) and response headers (`sends`) besides the common headers, each with a sentence for the
   * reference.
   */
  headers?: { reads?: Readonly<Record<string, string>>; sends?: Readonly<Record<string, string>> }
  /** The paths in documents, for a route with a greedy parameter. */
  documentedPaths?: readonly `/${string}`[]
  /** Declared by a route that writes and may be repeated; `repeatOf` returns the value for every route. */
  repeat?: Repeat
  /** When the route was deprecated, in Unix seconds; sent as the header `Deprecation`. */
  deprecated?: number
  /** Timeout of the function in seconds, 15 by default. */
  timeout?: number
  /** Memory of the function in MB, 512 by default. */
  memory?: number
  /** The error words of this route; `errorsOf` adds those of its level and its use of the client's token. */
  errors: readonly ErrorWord[]
  /** A sentence for documents. */
  summary: string
}

/** The caching headers of files. */
export const fileHeaders = {
  reads: { 'if-none-match': 'The ETag of the cached response. The response is 304 if that is still current.' },
  sends: { etag: 'Identifies this version of the file.', 'cache-control': 'How long the file may be cached.' },
} as const

/** The headers of routes whose changes are made once for each Idempotency-Key. */
export const keyHeaders = {
  reads: {
    'idempotency-key':
      'A key of 1 to 255 printable characters for this change. A request repeated with its key changes nothing more.',
  },
  sends: { 'idempotency-replayed': '`true` if an earlier request with the key had made the change.' },
} as const

/** The caching headers of responses that each GET computes again. */
export const responseHeaders = {
  reads: fileHeaders.reads,
  sends: { etag: 'Identifies this response.', 'cache-control': 'How long the response may be cached.' },
} as const

type Optional = 'client' | 'methods' | 'permissions' | 'files' | 'errors' | 'envelope'
type Props<R extends Route> = Omit<R, Optional> & Partial<Pick<R, Optional>>

/** Returns a route. Defaults: POST only, envelope `data`, no permissions, refuses client tokens. */
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

/** Returns all error words of a route. Tests fail for any other. */
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

const writing = /^(put|update|delete|write\w+|remove\w+)$/

/** True if a route may write to the table or the bucket. */
export const writes = ({ permissions, files }: Pick<Route, 'permissions' | 'files'>): boolean =>
  [...Object.values(permissions).flat(), ...files].some(right => writing.test(right))

/** Returns `safe` for a route that does not write, else its declared `repeat`. */
export const repeatOf = ({ permissions, files, repeat }: Pick<Route, 'permissions' | 'files' | 'repeat'>) =>
  writes({ permissions, files }) ? repeat : 'safe'

/** Returns the file of a route's function below `functions/`, without extension: its path, with `[id]` for `{id}`. */
export const fileOf = (route: Pick<Route, 'path'>): string =>
  route.path.slice(1).replaceAll('{', '[').replaceAll('}', ']')

/** True if shared caches may store the responses to GET: they are the same for all callers and have `cache-control`. */
export const isCacheable = ({ level, client, methods, headers }: Route): boolean =>
  level === 'public' &&
  client === 'refused' &&
  methods.includes('GET') &&
  headers?.sends?.['cache-control'] !== undefined

/** The kinds of routes in metrics; requests of a kind have similar latencies. */
export const kinds = ['read', 'search', 'write', 'checkout', 'public', 'file'] as const

export type Kind = (typeof kinds)[number]

/** Returns the kind of a route, derived from its envelope, level and rights. */
export const routeKindOf = ({
  level,
  envelope,
  permissions,
  files,
}: Pick<Route, 'level' | 'envelope' | 'permissions' | 'files'>): Kind => {
  if (envelope === 'raw' || files.includes('writeExpertise') || files.includes('writeDocuments')) return 'file'
  if (permissions.payment?.includes('update')) return 'checkout'
  if (level === 'public') return 'public'
  if (permissions.wine?.includes('queryIndex')) return 'search'
  return writes({ permissions, files }) ? 'write' : 'read'
}
