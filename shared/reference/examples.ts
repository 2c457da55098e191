import type { ErrorWord } from '../contract/errors.ts'
import type { Method, Route } from '../contract/route.ts'
import { fallback, routes } from '../contract/routes/index.ts'
import recorded from './examples.json' with { type: 'json' }
import { authid, token } from './samples.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * A request of the list that the smoke test, the tests of all routes and the reference share. The smoke test sends all in
 * order; the reference shows those with an answer, and of a route without any the first.
 */
export type Listed = {
  /** A path of the documents. */
  path: string
  does: string
  /** The parameters; `{name.field}` is what the answer kept as `name` has there, with `?` an unknown id if it has nothing. */
  request?: Fields
  /** The answer's `data`, else the answer, is kept under this name. */
  as?: string
  /** A part of the answer. */
  expect?: Fields
  /** Headers of the answer. */
  headers?: Readonly<Record<string, string>>
  /** The error word of a refusal: `or` beside a success. */
  refused?: ErrorWord
  or?: ErrorWord | readonly ErrorWord[]
  /** The answer is right some seconds later. */
  eventually?: boolean
  /** The only method; by default, all methods of the route. */
  method?: Method
  /** Idempotency-Key is left out where a request changes nothing: its repeat is no other answer. */
  without?: 'session' | 'client' | 'key'
  /** The token of a client; that of `clientSession` by default. */
  client?: string
  /** As it was recorded: a list has its first element, and copies of `data` are left out. */
  answer?: Fields
}

/** The list, with records that several answers contain: `{ "$record": name, …fields }` is such a record with other fields. */
export type List = { records: Readonly<Record<string, Fields>>; requests: readonly Listed[] }

export const list = recorded as unknown as List

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy of a value in which `replace` has replaced all that it contains, from the inside out. */
const mapLeaves = (value: unknown, replace: (value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(one => mapLeaves(one, replace))
  if (!isObject(value)) return replace(value)
  return replace(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapLeaves(one, replace)])))
}

// Of a list also the element with a name, of a path like that of a picture a part.
const fieldOf = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return value[Number(key)] ?? value.find(one => one.name === key)
  if (typeof value === 'string') return value.split('/')[Number(key)]
  return isObject(value) ? value[key] : undefined
}

/** An id that no record has; as text, which every route takes for a number. */
const unknownId = String(2 ** 52 + 1)

/** Returns a request with the values of its references; `onMissing` returns the value of an unknown reference. */
export const fillRequest = (request: unknown, kept: Fields, onMissing: (reference: string) => unknown): unknown => {
  const valueAt = (reference: string): unknown => {
    const path = reference.replace('?', '').split('.')
    const found = path.reduce(fieldOf, kept as unknown)
    if (found !== undefined) return found
    return reference.endsWith('?') ? unknownId : onMissing(reference)
  }
  return mapLeaves(request, value => {
    if (typeof value !== 'string') return value
    const [, whole] = /^\{([^{}]+)\}$/.exec(value) ?? []
    return whole ? valueAt(whole) : value.replaceAll(/\{([^{}]+)\}/g, (_, part) => String(valueAt(part)))
  })
}

/** Returns what an answer leaves under its `as`. */
export const keptOf = (answer: unknown): unknown => (isObject(answer) && 'data' in answer ? answer.data : answer)

/** The route of a path of the documents. Throws if there is none. */
export const routeAt = (path: string): Route => {
  const found = [...routes, fallback].find(
    route => route.path === path || route.documentedPaths?.some(one => one === path),
  )
  if (found) return found
  throw new Error(`there is no route ${path}`)
}

/** Returns a recorded value with its records in full. */
const inFull = (value: unknown, records: List['records']): unknown =>
  mapLeaves(value, one => {
    if (!isObject(one) || !('$record' in one)) return one
    const { $record, $without, ...fields } = one
    const record = inFull(records[String($record)], records) as Fields
    const kept = Object.entries(record).filter(([name]) => !Array.isArray($without) || !$without.includes(name))
    return { ...Object.fromEntries(kept), ...fields }
  })

/** Returns a recorded answer with the copies of `data` and `pages` that the service sends. */
const withCopies = ({ aliases = {}, isFlat }: Route, answer: Fields): Fields => {
  const copies = Object.fromEntries(Object.entries(aliases).map(([name, part]) => [name, answer[part]]))
  return { ...answer, ...copies, ...(isFlat && (answer.data as Fields)) }
}

/** An example request and its answer; no answer if it is not JSON of the envelope, or a refusal. */
export type Example = { name: string; request: Fields; answer?: Fields }

// The recorded walk brought these along; the answers have them so.
const password = '8d1f…'
const names = { mark: 'Beispiel', mail: 'beispiel@example.org', goods: 'Beispiel', slug: 'beispiel' }
const brought = { authid, token, ...names, isInShop: false }

// A request whose answers are not recorded yet is shown as it is in the list.
const keepReference = (reference: string): string => `{${reference}}`

/** Returns the examples of the reference by the paths of the documents. */
export const examplesOf = ({ records, requests }: List): Readonly<Record<string, readonly Example[]>> => {
  const kept: Record<string, unknown> = { ...brought, password, newPassword: password }
  const answered = new Set(requests.filter(({ answer }) => answer).map(({ path }) => path))
  const byPath: Record<string, Example[]> = {}
  for (const { path, does, request = {}, as, answer } of requests) {
    if (!answer && (answered.has(path) || byPath[path])) continue
    const sent = answer && withCopies(routeAt(path), inFull(answer, records) as Fields)
    const name = does.slice(0, 1).toUpperCase() + does.slice(1)
    const example = {
      name,
      request: fillRequest(request, kept, keepReference) as Fields,
      ...(sent && { answer: sent }),
    }
    byPath[path] = [...(byPath[path] ?? []), example]
    if (as) kept[as] = keptOf(sent)
  }
  return byPath
}
