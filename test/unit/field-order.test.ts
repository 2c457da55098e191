import fc from 'fast-check'
import * as v from 'valibot'
import { type Envelope, type Route, route } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { wholeList } from '../../shared/contract/schema/lists.ts'
import { successReply } from '../../shared/http/envelope.ts'
import { outOfOrder, type Shape, shapeOf } from '../support/field-order.ts'

type Json = null | string | number | boolean | Json[] | { [key: string]: Json }

/** A valid value with all optional fields, in the order of the schema. */
const sample = (shape: Shape): Json => {
  const { type, entries, item, wrapped, value, options = [], literal } = shape
  if (entries) return Object.fromEntries(Object.entries(entries).map(([key, inner]) => [key, sample(inner)]))
  if (item) return [sample(item), sample(item)]
  if (wrapped) return sample(wrapped)
  // The keys of a record are data and keep their order.
  if (value) return { z: sample(value), a: sample(value) }
  if (type === 'union') return sample(options[0] as Shape)
  if (type === 'picklist') return options[0] as string
  if (type === 'literal') return literal ?? ''
  return ({ string: 'text', number: 1, boolean: true } as Record<string, Json>)[type] ?? { z: 1, a: { y: 2, b: 3 } }
}

const shuffledKeys = (value: object, swap: (least: number, most: number) => number): [string, Json][] => {
  const all = Object.entries(value)
  for (let at = all.length - 1; at > 0; at--) {
    const other = swap(0, at)
    ;[all[at], all[other]] = [all[other] as [string, Json], all[at] as [string, Json]]
  }
  return all
}

/** The value with the fields of every object in another order; the keys of a record keep theirs. */
const shuffled = (shape: Shape, value: Json, swap: (least: number, most: number) => number): Json => {
  if (shape.wrapped) return shuffled(shape.wrapped, value, swap)
  if (Array.isArray(value)) return value.map(one => shuffled(shape.item ?? shape, one, swap))
  if (typeof value !== 'object' || value === null) return value
  const { entries, value: inner } = shape
  if (inner) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shuffled(inner, one, swap)]))
  if (!entries) return value
  const pairs = shuffledKeys(value, swap)
  return Object.fromEntries(pairs.map(([key, one]) => [key, shuffled(entries[key] ?? shape, one, swap)]))
}

const answering = routes.filter(({ envelope }) => envelope !== 'raw')

const bodyOf = ({ aliases = {}, envelope, isFlat }: Route, value: Json): string => {
  if (envelope === 'bare') return JSON.stringify({ info: 'success', ...(value as object) })
  const page: { data: unknown; pages?: unknown } = envelope === 'list' ? wholeList([value, value]) : { data: value }
  const repeated = Object.entries(aliases).map(([name, part]) => [name, page[part]])
  return JSON.stringify({ info: 'success', ...page, ...Object.fromEntries(repeated), ...(isFlat && (value as object)) })
}

