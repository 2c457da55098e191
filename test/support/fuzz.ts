import fc from 'fast-check'

/** The parts of a schema that are read here; each kind of schema has some of them. */
type Shape = {
  type: string
  entries?: Record<string, Shape>
  options?: readonly unknown[]
  wrapped?: Shape
  item?: Shape
  literal?: unknown
  pipe?: readonly (Shape & { kind: string; requirement?: unknown })[]
}

type Rule = { rule: string; expected: string }

/** Values that name records, by the field that takes them; a request of them finds something. */
export type Known = Readonly<Record<string, readonly unknown[]>>

const signs = ['a', 'ü', '🍷', '"', '\\', '\n', 'e\u0301', '\u00a0', '\u200b', '\u202e', '\u0000', '\ufffd', '<', "'"]

/** A text whose length is at or about a limit, made of one sign over and over, or any other. */
const textUpTo = (max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ maxLength: 20, unit: 'grapheme' }),
    fc
      .tuple(fc.constantFrom(...signs), fc.constantFrom(0, 1, max - 1, max, max + 1))
      .map(([sign, length]) => sign.repeat(Math.max(0, length))),
  )

/** Values that no field takes, or takes for something else. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    -0,
    1.5,
    1e300,
    2 ** 53,
    true,
    false,
    '1e3',
    '0x10',
    '١٢',
    'NaN',
    '__proto__',
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    [null],
    { $ne: null },
    { length: 5 },
    { __proto__: null, toString: 1 },
    '\ud800',
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

const pools: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  id: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom<unknown>('7', 2 ** 53 - 1)),
  whole_number: fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom<unknown>('0', '12')),
  page: fc.integer({ min: 1, max: 1000 }),
  flag: fc.constantFrom<unknown>(0, 1, '0', '1', true, false),
  money: fc.oneof(
    fc.integer({ min: -1_000_000, max: 100_000_000 }).map(cents => (cents / 100).toFixed(2)),
    fc.constantFrom<unknown>('0.00', '-0.00', 12.5, '999999999999.99'),
  ),
  decimal: fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constantFrom<unknown>('12.5', '0')),
  uuid: fc.uuid(),
  country_code: fc.constantFrom('de', 'AT', 'fr', 'xx'),
  language: fc.constantFrom('de', 'en', 'fr'),
  timestamp: fc.constant('2026-01-31 12:00:00'),
  gtin: fc.constantFrom('4006381333931', '4006381333932'),
  mail: fc.constantFrom<unknown>('ada@example.org', 'Ada@Example.org', `${'a'.repeat(242)}@example.org`, 'a@b', '@'),
}

const isRule = (value: unknown): value is Rule => typeof value === 'function' && 'rule' in value && 'expected' in value

/** The rules that a schema names, its own and those of the schemas in its pipe. */
const rulesOf = ({ pipe = [] }: Shape): Rule[] =>
  pipe.flatMap(part => [...(isRule(part.requirement) ? [part.requirement] : []), ...(part.pipe ? rulesOf(part) : [])])

const bound = (rules: readonly Rule[], name: string): number | undefined => {
  const text = rules.find(({ rule }) => rule === name)?.expected.match(/\d+/)?.[0]
  return text === undefined ? undefined : Number(text)
}

const leaf = (shape: Shape): fc.Arbitrary<unknown> => {
  const rules = rulesOf(shape)
  const words = rules.find(({ rule }) => rule === 'one_of')?.expected.split(', ')
  if (words) return fc.constantFrom<unknown>(...words, ...words.map(Number).filter(Number.isFinite))
  const known = rules.map(({ rule }) => pools[rule]).find(Boolean)
  return known ?? textUpTo(bound(rules, 'max_length') ?? 255)
}

const schemasIn = ({ pipe = [] }: Shape): Shape[] => pipe.filter(({ kind }) => kind === 'schema')

/** The values that a schema asks for, with something else here and there. */
const valueFor = (shape: Shape, name: string, known: Known): fc.Arbitrary<unknown> => {
  const given = known[name]
  const usual = given
    ? fc.oneof(fc.constantFrom(...given), shapedFor(shape, name, known))
    : shapedFor(shape, name, known)
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: hostile })
}

