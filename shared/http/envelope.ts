import type * as v from 'valibot'
import { Problem } from '../contract/errors.ts'
import type { Page } from '../contract/lists.ts'
import type { Route } from '../contract/route.ts'
import type { SchemaPart } from '../contract/schema-parts.ts'
import { readMerchant } from '../merchants/settings.ts'
import { readThrough } from '../platform/cache.ts'
import { ConditionFailed, TooLarge, TransactionRefused, Unavailable } from '../platform/table/failures.ts'
import type { MerchantId } from '../platform/table/keys.ts'
import { requestFields } from './request.ts'
import { commonHeaders, type Reply, type ReplyHeaders, type ServedEvent, type Step } from './step.ts'

// Lambda's limit for a response. It takes the response as JSON, so the body's JSON is a text in there, escaped once more.
const maxBytes = 6 * 1024 * 1024

const isTooLarge = (reply: Reply): boolean => {
  // A character takes three bytes at most, a quote or backslash two; the headers take less than a third of the limit.
  if ((reply.body?.length ?? 0) * 3 < (maxBytes * 2) / 3) return false
  return Buffer.byteLength(JSON.stringify(reply)) > maxBytes
}

const json = (statusCode: number, headers: ReplyHeaders, body: object): Reply => ({
  statusCode,
  headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

/** The contract's one error shape. */
export const problemReply = (
  problem: Problem,
  headers: ReplyHeaders,
  requestId: string,
  details = problem.message,
): Reply =>
  json(
    problem.status,
    { ...headers, 'cache-control': 'no-store', ...problem.headers },
    {
      info: 'error',
      code: problem.status,
      error: problem.word,
      details,
      ...(problem.fields.length > 0 && { fields: problem.fields }),
      ...problem.beside,
      request_id: requestId,
    },
  )

const aliased = ({ aliases = {} }: Route, parts: { data: unknown; pages?: unknown }): object =>
  Object.fromEntries(Object.entries(aliases).map(([name, part]) => [name, parts[part]]))

const enveloped = (route: Route, value: unknown): object => {
  const { envelope, response, listFields, isFlat } = route
  if (envelope === 'bare') return { info: 'success', ...(inFieldOrder(response, value) as object) }
  if (envelope === 'data') {
    const data = inFieldOrder(response, value)
    return { info: 'success', data, ...aliased(route, { data }), ...(isFlat && (data as object)) }
  }
  const { data: records, totalCount, pages, ...more } = value as Page<unknown>
  const data = records.map(one => inFieldOrder(response, one))
  const extra = listFields ? (inFieldOrder(listFields, more) as object) : {}
  return { info: 'success', data, totalCount, pages, ...aliased(route, { data, pages }), ...extra }
}

/** A handler's value in the envelope of its route; a raw response only gets the common headers. */
export const successReply = (route: Route, value: unknown, headers: ReplyHeaders): Reply => {
  if (route.envelope === 'raw') {
    const raw = value as Reply
    return { ...raw, headers: { ...headers, ...raw.headers } }
  }
  const reply = json(200, headers, enveloped(route, value))
  if (!isTooLarge(reply)) return reply
  throw new Problem('payload_too_large', {
    details: 'The response is too large. Request fewer records with a smaller `pageSize`.',
  })
}

/**
 * Returns the refusal for an error: a Problem as it is, a record too large for the table as 413, a busy table as 503,
 * anything else as 500 without internals.
 */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  if (error instanceof TooLarge) {
    return new Problem('payload_too_large', {
      details: 'The record is too large to be stored. Shorten its texts.',
    })
  }
  const busy =
    error instanceof Unavailable ||
    error instanceof TransactionRefused ||
    error instanceof ConditionFailed ||
    (error instanceof Error && error.name === 'TimeoutError')
  return busy
    ? new Problem('temporarily_unavailable', { headers: { 'retry-after': '1' } })
    : new Problem('internal_error')
}

/** Puts the handler's value, or the refusal, into the contract's envelope. */
export const envelope = (route: Route): Step => ({
  after: request => {
    request.response = successReply(route, request.response, request.event.state.headers)
  },
  onError: async request => {
    const { requestId } = request.event.state
    const problem = problemOf(request.error)
    const details = route.forBuyers ? await sentenceFor(problem, request.event) : problem.message
    request.response = problemReply(problem, commonHeaders(route, requestId), requestId, details)
  },
})

type Entries = NonNullable<SchemaPart['entries']>

type Arrange = (value: unknown) => unknown

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSchema = (option: unknown): option is SchemaPart => isRecord(option)

const arrangeFields = (entries: Entries): Arrange => {
  // Objects that grow from one template have one layout; that makes this fast, and JSON.stringify after it.
  const template = Object.fromEntries(Object.keys(entries).map(key => [key, undefined]))
  const nested = Object.entries(entries).flatMap(([key, shape]) => {
    const arrange = arrangementOf(shape)
    return arrange ? [{ key, arrange }] : []
  })
  return value => {
    if (!isRecord(value)) return value
    // A spread, unlike an assignment, leaves a key `__proto__` a key.
    const arranged: Record<string, unknown> = { ...template, ...value }
    for (const { key, arrange } of nested) arranged[key] = arrange(arranged[key])
    return arranged
  }
}

/** The fields of one of several objects: those of the first, then what the others have besides. */
const arrangeAny = (options: readonly SchemaPart[]): Arrange | undefined => {
  const merged: Record<string, SchemaPart> = {}
  for (const { entries = {} } of options) for (const [key, shape] of Object.entries(entries)) merged[key] ??= shape
  return Object.keys(merged).length > 0 ? arrangeFields(merged) : undefined
}

const arrangeItems =
  (arrange: Arrange): Arrange =>
  list =>
    Array.isArray(list) ? list.map(arrange) : list

const arrangeValues =
  (arrange: Arrange): Arrange =>
  value =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, arrange(one)])) : value

