import type * as v from 'valibot'
import { eventSchema, eventSource, eventTypes, OrderEventDetail, WineEventDetail } from '../shared/contract/events.ts'
import { jobs, type Trigger } from '../shared/contract/jobs.ts'
import type { ClientUse, Level, Route } from '../shared/contract/route.ts'
import { routes } from '../shared/contract/routes/index.ts'
import { Converter } from '../shared/reference/json-schema.ts'

const callers: Record<Level, string> = {
  service: 'merchant',
  public: 'everyone',
  open: 'everyone, without CORS',
  webhook: 'payment provider',
}

const code = (text: string): string => `\`${text}\``

/** Returns a Markdown table; its last `numbers` columns are aligned to the right. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[], numbers = 0): string => {
  const lineOf = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const rule = `|${'---|'.repeat(head.length - numbers)}${'---:|'.repeat(numbers)}`
  return [lineOf(head), rule, ...rows.map(lineOf)].join('\n')
}

const forClients: Record<ClientUse, string> = {
  refused: '',
  prices: '; client: own prices',
  narrows: '; client: own records',
  required: ' with a client',
}

const routeRow = ({ path, methods, level, client, role, deprecated, summary }: Route): string[] => [
  code(path),
  methods.join(', '),
  callers[level] + (role ? `, role ${role}` : '') + forClients[client],
  deprecated ? `${summary} Deprecated.` : summary,
]

const startOf = (trigger: Trigger): string => {
  if ('follows' in trigger) {
    const prefixes = (trigger.prefixes ?? []).map(prefix => `${prefix}…`)
    return `changes of ${[...trigger.follows, ...prefixes].map(code).join(', ')}`
  }
  return [
    'deployed' in trigger ? `a deployment with another ${trigger.deployed}` : '',
    'startedBy' in trigger && trigger.startedBy ? code(trigger.startedBy) : '',
    'everyMinutes' in trigger ? `every ${trigger.everyMinutes} minutes` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

const byPath = routes.toSorted((one, other) => (one.path < other.path ? -1 : 1))

/** The tables of functions/README.md, by the name of the markers around them: Markdown, one row a route or job. */
export const tables: Readonly<Record<string, string>> = {
  routes: tableOf(['route', 'methods', 'callers', 'what it does'], byPath.map(routeRow)),
  jobs: tableOf(
    ['job', 'started by', 'what it does'],
    jobs.map(({ file, trigger, summary }) => [code(file), startOf(trigger), summary]),
  ),
}

/**
 * Replaces the part of a text between the markers `<!-- NAME -->` and `<!-- /NAME -->`. Throws when the text lacks them.
 */
export const withPart = (text: string, name: string, part: string): string => {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the text lacks ${start} … ${end}`)
  return `${text.slice(0, from)}${start}\n\n${part}\n\n${text.slice(to)}`
}

/** Regenerates every table of a text. Throws if the text lacks the markers of a table. */
export const withTables = (text: string): string =>
  Object.entries(tables).reduce((before, [name, table]) => withPart(before, name, table), text)

const details: ReadonlyMap<v.GenericSchema, string> = new Map<v.GenericSchema, string>([
  [OrderEventDetail, 'OrderEventDetail'],
  [WineEventDetail, 'WineEventDetail'],
])

/** The JSON Schema of all events, in the form that a rule's target receives, as text. */
export const eventsDocument = (): string => {
  const converter = new Converter('output', details, '#/$defs/')
  const oneOf = Object.entries(eventTypes).map(([type, { detail, summary }]) => ({
    description: summary,
    type: 'object',
    required: ['source', 'detail-type', 'detail'],
    properties: { source: { const: eventSource }, 'detail-type': { const: type }, detail: converter.of(detail) },
  }))
  const $defs = Object.fromEntries([...details].map(([schema, name]) => [name, converter.definition(schema)]))
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  return `${JSON.stringify({ $schema, title: `Events of Weinkontor, schema ${eventSchema}`, oneOf, $defs }, null, 2)}\n`
}
