/** One condition on an item's attributes; a list of clauses means all of them. */
export type Clause =
  | { attribute: string; is: '=' | '<>' | '<' | '<=' | '>' | '>='; value: unknown }
  | { attribute: string; is: 'present' | 'absent' | 'text' }
  | { anyOf: readonly Clause[] }

/** The item exists. */
export const present: Clause = { attribute: 'pk', is: 'present' }

/** The item does not exist yet. */
export const absent: Clause = { attribute: 'pk', is: 'absent' }

export const equals = (attribute: string, value: unknown): Clause => ({ attribute, is: '=', value })

/** What an update does: attributes to set, to remove, and numbers to add (an absent one counts as 0). */
export type Change = {
  set?: Record<string, unknown>
  remove?: readonly string[]
  add?: Record<string, number>
}

/** Collects the placeholders of one request: no attribute name or value ever stands in an expression as text. */
export class Placeholders {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, unknown> = {}
  private readonly known = new Map<string, string>()

  name(attribute: string): string {
    const known = this.known.get(attribute)
    if (known) return known
    const placeholder = `#n${this.known.size}`
    this.known.set(attribute, placeholder)
    this.names[placeholder] = attribute
    return placeholder
  }

  value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.values).length}`
    this.values[placeholder] = value
    return placeholder
  }

  /** The request parameters; DynamoDB refuses empty maps. */
  parameters(): {
    ExpressionAttributeNames?: Record<string, string>
    ExpressionAttributeValues?: Record<string, unknown>
  } {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    }
  }
}

/** A condition expression over clauses, or undefined for none. */
export const conditionOf = (clauses: readonly Clause[], places: Placeholders): string | undefined =>
  clauses.length === 0 ? undefined : clauses.map(clause => clauseText(clause, places)).join(' AND ')

const clauseText = (clause: Clause, places: Placeholders): string => {
  if ('anyOf' in clause) return `(${clause.anyOf.map(one => clauseText(one, places)).join(' OR ')})`
  const name = places.name(clause.attribute)
  if ('value' in clause) return `${name} ${clause.is} ${places.value(clause.value)}`
  if (clause.is === 'present') return `attribute_exists(${name})`
  if (clause.is === 'absent') return `attribute_not_exists(${name})`
  return `attribute_type(${name}, ${places.value('S')})`
}

/** An update expression. */
export const changeOf = ({ set = {}, remove = [], add = {} }: Change, places: Placeholders): string => {
  const pairs = (record: Record<string, unknown>, join: string) =>
    Object.entries(record).map(([attribute, value]) => `${places.name(attribute)}${join}${places.value(value)}`)
  const parts: [string, string[]][] = [
    ['SET', pairs(set, ' = ')],
    ['REMOVE', remove.map(attribute => places.name(attribute))],
    ['ADD', pairs(add, ' ')],
  ]
  return parts
    .filter(([, terms]) => terms.length > 0)
    .map(([verb, terms]) => `${verb} ${terms.join(', ')}`)
    .join(' ')
}
