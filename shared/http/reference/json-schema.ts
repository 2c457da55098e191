import type * as v from 'valibot'
import { isRule, partsOf, type SchemaPart } from '../../contract/schema-parts.ts'
import type { Documented, JsonSchema } from '../../contract/wire.ts'

/** Which side of a schema is meant: what may be sent, or what is answered. */
export type Side = 'takes' | 'gives'

/** The names of schemas in the document; a named schema is referenced wherever it is used. */
export type Names = ReadonlyMap<v.GenericSchema, string>

const typesOf = ({ type }: JsonSchema): readonly unknown[] => (type === undefined ? [] : [type].flat())

const fits = (types: readonly unknown[], value: unknown): boolean =>
  types.length === 0 ||
  types.includes(typeof value) ||
  (types.includes('integer') && Number.isInteger(value)) ||
  (types.includes('null') && value === null)

/** A schema with further keywords; of values listed there only those count which it takes anyway. */
const narrowed = (schema: JsonSchema, more: JsonSchema): JsonSchema => {
  const both = { ...schema, ...more }
  const types = typesOf(schema)
  const values = (more.enum as readonly unknown[] | undefined)?.filter(value => fits(types, value))
  return values ? { ...both, enum: values } : both
}

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema => {
  const flat = schemas.flatMap(one => (Object.keys(one).join() === 'anyOf' ? (one.anyOf as JsonSchema[]) : [one]))
  return flat.length === 1 ? (flat[0] as JsonSchema) : { anyOf: flat }
}

const isFree = ({ type, ...rest }: JsonSchema): boolean =>
  type === 'string' && !('pattern' in rest || 'minLength' in rest)

/** A schema that takes null, or a word, besides. */
const orElse = (schema: JsonSchema, value: null | string): JsonSchema => {
  const { description, ...rest } = schema
  const types = typesOf(rest)
  if (Object.keys(rest).length === 0 || (value !== null && isFree(rest))) return schema
  if (Array.isArray(rest.enum))
    return {
      ...schema,
      enum: [...new Set([...rest.enum, value])],
      ...(types.length > 0 && { type: [...new Set([...types, value === null ? 'null' : 'string'])] }),
    }
  if (value === null && types.length > 0) return { ...schema, type: [...new Set([...types, 'null'])] }
  const either = anyOf([rest, value === null ? { type: 'null' } : { const: value }])
  return description === undefined ? either : { ...either, description }
}

const bounds: Readonly<Record<string, (of: JsonSchema) => string>> = {
  min_value: () => 'minimum',
  max_value: () => 'maximum',
  min_length: of => (of.type === 'array' ? 'minItems' : 'minLength'),
  max_length: of => (of.type === 'array' ? 'maxItems' : 'maxLength'),
}

/** A schema with one more sentence in its description, as the first or the last. */
const withSentence = (schema: JsonSchema, sentence: string, isFirst: boolean): JsonSchema => {
  const all = isFirst ? [sentence, schema.description] : [schema.description, sentence]
  return { ...schema, description: all.filter(Boolean).join(' ') }
}

const isOptional = ({ type }: SchemaPart): boolean => /^(optional|nullish|exact_optional)$/.test(type)

/**
 * JSON Schemas (draft 2020-12, as OpenAPI 3.1 takes them) of the contract's schemas. What a request is read through (a
 * scalar of several written forms, a list whose length is checked before its elements) says itself how it is written; a
 * converter that only knows valibot would see "anything" there.
 */
export class Converter {
  readonly #names: Names
  readonly #side: Side
  readonly #refs: string

  /** `refs` is the path of named schemas, as `#/components/schemas/`; those met while converting are in `used`. */
  constructor(side: Side, names: Names = new Map(), refs = '#/components/schemas/') {
    this.#side = side
    this.#names = names
    this.#refs = refs
  }

  /** The JSON Schema of a schema, by reference if it has a name. Throws for a kind of schema that it does not know. */
  of(schema: v.GenericSchema): JsonSchema {
    return this.#of(partsOf(schema))
  }

  /** The JSON Schema itself of a schema that has a name. */
  definition(schema: v.GenericSchema): JsonSchema {
    return this.#written(partsOf(schema))
  }

  #of(part: SchemaPart): JsonSchema {
    const name = this.#names.get(part as unknown as v.GenericSchema)
    return name ? { $ref: this.#refs + name } : this.#written(part)
  }

