import { indexAttribute } from './keys.ts'

type Comparison<Name, Value> = { attribute: Name; is: '=' | '<>' | '<' | '<=' | '>' | '>='; value: Value }
type Test<Name> = { attribute: Name; is: 'present' | 'absent' | 'text' }

/** The attributes of any item, of all variants where an item has several. */
type NameIn<Item> = Item extends unknown ? keyof Item & string : never
type ValueIn<Item, Name extends PropertyKey> = Item extends unknown
  ? Name extends keyof Item
    ? Item[Name]
    : never
  : never

/** A condition on an item's attributes; a list of clauses means all of them. */
export type Clause<Item = never> =
  | { [Name in NameIn<Item>]: Comparison<Name, ValueIn<Item, Name>> }[NameIn<Item>]
  | Test<NameIn<Item> | 'pk'>
  | { anyOf: readonly Clause<Item>[] }

export const present = { attribute: 'pk', is: 'present' } as const

export const absent = { attribute: 'pk', is: 'absent' } as const

export const equals = <const Name extends string, const Value>(attribute: Name, value: Value) =>
  ({ attribute, is: '=', value }) as const

/** The item has this version; version 0: it does not exist, or has never been changed. */
export const hasVersion = (version: number) =>
  version === 0 ? ({ anyOf: [absent, equals('version', 0)] } as const) : equals('version', version)

export const equalsAnyOf = <const Name extends string, const Value>(attribute: Name, values: readonly Value[]) => ({
  anyOf: values.map(value => equals(attribute, value)),
})

/**
 * An update: attributes to set, to remove, and numbers to add (an absent attribute counts as 0). `index` is the
 * item's sort key in the table's index, null to take it out of there.
 */
export type Change<Item> = {
  set?: Partial<Item>
  remove?: readonly NameIn<Item>[]
  add?: { [Name in keyof Item]?: number }
  index?: string | null
}

type AnyClause = Comparison<string, unknown> | Test<string> | { anyOf: readonly AnyClause[] }

/** Collects the placeholders of a request: expressions never contain an attribute name or value as text. */
export class Placeholders {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, unknown> = {}
  readonly #known = new Map<string, string>()

  name(attribute: string): string {
    const known = this.#known.get(attribute)
    if (known) return known
    const placeholder = `#n${this.#known.size}`
    this.#known.set(attribute, placeholder)
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

const clauseText = (clause: AnyClause, places: Placeholders): string => {
  if ('anyOf' in clause) return `(${clause.anyOf.map(one => clauseText(one, places)).join(' OR ')})`
  const name = places.name(clause.attribute)
  if ('value' in clause) return `${name} ${clause.is} ${places.value(clause.value)}`
  if (clause.is === 'present') return `attribute_exists(${name})`
  if (clause.is === 'absent') return `attribute_not_exists(${name})`
  return `attribute_type(${name}, ${places.value('S')})`
}

/** A condition expression over clauses, or undefined for none. */
export const conditionExpression = <Item>(
  clauses: readonly Clause<Item>[],
  places: Placeholders,
): string | undefined =>
  clauses.length === 0 ? undefined : clauses.map(clause => clauseText(clause, places)).join(' AND ')

export const updateExpression = <Item>(
  { set = {}, remove = [], add = {}, index }: Change<Item>,
  places: Placeholders,
): string => {
  const pairs = (values: object, join: string) =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([attribute, value]) => `${places.name(attribute)}${join}${places.value(value)}`)
  const removed = index === null ? [...remove, indexAttribute] : remove
  const parts: [string, string[]][] = [
    ['SET', pairs({ ...set, ...(index && { [indexAttribute]: index }) }, ' = ')],
    ['REMOVE', removed.map(attribute => places.name(attribute))],
    ['ADD', pairs(add, ' ')],
  ]
  return parts
    .filter(([, terms]) => terms.length > 0)
    .map(([verb, terms]) => `${verb} ${terms.join(', ')}`)
    .join(' ')
}
