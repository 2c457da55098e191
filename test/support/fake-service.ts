import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type ClientOptions, createClient } from '../../lib/client/index.ts'

/** A request that reached the fake service; `body` is what its JSON parses to. */
export type Sent = { path: string; url: string; method: string; headers: Headers; body: Json }

// biome-ignore lint/suspicious/noExplicitAny: what was sent is walked freely in assertions
type Json = any

/** An answer; or none, because the connection broke, or because the service is silent for ever. */
export type Reply =
  | { status?: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | 'lost'
  | 'silent'

/** A refusal in the contract's shape. */
export const refusal = (status: number, error: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { info: 'error', code: status, error, details: 'No.', request_id: 'r-1' },
})

export const success = (more: object = {}): Reply => ({ body: { info: 'success', data: {}, ...more } })

/** A sign-in that lasts 12 hours, as the service gives it. */
export const signedIn = (token: string): Reply => {
  const expires = new Date(Date.now() + 12 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')
  return success({ token, refreshToken: '', expires })
}

const silence = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const abort = () => reject(signal?.reason)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })

/**
 * A service that answers by `answer`, or with success; sign-ins get the tokens s1, s2 … by default. `sent` holds its
 * requests, `to(path)` returns those of one route.
 */
export const fakeService = (
  answer: (request: Sent) => Reply | undefined = () => undefined,
  options: Partial<ClientOptions> = {},
) => {
  const sent: Sent[] = []
  let sessions = 0
  const fetch: typeof globalThis.fetch = async (input, { method = 'GET', headers, body, signal } = {}) => {
    await setImmediate()
    if (signal?.aborted) throw signal.reason
    const { pathname: path, href: url } = new URL(String(input))
    const request = {
      path,
      url,
      method,
      headers: new Headers(headers),
      body: body ? JSON.parse(String(body)) : undefined,
    }
    sent.push(request)
    const reply = answer(request) ?? (path === '/service/login' ? signedIn(`s${++sessions}`) : success())
    if (reply === 'silent') return silence(signal)
    if (reply === 'lost') throw new TypeError('fetch failed', { cause: new Error('socket hang up') })
    const { status = 200, body: said, text = JSON.stringify(said), headers: more } = reply
    return new Response(text, { status, headers: { 'content-type': 'application/json', ...more } })
  }
  const base = { url: 'https://wine.example', authid: 'a', token: 't', fetch }
  return {
    sent,
    to: (path: string) => sent.filter(one => one.path === path),
    client: createClient({ ...base, ...options }),
    /** A client without credentials, as in a browser. */
    guest: createClient({ url: base.url, fetch, ...options }),
    base,
  }
}

/** From now on time passes only in the returned pause function; random values stay. */
export const mockTime = () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 0, 1) }))
  afterEach(() => mock.timers.reset())
  return {
    /** Lets time pass until a promise settles: what it came to, and the milliseconds that took. */
    passing: async <T>(work: Promise<T>): Promise<{ value?: T; error?: unknown; waited: number }> => {
      const began = Date.now()
      let settled: { value?: T; error?: unknown } | undefined
      work.then(
        value => {
          settled = { value }
        },
        error => {
          settled = { error }
        },
      )
      while (!settled) {
        // As many turns as a request of the fake service takes.
        for (let turn = 0; turn < 4 && !settled; turn++) await setImmediate()
        if (!settled) mock.timers.tick(200)
      }
      return { ...settled, waited: Date.now() - began }
    },
    pass: (milliseconds: number) => mock.timers.tick(milliseconds),
  }
}
