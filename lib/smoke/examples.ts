import { fallback } from '../../shared/contract/routes/index.ts'
import type { Row } from './run.ts'
import type { Call } from './walk.ts'

type Value = Readonly<Record<string, unknown>>
/** An example of a route, as the reference shows it. */
export type Example = { name: string; request: Value; answer?: Value }

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// A record with more fields is shown in full once, where a route reads it; elsewhere only with these.
const maxFields = 12
const identifying = new Set(['id', 'uuid', 'number', 'name', 'type', 'status', 'city', 'mail', 'quantity', 'gross'])
const maxElements = 8

/** Shortens a list to its first record, and a long record to the identifying and the requested fields. */
const abridged = (value: unknown, asked: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.slice(0, isObject(value[0]) ? 1 : maxElements).map(one => abridged(one, asked))
  if (!isObject(value)) return value
  const fields = Object.entries(value)
  const shown = fields.length > maxFields ? fields.filter(([name]) => identifying.has(name) || asked.has(name)) : fields
  return whole(Object.fromEntries(shown), asked)
}

/** A record with all its fields; records inside it are shortened. */
const whole = (record: Value, asked: ReadonlySet<string>): Value =>
  Object.fromEntries(Object.entries(record).map(([name, one]) => [name, abridged(one, asked)]))

const fieldsOf = (answer: Value): string[] => [
  ...Object.keys(answer),
  ...(isObject(answer.data) ? Object.keys(answer.data).map(name => `data.${name}`) : []),
]

/** The path of a call in the documents, and its parameters there: a greedy parameter is several. */
const writtenOf = ({ route, fields }: Call): [string, Value] => {
  const { path, ...others } = fields
  const parts = String(path).split('/')
  const asked = route.path.replace(/\{\w+\+\}$/, String(path))
  const isWritten = (one: string) =>
    new RegExp(`^${one.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked)
  const written = route.documentedPaths?.find(isWritten)
  const names = [...(written ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return written
    ? [written, { ...Object.fromEntries(names.map((name, n) => [name, parts[n]])), ...others }]
    : [route.path, fields]
}

/** The examples of all routes, from the calls and rows of a walk. */
export class RouteExamples {
  readonly byPath: Record<string, Example[]> = {}
  readonly #known = new Map<string, ReadonlySet<string>>()
  readonly #read = new Set<string>()
  #calls: Call[] = []

  readonly onCall = (call: Call): void => {
    this.#calls.push(call)
  }

  /**
   * The first success of a step at its route is an example if it has a field that no earlier one has. A refused request is
   * an example as long as there is no other.
   */
  readonly onRow = ({ route: path, does }: Pick<Row, 'route' | 'does'>): Example | undefined => {
    const calls = this.#calls.filter(({ route }) => route.path === path && route !== fallback)
    const call = calls.find(({ reply }) => reply.status < 400)
    this.#calls = []
    const [first] = calls
    if (!first) return undefined
    const [written, request] = writtenOf(call ?? first)
    const name = does.slice(0, 1).toUpperCase() + does.slice(1)
    if (!call) {
      this.byPath[written] ??= [{ name, request }]
      return undefined
    }
    const answer = call.route.envelope === 'raw' ? undefined : (call.reply.json as Value)
    const fields = fieldsOf(answer ?? {})
    const known = this.#known.get(written)
    if (known && fields.every(name => known.has(name))) return undefined
    this.#known.set(written, new Set([...(known ?? []), ...fields]))
    const example = { name, request, ...(answer && { answer: this.#shown(call, answer) }) }
    this.byPath[written] = [...(known ? (this.byPath[written] ?? []) : []), example]
    return example
  }

  /** An answer without the fields that repeat its data. */
  #shown({ route, fields }: Call, { info, data, ...beside }: Value): Value {
    const asked = new Set(isObject(fields.data) ? Object.keys(fields.data) : [])
    const repeats = (name: string) =>
      name in (route.aliases ?? {}) || (route.isFlat === true && isObject(data) && name in data)
    const own = Object.fromEntries(Object.entries(beside).filter(([name]) => !repeats(name)))
    const isWhole = isObject(data) && /\/get(My)?$/.test(route.path) && this.#isNew(data)
    const shortened = isWhole ? whole(data, asked) : abridged(data, asked)
    return { info, ...(shortened !== undefined && { data: shortened }), ...whole(own, asked) }
  }

  /** True if no record of this kind was shown in full before. */
  #isNew(record: Value): boolean {
    const kind = Object.keys(record).slice(0, 4).join()
    const isNew = !this.#read.has(kind)
    this.#read.add(kind)
    return isNew
  }
}
