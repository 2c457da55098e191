import { isDeepStrictEqual } from 'node:util'
import type { Row } from '../../lib/smoke/run.ts'
import type { Call } from '../../lib/smoke/walk.ts'
import type { Route } from '../../shared/contract/route.ts'
import { openApiDocument } from '../../shared/reference/document.ts'
import { type Fields, isObject, type List, type Listed, list, routeAt } from '../../shared/reference/examples.ts'
import { answerSchema } from '../../shared/reference/schemas.ts'
import { timestamp } from '../../shared/values/time.ts'
import type { Json } from './harness.ts'

/** Replaces each distinct match by its own value, in order of appearance. */
const numbered = (text: string, pattern: RegExp, nth: (n: number) => string): string => {
  const known = new Map<string, string>()
  return text.replaceAll(pattern, match => {
    if (!known.has(match)) known.set(match, nth(known.size + 1))
    return known.get(match) ?? ''
  })
}

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0')

// The walk takes less than that.
const steps = 5 * 60_000
const begin = Date.now()

/** A time, from the beginning of the walk in steps of five minutes, as if that had been a morning. */
const steadyTime = (text: string): string => {
  const passed = Math.max(0, Math.round((Date.parse(`${text.replace(' ', 'T')}Z`) - begin) / steps))
  return timestamp(Date.UTC(2026, 10, 26, 9) + passed * steps)
}

const files = 'https://weinkontor-files.s3.eu-central-1.amazonaws.com/'

/** Replaces values that each walk draws again, so that a recording differs from the one before by what changed. */
const steady = (text: string): string => {
  const replaced = text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, steadyTime)
    .replaceAll(/\b1[789]\d{8}\b/g, String(Date.UTC(2026, 10, 26, 9) / 1000))
    .replaceAll(/"url":"[^"]+","fields"/g, `"url":"${files}","fields"`)
    .replaceAll(/"url":"[^"]+\/documents\/[^"]+"/g, `"url":"${files}documents/8d1f….pdf?X-Amz-Signature=3f9a…"`)
    .replaceAll(/"x-amz-credential":"[^"]+"/g, '"x-amz-credential":"ASIA…/20261126/eu-central-1/s3/aws4_request"')
    .replaceAll(/"x-amz-signature":"[^"]+"/g, '"x-amz-signature":"8d1f…"')
    .replaceAll(/"x-amz-date":"[^"]+"/g, '"x-amz-date":"20261126T090000Z"')
    .replaceAll(/"policy":"[^"]+"/g, '"policy":"eyJleHBp…"')
    .replaceAll(/"(hash|lostpassword_hash|password)":"[\da-f]{32,}"/g, '"$1":"8d1f…"')
  const patterns: [RegExp, (n: number) => string][] = [
    [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/g, n => `0d3f2a9c-5b1e-4c1d-9a57-${hex(n, 12)}`],
    [/\b1\d{14}\b/g, n => String(116_462_778_223_800 + n)],
    [/\bSBX[\dA-F]{21}\b/g, n => `SBX${hex(n, 21).toUpperCase()}`],
    [/\b[\dA-F]{13}\b/g, n => hex(n, 13).toUpperCase()],
    [/\bdrawn-1-[\da-f]{16}\b/g, n => `drawn-1-${hex(n, 16)}`],
  ]
  return patterns.reduce((masked, [pattern, nth]) => numbered(masked, pattern, nth), replaced)
}

/**
 * Replaces the names of a walk, which a reader of the reference will not find: its wine by one of the demo's, its name by a
 * word, its tokens by placeholders.
 */
const masked = <T>(value: T, url: string, wine: number, demoWine: number): T =>
  JSON.parse(
    steady(
      JSON.stringify(value)
        .replaceAll(url, 'http://localhost:3000')
        .replaceAll(url.replace('127.0.0.1', 'localhost'), 'http://localhost:3000')
        .replaceAll(/smoke [\da-f]{8}|Smoke test/g, 'Beispiel')
        .replaceAll('smoke-test', 'beispiel')
        .replaceAll(/smoke-[\da-f]{8}(@smoke.invalid)?/g, (_, mail) => `beispiel${mail ? '@example.org' : ''}`)
        .replaceAll(new RegExp(`\\b${wine}\\b`, 'g'), String(demoWine))
        .replaceAll(/"wk([sc])_[^"]+"/g, '"wk$1_3f9a27c1_5b0c…"'),
    ),
  )

const maxElements = 8
// A smaller record is as short as a reference to it.
const minFields = 5

