import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorWord, errors } from '../../shared/contract/errors.ts'
import type { Method, Route } from '../../shared/contract/route.ts'
import { fallback } from '../../shared/contract/routes/index.ts'
import type { PaymentType } from '../../shared/contract/vocabulary.ts'
import type { Answer, Body, Path } from '../client/client.ts'
import { urlOfGet } from '../client/request.ts'
import { Difference, Missing } from './compare.ts'
import { routeOf, wordIn, wrongInHeaders, wrongInRefusal, wrongInSuccess } from './contract.ts'
import { type Reply, type Request, send } from './send.ts'

type Data<P extends Path> = Answer<P> extends { data: infer D } ? D : never

/** Results of steps for later steps. */
export type Things = {
  session: string
  customer: number
  merchant: Data<'/service/customers/getMy'>
  payments: readonly PaymentType[]
  /** A wine that the merchant's shop shows. */
  shopWine: Answer<'/service/wines/getAll'>['data'][number]
  wine: Data<'/service/wines/edit'>
  client: { id: number; mail: string; password: string }
  clientToken: string
  passwordHash: string
  address: Data<'/service/addresses/get'>
  basket: string
  basketItem: number
  /** The expected price of the order. */
  priced: string
  order: Data<'/service/orders/get'>
  package: number
  /** A shipped order; none if the walk must use no invoices. */
  invoiced: Data<'/service/orders/get'>
  upload: Data<'/service/files/add'>
  payment: { order: string; uuid: string; external: string; targetUrl: string }
  paymentType: PaymentType
  payer: string
}

/** The steps of the clean-up. */
export type Written = 'package' | 'wine' | 'client' | 'address' | 'basket' | 'order'

/** How a request is made, beside its route and body. */
export type How = {
  method?: Method
  /** No session is sent along. */
  anonymous?: boolean
  clientToken?: string
  headers?: Record<string, string>
}

export type WalkOptions = {
  /** Base URL of the stage, without a slash at its end. */
  url: string
  authid: string
  token: string
  /** Milliseconds that an answer may take. */
  timeout: number
  /** Milliseconds that an asynchronous effect, such as a public list, may take. */
  patience: number
  /** The return URL for a provider. */
  returnUrl: string
  signal?: AbortSignal | undefined
  /** True if the merchant's shop shows the wine of the walk; false by default. */
  isInShop?: boolean
  /** True if the walk may place an order with an invoice, and credit it: their numbers are used up. */
  usesInvoices?: boolean
  /** Rewrites the fields of each request; by default they are sent as the step gives them. */
  dialect?: ((path: string, fields: Fields) => { fields: Fields; headers: Record<string, string> }) | undefined
  /** Called for each call of a route, before the step continues. */
  onCall?: ((call: Call) => void | Promise<void>) | undefined
}

export type Fields = Readonly<Record<string, unknown>>

/** A call of a route: the fields that the step gives, the request that was sent, and the response. */
export type Call = { route: Route; fields: Fields; request: Request; reply: Reply }

const requestOf = (base: string, route: Route, fields: Fields, how: How, session: string | undefined): Request => {
  const { method = route.methods.includes('POST') ? 'POST' : 'GET', anonymous, clientToken } = how
  const headers = {
    ...(route.level === 'service' && !anonymous && { authorization: `Bearer ${session}` }),
    ...(clientToken && { 'client-authorization': clientToken }),
    ...how.headers,
  }
  if (method === 'GET') return { url: urlOfGet(base, route.path, fields), method, headers }
  const json = { ...headers, 'content-type': 'application/json' }
  return { url: base + route.path, method, headers: json, body: JSON.stringify(fields) }
}

/** Calls the routes of a stage, validates each answer against the contract, and counts. */
export class Walk {
  readonly options: WalkOptions
  /** A part of the name of everything that the walk writes. */
  readonly mark = `smoke ${randomBytes(4).toString('hex')}`
  readonly things: Partial<Things> = {}
  readonly walked = new Set<string>()
  /** Records that were, or may have been, written. */
  readonly written = new Set<Written>()
  /** Records that stay; the command prints them. */
  readonly left: string[] = []
  calls = 0
  /** The distinct statuses of the current step's calls, and their total time in milliseconds. */
  statuses = new Set<number>()
  ms = 0
  #signal: AbortSignal | undefined

  constructor(options: WalkOptions) {
    this.options = options
    this.#signal = options.signal
  }

  /** Returns the result of an earlier step. Throws Missing. */
  need<Name extends keyof Things>(name: Name): Things[Name] {
    const thing = this.things[name]
    if (thing === undefined) throw new Missing(name)
    return thing
  }

  /** Notes a record before it is written, because the answer may be lost. Throws Missing without a session. */
  writes(what: Written): void {
    this.need('session')
    this.written.add(what)
  }

  /** Lets an interrupted walk continue, to clean up. */
  ignoreInterrupt(): void {
    this.#signal = undefined
  }

