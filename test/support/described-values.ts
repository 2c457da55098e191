import { unpack } from '../../shared/orders/record.ts'

/** An item of the table, with its key. */
export type StoredItem = Record<string, unknown> & { pk: string; sk: string }

/** Every value of an answer and of the items that were written, as JSON by its path: where it is, and its name there. */
export type Values = ReadonlyMap<string, string>

// Records inside an order are reduced to fields that identify them.
const omitted = /\t(item|client|billing|delivery)\t(?!(name|last_name|id|quantity|gross|type)$)/

// Random ids, and numbers made from the time.
const random =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{32}\b|[0-9a-f]{64}|SBX[0-9A-F]+|(?<!\d)\d{13,16}\b/g

const idOwners: readonly (readonly [kind: string, word: string])[] = [
  ['order-uuids', 'order'],
  ['payments', 'payment'],
  ['external-payments', 'external'],
  ['clients', 'client'],
  ['addresses', 'address'],
]

/** The key of an item, without its merchant and the zeros before numbers. */
export const itemName = ({ pk, sk }: StoredItem): string =>
  `${pk.replace(/^m#\d+#/, '')} ${sk.replace(/\b0{4,}(?=\d*(#|$))/g, '')}`

const decoded = (item: StoredItem): StoredItem => {
  const { doc } = item
  if (typeof doc === 'string') return { ...item, doc: JSON.parse(doc) }
  return doc instanceof Uint8Array ? { ...item, doc: unpack(doc) } : item
}

const documentWords: Readonly<Record<string, string>> = {
  invoices: 'invoice',
  deliveryNotes: 'delivery note',
  creditAdvices: 'credit advice',
  payments: 'money',
}

/** The parts of a path that say where a value is, in few words, and its name there. */
const placed = (path: string): [place: string, name: string] => {
  const [item = '', ...names] = path.split('\t')
  const [kind, id = ''] = item.split(' ')
  const rest = names[0] === 'doc' ? names.slice(1) : names
  const of = (place: string, skipped: number): [string, string] => [place, rest.slice(skipped).join('.')]
  const n = Number(rest[2]) ? ` ${Number(rest[2]) + 1}` : ''
  if (kind === 'orders' && rest[0] === 'header' && rest.length > 1) return of(`header ${id}`, 1)
  if (kind === 'orders' && rest[0] === 'documents' && rest.length > 2)
    return of(`${documentWords[rest[1] ?? '']}${n} ${id}`, 3)
  if (kind === 'order-items' && rest[0] === 'positions' && rest.length > 2)
    return of(`position ${Number(rest[1]) + 1} of ${id}`, 2)
  if (kind === 'outbox' && rest[0] === 'detail') return of(id, 1)
  return of(item, 0)
}

/** The values of an answer and of items. Random ids are named by the record that they belong to, or numbered. */
export const valuesOf = (answer: unknown, items: readonly StoredItem[], origin: string): Map<string, string> => {
  const ids = new Map<string, string>()
  const nameId = (found: string, word: string): string => {
    const id = found.replace(/^0+/, '')
    const taken = [...ids.values()].filter(name => name.startsWith(`<${word}`)).length
    const name = ids.get(id) ?? `<${word}${taken ? ` ${taken + 1}` : ''}>`
    ids.set(id, name)
    return name
  }
  for (const [kind, word] of idOwners)
    for (const item of items)
      if (itemName(item).startsWith(`${kind} `)) item.sk.match(random)?.map(id => nameId(id, word))
  const named = (text: string) => text.replace(random, found => nameId(found, 'id')).replace(origin, 'http://here')
  const values = new Map<string, string>()
  const add = (path: string, value: unknown): void => {
    if (omitted.test(path)) return
    const entries = value && typeof value === 'object' ? Object.entries(value) : []
    for (const [name, part] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) add(`${path}\t${name}`, part)
    if (entries.length === 0) values.set(path, named(JSON.stringify(value) ?? 'nothing'))
  }
  add('answer', answer)
  for (const item of items.toSorted((a, b) => (itemName(a) < itemName(b) ? -1 : 1))) {
    const { pk: _, sk, ...fields } = decoded(item)
    add(named(itemName(item)), fields)
  }
  return values
}

const maxWidth = 140

const wrapped = (head: string, parts: readonly string[]): string[] => {
  const lines = [`${head}:`]
  for (const [n, part] of parts.entries()) {
    const text = ` ${part}${n === parts.length - 1 ? '' : ','}`
    if ((lines.at(-1)?.length ?? 0) + text.length > maxWidth && n > 0) lines.push(`   ${text}`)
    else lines[lines.length - 1] += text
  }
  return lines
}

/** Values as lines: equal values that several places have are named once, and nulls at the end. */
export const linesOf = (values: Values): string[] => {
  const places = new Map<string, string[]>()
  for (const [path, value] of values) {
    const [place, name] = placed(path)
    const text = value === 'null' ? `null ${name}` : `${name} ${value}`.trim()
    places.set(text, [...(places.get(text) ?? []), place])
  }
  const byPlaces = Map.groupBy(places, ([, where]) => where.join(' + '))
  return [...byPlaces].flatMap(([head, all]) => {
    const texts = all.map(([text]) => text)
    const nulls = texts.filter(text => text.startsWith('null ')).map(text => text.slice(5))
    const others = texts.filter(text => !text.startsWith('null '))
    return [
      ...(others.length > 0 ? wrapped(head, others) : []),
      ...(nulls.length > 0 ? wrapped(`${head} null`, nulls) : []),
    ]
  })
}

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}\t`)

/** The shortest prefix of a path that no path of some values has, and that has no value above it. */
const missingPrefix = (path: string, paths: readonly string[]): string | undefined => {
  const names = path.split('\t')
  for (let n = 1; n <= names.length; n++) {
    const prefix = names.slice(0, n).join('\t')
    if (paths.includes(prefix)) return undefined
    if (!paths.some(other => isBelow(other, prefix))) return prefix
  }
  return undefined
}

/** The lines that tell values from those of a base: what is different or new, and what is missing. */
export const differenceOf = (values: Values, base: Values): string[] => {
  const paths = [...values.keys()]
  const missing = [...base.keys()].flatMap(path => missingPrefix(path, paths) ?? [])
  const changed = [...values].filter(([path, value]) => base.get(path) !== value)
  return [
    ...linesOf(new Map(changed)),
    ...(missing.length > 0
      ? wrapped(
          'missing',
          [...new Set(missing)].map(path => path.replaceAll('\t', '.')),
        )
      : []),
  ]
}
