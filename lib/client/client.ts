import { isError } from './errors.ts'
import { type Page, pagesOf, recordsOf } from './pages.ts'
import { pause, unlessAborted, waitBefore } from './repeat.ts'
import { type Attempt, baseOf, linkTo, type Request, sender, urlOfGet } from './request.ts'
import type { Routes } from './routes.ts'
import { inMemory, keepSession, type Session, type SessionStore } from './session.ts'
import { routes, type Traits } from './traits.ts'

/** The path of a route. */
export type Path = keyof Routes
/** What a route is sent. */
export type Body<P extends Path> = Routes[P]['body']
/** What a route answers, the whole body. */
export type Answer<P extends Path> = Routes[P]['answer']
/** The path of a list route. */
export type ListPath = { [P in Path]: Answer<P> extends Page ? P : never }[Path]
/** One record of a list. */
export type ListRecord<P extends ListPath> = Answer<P>['data'][number]

export type ClientOptions = {
  /** Base URL of the service, with http:// or https://. */
  url: string
  /** AuthID and API token of the merchant; without them only public routes can be called. */
  authid?: string | undefined
  token?: string | undefined
  /** Where the session is kept; in memory unless given. */
  session?: SessionStore | undefined
  fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds that each try may take; 30,000 unless given. */
  timeout?: number | undefined
  /** How often a request is repeated at most; 3 unless given. */
  retries?: number | undefined
  /** Called when a try of a request is over, sign-ins included, for logs and measures. It must not throw. */
  onAttempt?: ((attempt: Attempt) => void) | undefined
}

export type CallOptions = {
  /** Token of the merchant's client, from /service/clients/login. */
  clientToken?: string | undefined
  /** For /service/orders/add: what makes repeats of an order known, in a later call as well; one is made unless given. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds that each try of this call may take, instead of the client's. */
  timeout?: number | undefined
  /** How often this call is repeated at most, instead of the client's. */
  retries?: number | undefined
}

export type AllOptions = CallOptions & {
  /** So many records are given at most. */
  limit?: number | undefined
}

/** What follows the path: the body may be left out where nothing in it is required. */
type Rest<P extends Path, Options = CallOptions> =
  Record<never, never> extends Body<P> ? [body?: Body<P>, options?: Options] : [body: Body<P>, options?: Options]

export type Client = {
  /**
   * Calls a route and gives the whole body of its answer. Rejects with WeinkontorError when the service refuses, with
   * ConnectionError when no answer arrives, and with the reason of `signal` when that aborts.
   */
  call<P extends Path>(path: P, ...rest: Rest<P>): Promise<Answer<P>>
  /** The answers of a list route, page after page, from the page that the body asks for. */
  pages<P extends ListPath>(path: P, ...rest: Rest<P>): AsyncGenerator<Answer<P>, void, undefined>
  /** The records of a list route, each once, over all pages, or the first `limit` of them. */
  all<P extends ListPath>(path: P, ...rest: Rest<P, AllOptions>): AsyncGenerator<ListRecord<P>, void, undefined>
  /** A client that acts for a client of the merchant who is signed in; it shares the session. */
  forClient(clientToken: string): Client
  /** The absolute link to a picture or PDF, of which records hold the path. */
  url(path: string): string
}

type Fields = Readonly<Record<string, unknown>>

const refusedTokens = ['token_invalid', 'token_expired', 'token_malformed'] as const

// A key must be new, not secret: browsers without https, and Node 18, have no crypto.randomUUID.
const newKey = (): string =>
  globalThis.crypto?.randomUUID?.() ??
  [Date.now(), Math.random(), Math.random()].map(number => number.toString(36).replace('.', '')).join('-')

const headersOf = (path: Path, traits: Traits, options: CallOptions): Headers => {
  const headers = new Headers()
  if (traits.method !== 'GET') headers.set('content-type', 'application/json')
  if (traits.client && options.clientToken) headers.set('client-authorization', options.clientToken)
  if (traits.repeat === 'with key') headers.set('idempotency-key', options.idempotencyKey ?? newKey())
  else if (options.idempotencyKey !== undefined) throw new TypeError(`${path} takes no idempotencyKey`)
  return headers
}

const requestOf = (base: string, path: Path, fields: Fields, options: CallOptions): Request => {
  // A caller in JavaScript may ask for any path.
  const traits: Traits | undefined = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (!traits) throw new TypeError(`there is no route ${path}`)
  const headers = headersOf(path, traits, options)
  if (traits.method === 'GET') {
    return { path, url: urlOfGet(base, path, fields), method: 'GET', headers, body: undefined }
  }
  return { path, url: base + path, method: 'POST', headers, body: JSON.stringify(fields) }
}

/** Makes a client of the service. Throws a TypeError when `url` is no http URL. */
export const createClient = (options: ClientOptions): Client => {
  const { authid, token, session = inMemory() } = options
  const base = baseOf(options.url)
  const ownFetch = options.fetch
  const send = sender((input, init) => (ownFetch ?? globalThis.fetch)(input, init), options.onAttempt)
  const usual = { timeout: options.timeout ?? 30_000, retries: options.retries ?? 3 }
  const canSignIn = authid !== undefined && token !== undefined

  const tokenOf = keepSession(session, async (): Promise<Session> => {
    if (!canSignIn) throw new Error('a route of the merchant needs authid and token')
    return (await perform('/service/login', { authid, token }, {})) as Session
  })

  const perform = async (path: Path, fields: Fields, options: CallOptions): Promise<unknown> => {
    const { signal, timeout = usual.timeout, retries = usual.retries } = options
    const request = requestOf(base, path, fields, options)
    const { session: needsSession, repeat } = routes[path]
    signal?.throwIfAborted()
    let refused: string | undefined
    let tried = 0
    for (let attempt = 1; ; attempt++) {
      const bearer = needsSession && (await unlessAborted(tokenOf(refused), signal))
      if (bearer) request.headers.set('authorization', `Bearer ${bearer}`)
      try {
        return await send(request, { signal, timeout, attempt })
      } catch (error) {
        if (canSignIn && bearer && !refused && isError(error, ...refusedTokens)) {
          refused = bearer
          continue
        }
        const wait = waitBefore(error, { tried, retries, isSafe: repeat !== undefined })
        if (wait === undefined) throw error
        await pause(wait, signal)
        tried++
      }
    }
  }

  const withToken = (clientToken: string | undefined): Client => {
    const ask = (path: Path, body: unknown, options: CallOptions | undefined) =>
      perform(path, (body ?? {}) as Fields, { ...options, clientToken: options?.clientToken ?? clientToken })
    const pages = (path: ListPath, body: unknown, options: CallOptions | undefined) =>
      pagesOf(fields => ask(path, fields, options) as Promise<Page>, (body ?? {}) as Fields)
    return {
      call: (path, ...[body, options]) => ask(path, body, options),
      pages: (path, ...[body, options]) => pages(path, body, options),
      all: (path, ...[body, options]) => recordsOf(pages(path, body, options), options?.limit),
      forClient: withToken,
      url: path => linkTo(base, path),
    } as Client
  }
  return withToken(undefined)
}
