export type Statement = {
  effect: 'Allow' | 'Deny'
  actions: string[]
  resources: string[]
  conditions: Record<string, Record<string, string | string[]>>
}

/** An action on a resource, and the condition keys of the request. */
export type RequestedAction = { action: string; resource: string; context: Record<string, string | string[]> }

const list = <T>(value: T | T[] | undefined): T[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

// The patterns of a template are few, and each request is matched against many of them.
const patterns = new Map<string, RegExp>()

const patternOf = (pattern: string): RegExp => {
  const known = patterns.get(pattern)
  if (known) return known
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const made = new RegExp(`^${source}$`, 's')
  patterns.set(pattern, made)
  return made
}

/** IAM's pattern: `*` for any text, `?` for one character, everything else for itself. */
export const matches = (pattern: string, text: string): boolean => patternOf(pattern).test(text)

const matchesAny = (wanted: readonly string[], text: string) => wanted.some(pattern => matches(pattern, text))

type Operator = (wanted: string[], present: string[]) => boolean

// Operators that no template uses are missing: the twin fails rather than decide wrongly.
const operators: Record<string, Operator> = {
  StringEquals: (wanted, present) => present.some(value => wanted.includes(value)),
  StringLike: (wanted, present) => present.some(value => matchesAny(wanted, value)),
  Bool: (wanted, present) => present.some(value => wanted.includes(value)),
  NumericGreaterThan: (wanted, present) => present.some(value => wanted.some(bound => Number(value) > Number(bound))),
  // Holds for every value of the request, and, as in IAM, when the request has none.
  'ForAllValues:StringLike': (wanted, present) => present.every(value => matchesAny(wanted, value)),
}

const conditionsHold = ({ conditions }: Statement, { context }: RequestedAction): boolean =>
  Object.entries(conditions).every(([name, keys]) => {
    const operator = operators[name]
    if (!operator) throw new Error(`the twin does not know the condition operator ${name}`)
    return Object.entries(keys).every(([key, wanted]) => operator(list(wanted), list(context[key])))
  })

const applies = (statement: Statement, requested: RequestedAction): boolean =>
  statement.actions.some(action => matches(action.toLowerCase(), requested.action.toLowerCase())) &&
  matchesAny(statement.resources, requested.resource) &&
  conditionsHold(statement, requested)

/** IAM's decision: some statement allows it and none denies it. */
export const isAllowed = (statements: readonly Statement[], requested: RequestedAction): boolean => {
  const applying = statements.filter(statement => applies(statement, requested))
  return applying.some(({ effect }) => effect === 'Allow') && !applying.some(({ effect }) => effect === 'Deny')
}
