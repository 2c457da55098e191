import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorWord, errors } from '../../shared/contract/errors.ts'
import type { Method, Route } from '../../shared/contract/route.ts'
import type { PaymentType } from '../../shared/contract/vocabulary.ts'
import { type Fields, fillRequest, type Listed, routeAt } from '../../shared/reference/examples.ts'
import type { Answer, Body, Path } from '../client/client.ts'
import { urlOfGet } from '../client/request.ts'
import { Difference, Missing } from './compare.ts'
import { wordIn, wrongInRefusal, wrongInSuccess } from './contract.ts'
import { type Reply, type Request, send } from './send.ts'

type Data<P extends Path> = Answer<P> extends { data: infer D } ? D : never

/** Results of steps for later steps. */
export type Things = Record<string, unknown> & {
  session: { token: string }
  merchant: Data<'/service/customers/getMy'>
  payments: readonly PaymentType[]
  wine: Data<'/service/wines/edit'>
  mail: string
  client: { id: number }
  clientSession: { token: string }
  address: Data<'/service/addresses/get'>
  basket: Data<'/service/baskets/get'>
  priced: Data<'/service/orders/add'>
  order: Data<'/service/orders/get'>
  /** The order, or a shipped one if the walk may use invoices. */
  shipped: Data<'/service/orders/get'>
  upload: Data<'/service/files/add'>
  payment: { order: string; uuid: string; external: string; targetUrl: string }
  paymentType: PaymentType
  payer: string
}

/** How a request is made, beside its route and body. */
export type How = {
  method?: Method
  without?: Listed['without'] | undefined
  /** That of the walk's client by default, where a route needs one. */
  clientToken?: string | undefined
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

export type { Fields }

/** A call of a route: the fields that the step gives, the request that was sent, and the response. */
export type Call = { route: Route; fields: Fields; request: Request; reply: Reply }

/** A call's answer, and the error word if it is a refusal. */
export type Answered = Reply & { word: ErrorWord | undefined }

/** Calls the routes of a stage, validates each answer against the contract, and counts. */
export class Walk {
  readonly options: WalkOptions
  /** A part of the name of everything that the walk writes. */
  readonly mark = `smoke ${randomBytes(4).toString('hex')}`
  readonly things: Partial<Things>
  readonly walked = new Set<string>()
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
    const { authid, token, isInShop = false } = options
    const [password, newPassword] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
    // A domain without mailboxes (RFC 2606).
    const mail = `${this.mark.replace(' ', '-')}@smoke.invalid`
    const goods = { goods: 'Smoke test', slug: 'smoke-test' }
    this.things = { authid, token, mark: this.mark, mail, password, newPassword, ...goods, isInShop }
  }

  /** Returns the result of an earlier step. Throws Missing. */
  need<Name extends keyof Things>(name: Name): Things[Name] {
    const thing = this.things[name]
    if (thing === undefined) throw new Missing(name)
    return thing
  }

  /** Returns a request of the list with the values of its references. Throws Missing. */
  fill(value: Fields): Fields {
    const onMissing = (reference: string): never => {
      throw new Missing(reference.split('.')[0] ?? '')
    }
    return fillRequest(value, this.things, onMissing) as Fields
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

  #requestOf(route: Route, path: string, fields: Fields, method: Method, { without, ...how }: How): Request {
    const hasClient = route.client === 'required' && without !== 'client'
    const client = how.clientToken ?? (hasClient ? this.need('clientSession').token : undefined)
    const headers = {
      ...(route.level === 'service' &&
        without !== 'session' && { authorization: `Bearer ${this.need('session').token}` }),
      ...(client && { 'client-authorization': client }),
      ...how.headers,
    }
    if (method === 'GET') return { url: urlOfGet(this.options.url, path, fields), method, headers }
    const json = { ...headers, 'content-type': 'application/json' }
    return { url: this.options.url + path, method, headers: json, body: JSON.stringify(fields) }
  }

  /**
   * Calls a route, which may be refused with `words`. The answer is validated against the contract. Throws Difference.
   */
  async call(path: string, fields: Fields, words: readonly ErrorWord[] = [], how: How = {}): Promise<Answered> {
    const { dialect, onCall } = this.options
    const route = routeAt(path)
    const method = how.method ?? (route.methods.includes('GET') ? 'GET' : 'POST')
    const sent = dialect?.(path, fields) ?? { fields, headers: {} }
    const headers = { ...sent.headers, ...how.headers }
    const request = this.#requestOf(route, path, sent.fields, method, { ...how, headers })
    this.walked.add(route.path)
    const reply = await this.send(request)
    await onCall?.({ route, fields, request, reply })
    const word = reply.status < 400 ? undefined : (wordIn(reply.json) ?? null)
    if (word === null || (word && !words.includes(word)))
      throw new Difference(`${word ?? `status ${reply.status}`} instead of ${['200', ...words].join(' or ')}`)
    const wrong = word ? wrongInRefusal(route, reply) : wrongInSuccess(route, method, reply)
    if (wrong) throw new Difference(wrong)
    return { ...reply, word }
  }

  /** Returns the body of a route of the typed client, which has to succeed. Throws Difference. */
  async ask<P extends Path>(path: P, body: Body<P>, how: How = {}): Promise<Answer<P>> {
    return (await this.call(path, body, [], how)).json as Answer<P>
  }

  /** Calls a route that has to refuse with an error word. Throws Difference. */
  async expectRefusal(path: string, fields: Fields, refusal: ErrorWord, how: How = {}): Promise<void> {
    const { status, word } = await this.call(path, fields, [refusal], how)
    if (!word) throw new Difference(`status ${status} instead of ${errors[refusal][0]} ${refusal}`)
  }

  /** Waits before a request is repeated. */
  async pause(): Promise<void> {
    await pause(300, undefined, { signal: this.#signal })
  }
}

/** One line of the table: a route, the action, and its code, which resolves with a remark for the line, if any. */
export type Step = {
  route: string
  does: string
  walk(walk: Walk): Promise<string | undefined> | Promise<void>
}

/** A request of the list that needs more than itself: what its code does resolves with a remark. */
export type ByHand = {
  path: string
  does: string
  walk(walk: Walk, listed: Listed): Promise<string | undefined> | Promise<void>
}

export const byHand = (path: string, does: string, walk: ByHand['walk']): ByHand => ({ path, does, walk })