/** How values of a schema are arranged; undefined where there is nothing to do. */
const arrangementOf = ({ entries, options, wrapped, item, value }: SchemaPart): Arrange | undefined => {
  if (entries) return arrangeFields(entries)
  if (options) return arrangeAny(options.filter(isSchema))
  const arrange = (wrapped ?? item ?? value) && arrangementOf((wrapped ?? item ?? value) as SchemaPart)
  if (!arrange || wrapped) return arrange
  return item ? arrangeItems(arrange) : arrangeValues(arrange)
}

const asItIs: Arrange = value => value

const known = new WeakMap<v.GenericSchema, Arrange>()

/**
 * A copy of a value with the fields of its objects in the order of its schema, and what the schema does not name behind
 * them. Objects read from the table have their fields in any order. A record keeps its keys in their own order.
 */
export const inFieldOrder = (schema: v.GenericSchema, value: unknown): unknown => {
  const arrange = known.get(schema) ?? arrangementOf(schema as unknown as SchemaPart) ?? asItIs
  known.set(schema, arrange)
  return arrange(value)
}

type Language = 'de' | 'en'

const germanSpeaking: ReadonlySet<string> = new Set(['de', 'at', 'ch', 'li'])

const merchants = readThrough<MerchantId, Language>({ max: 1000, trustedFor: 60_000 })

const ofMerchant = (merchant: MerchantId): Promise<Language> =>
  merchants(merchant, async () => {
    const { countrycode } = await readMerchant(merchant)
    return germanSpeaking.has(countrycode ?? 'de') ? 'de' : 'en'
  })

/** The language that a request names, as `de` or `de_DE`; undefined for none, and for one that there are no sentences in. */
const namedIn = (event: ServedEvent): Language | undefined => {
  try {
    const { language } = requestFields(event)
    const [, named] = /^(de|en)\b/i.exec(String(language).replace('_', '-')) ?? []
    return named?.toLowerCase() as Language | undefined
  } catch {
    // The refusal is about this body.
    return undefined
  }
}

/** Returns the sentence of a refusal for a buyer, in the language of the request, else of the merchant. */
export const sentenceFor = async (problem: Problem, event: ServedEvent): Promise<string> => {
  const { german, message } = problem
  const { session } = event.state
  if (!german || !session) return message
  // A table that is busy must not keep the refusal back.
  const language = namedIn(event) ?? (await ofMerchant(session.merchant).catch(() => 'en'))
  return language === 'de' ? german : message
}