describe('the fields of an answer', () => {
  test.each(answering.map(one => [one.path, one] as const))('of %s are in the order of its schema', (_, one) => {
    const shape = shapeOf(one.response)
    const value = sample(shape)
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), stream => {
        const swap = (least: number, most: number) => least + ((stream.next().value as number) % (most - least + 1))
        const mixed = () => shuffled(shape, value, swap)
        const sent = one.envelope === 'list' ? wholeList([mixed(), mixed()]) : mixed()
        expect(successReply(one, sent, {}).body).toBe(bodyOf(one, value))
      }),
      { numRuns: 20 },
    )
  })

  test.each(
    answering.map(one => [one.path, one] as const),
  )('of %s out of order fail the check of the service tests', (_, one) => {
    const shape = shapeOf(one.response)
    const value = sample(shape)
    expect(outOfOrder(shape, value)).toEqual([])
    const backwards = shuffled(shape, value, () => 0)
    expect(outOfOrder(shape, backwards).length > 0).toBe(JSON.stringify(backwards) !== JSON.stringify(value))
  })

  const withId = (shape: Shape, path: string): string[] => {
    const inner = [shape.wrapped, shape.item, shape.value].flatMap(one => (one ? withId(one, path) : []))
    const keys = Object.keys(shape.entries ?? {})
    const below = Object.entries(shape.entries ?? {}).flatMap(([key, one]) => withId(one, `${path}.${key}`))
    return [...(keys.indexOf('id') > 0 ? [path] : []), ...inner, ...below]
  }

  test('begin with the id if there is one', () => {
    expect(answering.flatMap(one => withId(shapeOf(one.response), one.path))).toEqual([])
    expect(withId(shapeOf(v.array(v.object({ a: v.object({ b: v.string(), id: v.number() }) }))), 'x')).toEqual(['x.a'])
  })

  const toy = (response: v.GenericSchema, envelope: Envelope = 'data') =>
    route({ path: '/toy', level: 'open', envelope, body: v.unknown(), response, summary: 'A toy.' })
  const body = (response: v.GenericSchema, value: unknown) => successReply(toy(response), value, {}).body
  const Pair = v.object({ id: v.number(), name: v.string() })

  test('that are not in the schema are last, in their own order', () => {
    expect(body(Pair, { z: 1, name: 'n', a: 2, id: 3 })).toBe(
      '{"info":"success","data":{"id":3,"name":"n","z":1,"a":2}}',
    )
  })

  test('that are missing stay missing, and null stays null', () => {
    const schema = v.object({ id: v.number(), pair: v.nullable(Pair), name: v.optional(v.string()) })
    expect(body(schema, { pair: null, id: 3 })).toBe('{"info":"success","data":{"id":3,"pair":null}}')
    expect(body(schema, { pair: { name: 'n' } })).toBe('{"info":"success","data":{"pair":{"name":"n"}}}')
  })

  test('follow the schema of a pipe, or one of several schemas', () => {
    const piped = v.pipe(
      Pair,
      v.check(({ id }) => id > 0),
    )
    const other = v.object({ uuid: v.string(), name: v.string(), pair: piped })
    const mixed = '{"name":"n","id":3}'
    const right = '{"id":3,"name":"n"}'
    expect(body(piped, JSON.parse(mixed))).toBe(`{"info":"success","data":${right}}`)
    const union = v.union([Pair, other])
    expect(body(union, JSON.parse(`{"pair":${mixed},"name":"n","uuid":"u"}`))).toBe(
      `{"info":"success","data":{"uuid":"u","name":"n","pair":${right}}}`,
    )
  })

  test.each([
    [null],
    ['text'],
    [5],
    [[]],
    [[1, null]],
    [{}],
  ])('of %j are unchanged if the schema expects another type', value => {
    for (const schema of [Pair, v.array(Pair), v.record(v.string(), Pair), v.nullable(v.unknown())])
      expect(body(schema, value)).toBe(`{"info":"success","data":${JSON.stringify(value)}}`)
  })

  test('may have any name', () => {
    const hostile = '{"__proto__":{"name":"n","id":1},"constructor":2,"id":3,"toString":4}'
    const first = '{"id":3,"__proto__":{"name":"n","id":1},"constructor":2,"toString":4}'
    expect(body(Pair, JSON.parse(hostile))).toBe(`{"info":"success","data":${first}}`)
    const records = '{"__proto__":{"name":"n","id":1},"constructor":{"name":"n"}}'
    expect(body(v.record(v.string(), Pair), JSON.parse(records))).toBe(
      `{"info":"success","data":${records.replace('"name":"n","id":1', '"id":1,"name":"n"')}}`,
    )
  })

  test('are sorted in a copy; the value itself is not changed', () => {
    const value = { name: 'n', id: 3 }
    body(Pair, value)
    expect(Object.keys(value)).toEqual(['name', 'id'])
  })
})