  /** Sends any request, and counts it. Throws Difference, and the reason of the signal when the walk is interrupted. */
  async send(request: Request): Promise<Reply> {
    // Never during a request: it might write its record after the clean-up.
    this.#signal?.throwIfAborted()
    this.calls++
    const started = performance.now()
    try {
      const reply = await send(request, this.options.timeout)
      this.statuses.add(reply.status)
      return reply
    } finally {
      this.ms += performance.now() - started
    }
  }

  async #reply(path: string, fields: Fields, how: How): Promise<Reply> {
    const { url, dialect, onCall } = this.options
    const route = path === fallback.path ? fallback : routeOf(path)
    const session = route.level === 'service' && !how.anonymous ? this.need('session') : undefined
    this.walked.add(path)
    const written = dialect?.(path, fields) ?? { fields, headers: {} }
    const headers = { ...written.headers, ...how.headers }
    const request = requestOf(url, route, written.fields, { ...how, headers }, session)
    const reply = await this.send(request)
    await onCall?.({ route, fields, request, reply })
    return reply
  }

  /** Calls any route that has to succeed; returns the answer, validated against the route's schema. Throws Difference. */
  async succeed(path: string, body: Fields, how: How = {}): Promise<Reply> {
    const reply = await this.#reply(path, body, how)
    if (reply.status !== 200) throw new Difference(`${wordIn(reply.json) ?? `status ${reply.status}`} instead of 200`)
    const wrong = wrongInSuccess(routeOf(path), reply.json) ?? wrongInHeaders(routeOf(path), reply.headers)
    if (wrong) throw new Difference(wrong)
    return reply
  }

  /** As `succeed`, at a route of the typed client; returns the body with its type. */
  async ask<P extends Path>(path: P, body: Body<P>, how: How = {}): Promise<Answer<P>> {
    return (await this.succeed(path, body, how)).json as Answer<P>
  }

  /** Returns the body, or the error word if it is one of `words`. Throws Difference otherwise. */
  async askUnless<P extends Path>(
    path: P,
    body: Body<P>,
    words: readonly ErrorWord[],
    how: How = {},
  ): Promise<Answer<P> | ErrorWord> {
    const reply = await this.#reply(path, body, how)
    const route = routeOf(path)
    const wrong = reply.status === 200 ? wrongInSuccess(route, reply.json) : wrongInRefusal(route, reply)
    if (wrong) throw new Difference(`status ${reply.status}: ${wrong}`)
    if (reply.status === 200) return reply.json as Answer<P>
    const word = wordIn(reply.json)
    if (word && words.includes(word)) return word
    throw new Difference(`${word} instead of 200 or ${words.join(', ')}`)
  }

  /** Calls a route that has to refuse with an error word. Throws Difference. */
  async refused(path: string, body: Fields, word: ErrorWord, how: How = {}): Promise<Reply> {
    const reply = await this.#reply(path, body, how)
    const [status] = errors[word]
    if (reply.status !== status || wordIn(reply.json) !== word)
      throw new Difference(`${wordIn(reply.json) ?? `status ${reply.status}`} instead of ${status} ${word}`)
    const wrong = wrongInRefusal(path === fallback.path ? fallback : routeOf(path), reply)
    if (wrong) throw new Difference(wrong)
    return reply
  }

  /** Calls a route that answers with a file; its status and media type are validated against the route. Throws Difference. */
  async file(path: string, fields: Fields, how: How = {}): Promise<Reply> {
    const reply = await this.#reply(path, fields, how)
    const type = reply.headers.get('content-type')?.split(';')[0] ?? null
    const media = routeOf(path).mediaTypes?.[reply.status]
    if (media === undefined) throw new Difference(`${wordIn(reply.json) ?? `status ${reply.status}`}`)
    const isOf = (one: string) =>
      one === '*/*' || (one.endsWith('/*') ? type?.startsWith(one.slice(0, -1)) : type === one)
    const fits = media === null || [media].flat().some(isOf)
    const wrong = fits ? wrongInHeaders(routeOf(path), reply.headers) : `the media type is ${type} instead of ${media}`
    if (wrong) throw new Difference(wrong)
    return reply
  }

  /** Repeats a check of an asynchronous effect until it is true. Throws Difference if it stays false. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const { patience } = this.options
    const end = Date.now() + patience
    while (!(await isSo())) {
      if (Date.now() > end) throw new Difference(`${what}: not within ${patience / 1000} s`)
      await pause(300, undefined, { signal: this.#signal })
    }
  }
}

/** One line of the table: a route, the action, and its code, which resolves with a remark for the line, if any. */
export type Step = {
  route: string
  does: string
  walk(walk: Walk): Promise<string | undefined> | Promise<void>
}

/** Declares a step at a route of the contract. */
export const step = (route: Route['path'], does: string, walk: Step['walk']): Step => ({ route, does, walk })