const listOf = (item: Shape, shape: Shape, name: string, known: Known): fc.Arbitrary<unknown> => {
  const max = (shape.pipe ?? []).find(({ type }) => type === 'max_length')?.requirement
  const most = typeof max === 'number' ? max : 20
  const one = valueFor(item, name, known)
  return fc.oneof(
    fc.array(one, { maxLength: 4 }),
    fc.tuple(one, fc.constantFrom(most, most + 1)).map(([value, length]) => Array(length).fill(value)),
  )
}

const objectOf = (entries: Record<string, Shape>, known: Known): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(Object.entries(entries).map(([name, one]) => [name, valueFor(one, name, known)])), {
    requiredKeys: Object.keys(entries).filter(name => !/^(nullish|optional|nullable)$/.test(entries[name]?.type ?? '')),
  })

const shapedFor = (shape: Shape, name: string, known: Known): fc.Arbitrary<unknown> => {
  if (shape.wrapped) return fc.oneof({ weight: 9, arbitrary: shapedFor(shape.wrapped, name, known) }, fc.constant(null))
  if (shape.entries) return objectOf(shape.entries, known)
  const inner = schemasIn(shape)
    .slice(1)
    .findLast(one => one.item ?? one.entries ?? one.wrapped)
  if (inner?.item) return listOf(inner.item, shape, name, known)
  if (shape.item) return listOf(shape.item, shape, name, known)
  if (inner) return shapedFor(inner, name, known)
  if (shape.type === 'literal') return fc.constant(shape.literal)
  if (shape.options?.every(option => typeof option === 'string')) return fc.constantFrom(...shape.options)
  if (shape.options) return fc.oneof(...shape.options.map(option => shapedFor(option as Shape, name, known)))
  return leaf(shape)
}

/** Bodies of requests as a schema asks for them, with wrong values here and there, up to and beyond every limit. */
export const bodiesFor = (schema: unknown, known: Known): fc.Arbitrary<unknown> => shapedFor(schema as Shape, '', known)

const samples: Readonly<Record<string, unknown>> = {
  ...{ id: 1, whole_number: 1, page: 1, flag: 1, money: '1.00', decimal: '1', country_code: 'de', language: 'de' },
  ...{ uuid: '00000000-0000-4000-8000-000000000000', timestamp: '2026-01-31 12:00:00', gtin: '4006381333931' },
  mail: `${'a'.repeat(242)}@example.org`,
}

const largestList = (item: Shape, shape: Shape, name: string, known: Known, sign: string): unknown[] => {
  const max = (shape.pipe ?? []).find(({ type }) => type === 'max_length')?.requirement
  const isUnique = rulesOf(shape).some(({ rule }) => rule === 'unique')
  return Array.from({ length: typeof max === 'number' ? max : 100 }, (_, n) =>
    isUnique ? n + 1 : largestOf(item, name, known, sign),
  )
}

const largestLeaf = (shape: Shape, sign: string): unknown => {
  const rules = rulesOf(shape)
  const [word] = rules.find(({ rule }) => rule === 'one_of')?.expected.split(', ') ?? []
  if (word !== undefined) return word
  const known = rules.map(({ rule }) => samples[rule]).find(value => value !== undefined)
  return known ?? sign.repeat(bound(rules, 'max_length') ?? 255)
}

const largestOf = (shape: Shape, name: string, known: Known, sign: string): unknown => {
  if (known[name]?.length) return known[name][0]
  if (shape.wrapped) return largestOf(shape.wrapped, name, known, sign)
  if (shape.entries) {
    const entries = Object.entries(shape.entries)
    return Object.fromEntries(entries.map(([key, one]) => [key, largestOf(one, key, known, sign)]))
  }
  const inner = schemasIn(shape)
    .slice(1)
    .findLast(one => one.item ?? one.entries ?? one.wrapped)
  if (inner?.item) return largestList(inner.item, shape, name, known, sign)
  if (shape.item) return largestList(shape.item, shape, name, known, sign)
  if (inner) return largestOf(inner, name, known, sign)
  if (shape.type === 'literal') return shape.literal
  const [first] = shape.options ?? []
  if (typeof first === 'string') return first
  return shape.options ? largestOf(first as Shape, name, known, sign) : largestLeaf(shape, sign)
}

/** The largest body that a schema lets in: every field there, every text and list at its limit, all texts of one sign. */
export const largestFor = (schema: unknown, known: Known, sign: string): unknown =>
  largestOf(schema as Shape, '', known, sign)