  #isNamed(part: SchemaPart): boolean {
    return this.#names.has(part as unknown as v.GenericSchema)
  }

  #written(part: SchemaPart): JsonSchema {
    const [, ...steps] = part.pipe ?? []
    let schema = this.#bare(part)
    const rules = new Set<string>()
    for (const step of steps) {
      schema = this.#after(schema, step)
      if (isRule(step.requirement) && !step.requirement.written) rules.add(step.requirement.expected)
    }
    if (this.#side === 'gives') return schema
    return [...rules].reduce((so, expected) => withSentence(so, `Must be ${expected}.`, false), schema)
  }

  /** Returns the schema with the keywords that a step of a pipe adds. */
  #after(schema: JsonSchema, step: SchemaPart): JsonSchema {
    const { kind, type, requirement, metadata, description } = step
    if (type === 'description') return withSentence(schema, String(description), true)
    if (metadata?.documented) return this.#side === 'takes' ? this.#documented(schema, metadata.documented) : schema
    if (kind === 'schema') return this.#next(schema, step)
    if (isRule(requirement)) {
      const { takes = {}, gives } = requirement.written ?? {}
      return narrowed(schema, (this.#side === 'gives' && gives) || takes)
    }
    const keyword = bounds[type]?.(schema)
    return keyword ? { ...schema, [keyword]: requirement } : schema
  }

  /** A schema further on in a pipe reads what the steps before made of the value. */
  #next(schema: JsonSchema, step: SchemaPart): JsonSchema {
    const next = this.#of(step)
    if (this.#side === 'gives' || Object.keys(schema).length === 0) return next
    // For requests it adds keywords only if no earlier step changed the type.
    return schema.type === 'array' && next.type === 'array' ? { ...schema, ...next } : schema
  }

  #documented(schema: JsonSchema, { also = [], anyOf: schemas, members }: Documented): JsonSchema {
    let known = schema
    if (members) {
      const properties = Object.fromEntries([...members].map(([name, one]) => [name, this.of(one)]))
      known = { ...known, properties, additionalProperties: false }
    }
    if (schemas) known = anyOf(schemas.map(one => this.of(one)))
    return also.reduce<JsonSchema>((so, value) => orElse(so, value as null | string), known)
  }

  #bare(part: SchemaPart): JsonSchema {
    // A schema that starts with a piped one is a copy of that, with a pipe of its own.
    const [first] = part.pipe ?? []
    if (first && (this.#isNamed(first) || (first.pipe && first.pipe !== part.pipe))) return this.#of(first)
    const { type, wrapped, item, value, options, literal, entries } = part
    switch (type) {
      case 'unknown':
      case 'any':
        return {}
      case 'string':
      case 'number':
      case 'boolean':
        return { type }
      case 'null':
        return { type }
      case 'literal':
        return { const: literal }
      case 'picklist':
        return { enum: [...(options ?? [])] }
      case 'array':
        return { type: 'array', items: this.#of(item as SchemaPart) }
      case 'record':
        return { type: 'object', additionalProperties: this.#of(value as SchemaPart) }
      case 'optional':
      case 'exact_optional':
        return this.#usual(part, this.#of(wrapped as SchemaPart))
      case 'nullable':
        return orElse(this.#of(wrapped as SchemaPart), null)
      case 'nullish':
        return this.#usual(part, orElse(this.#of(wrapped as SchemaPart), null))
      case 'union':
      case 'variant':
        return anyOf((options as readonly SchemaPart[]).map(one => this.#of(one)))
      case 'object':
      case 'strict_object':
      case 'loose_object':
        return this.#object(entries ?? {}, type === 'strict_object' && this.#side === 'takes')
      case 'lazy':
        return {}
      default:
        throw new Error(`no JSON Schema is known for a schema of type ${type}`)
    }
  }

  #usual(part: SchemaPart, schema: JsonSchema): JsonSchema {
    const usual = part.default
    const isTold = this.#side === 'takes' && usual !== undefined && usual !== null && typeof usual !== 'function'
    return isTold && !('$ref' in schema) ? { ...schema, default: usual } : schema
  }

  #object(entries: Readonly<Record<string, SchemaPart>>, isStrict: boolean): JsonSchema {
    const required = Object.keys(entries).filter(name => !isOptional(entries[name] as SchemaPart))
    return {
      type: 'object',
      properties: Object.fromEntries(Object.entries(entries).map(([name, one]) => [name, this.#of(one)])),
      ...(required.length > 0 && { required }),
      ...(isStrict && { additionalProperties: false }),
    }
  }
}