/** A record as another record, without some of its fields and with other values in some. */
const asOther = (record: Fields, name: string, other: Fields): Fields => {
  const without = Object.keys(other).filter(field => !(field in record))
  const differing = Object.entries(record).filter(([field, value]) => !isDeepStrictEqual(value, other[field]))
  return { $record: name, ...(without.length > 0 && { $without: without }), ...Object.fromEntries(differing) }
}

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** Records answers as examples.json has them: with the records that several contain apart. */
class AnswerRecorder {
  readonly records: Record<string, Fields> = {}
  readonly #schemas: Json = (openApiDocument({ baseUrl: 'https://service.test' }).components as Json).schemas

  /** Returns an answer without the copies of its data. */
  recorded(route: Route, answer: Fields): Fields {
    const { data } = answer
    const isCopy = (name: string) =>
      name in (route.aliases ?? {}) || (route.isFlat === true && isObject(data) && name in data)
    const own = Object.entries(answer).filter(([name]) => !isCopy(name))
    return this.#value(Object.fromEntries(own), answerSchema(route) ?? {}) as Fields
  }

  #schemaOf(value: Fields, schema: Json): Json {
    if (!schema.anyOf) return schema
    const fields = Object.keys(value)
    return schema.anyOf.find((one: Json) => {
      const { properties } = one.$ref ? this.#schemas[one.$ref.split('/').at(-1)] : one
      return properties && fields.every(name => name in properties)
    })
  }

  #value(value: unknown, schema: Json): unknown {
    if (Array.isArray(value)) {
      const first = value.slice(0, isObject(value[0]) ? 1 : maxElements)
      return first.map(one => this.#value(one, schema.items ?? {}))
    }
    if (!isObject(value)) return value
    const { $ref, ...own } = this.#schemaOf(value, schema) ?? {}
    const name: string | undefined = $ref?.split('/').at(-1)
    const { properties = {} } = name ? this.#schemas[name] : own
    const fields = Object.entries(value).map(([field, one]) => [field, this.#value(one, properties[field] ?? {})])
    const record = Object.fromEntries(fields)
    return fields.length < minFields ? record : this.#record(name, record)
  }

  /** Returns a record as the one of those recorded before that it differs from least. */
  #record(name: string | undefined, record: Fields): Fields {
    const [near] = Object.entries(this.records)
      .map(known => asOther(record, ...known))
      .toSorted((one, other) => lengthOf(one) - lengthOf(other))
    if (near && lengthOf(near) < lengthOf(record) / 2) return near
    if (!name) return record
    const own = `${name} ${Object.keys(this.records).filter(one => one.startsWith(`${name} `)).length + 1}`
    this.records[own] = record
    return { $record: own }
  }
}

const hasReference = (request: Fields): boolean => JSON.stringify(request).includes('"{')

/** Records the list of requests again, from the calls and rows of a walk at the service of `url`. */
export class ListRecorder {
  readonly #calls = new Map<Listed, Call>()
  readonly #url: string
  #wine = 0
  #demoWine = 0
  #ofStep: Call[] = []

  constructor(url: string) {
    this.#url = url
  }

  readonly onCall = (call: Call): void => {
    this.#ofStep.push(call)
    const { data } = (call.reply.json ?? {}) as { data?: { id: number } }
    if (call.route.path === '/service/wines/add') this.#wine = data?.id ?? 0
    if (call.route.path === '/service/wines/get') this.#demoWine ||= data?.id ?? 0
  }

  /** Notes the first success of a step at its route, else its first call. */
  readonly onRow = ({ route, does }: Pick<Row, 'route' | 'does'>): void => {
    const listed = list.requests.find(one => routeAt(one.path).path === route && one.does === does)
    const own = this.#ofStep.filter(call => call.route.path === route)
    const call = own.find(({ reply }) => reply.status < 300) ?? own[0]
    if (listed && call) this.#calls.set(listed, call)
    this.#ofStep = []
  }

  /** The list with the answers of the walk, and the requests of the steps by hand. */
  list(): List {
    const answers = new AnswerRecorder()
    const all = list.requests.map(listed => {
      const { fields = {}, reply } = this.#calls.get(listed) ?? {}
      return { fields, answer: reply?.json as Fields }
    })
    const steady = masked(all, this.#url, this.#wine, this.#demoWine)
    const requests = list.requests.map((listed, n): Listed => {
      const { route, reply } = this.#calls.get(listed) ?? {}
      const { fields = {}, answer = {} } = steady[n] ?? {}
      const { path, does, request: template, answer: former, ...rest } = listed
      const request = template && hasReference(template) ? template : fields
      const isFirst = list.requests.findIndex(one => one.path === path) === n
      const isShown = route?.envelope !== 'raw' && reply?.status === 200 && (isFirst || listed.as || former)
      const isEmpty = Object.keys(request).length === 0
      return {
        path,
        does,
        ...(!isEmpty && { request }),
        ...rest,
        ...(route && isShown && { answer: answers.recorded(route, answer) }),
      }
    })
    return { records: answers.records, requests }
  }
}
