import type * as v from 'valibot'
import { isRule, partsOf, type SchemaPart } from '../contract/schema/schema-parts.ts'
import type { Documented, JsonSchema } from '../contract/schema/wire.ts'

/** `input`: the schema of a request. `output`: the schema of a response. */
export type Side = 'input' | 'output'

/** The names of schemas in the document; a named schema is referenced wherever it is used. */
export type Names = ReadonlyMap<v.GenericSchema, string>

const typesOf = ({ type }: JsonSchema): readonly unknown[] => (type === undefined ? [] : [type].flat())

const hasType = (types: readonly unknown[], value: unknown): boolean =>
  types.length === 0 ||
  types.includes(typeof value) ||
  (types.includes('integer') && Number.isInteger(value)) ||
  (types.includes('null') && value === null)

/** Returns a schema with further keywords; of the values in `more.enum`, those that have a type of the schema. */
const narrowed = (schema: JsonSchema, more: JsonSchema): JsonSchema => {
  const both = { ...schema, ...more }
  const types = typesOf(schema)
  const values = (more.enum as readonly unknown[] | undefined)?.filter(value => hasType(types, value))
  return values ? { ...both, enum: values } : both
}

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema => {
  const flat = schemas.flatMap(one => (Object.keys(one).join() === 'anyOf' ? (one.anyOf as JsonSchema[]) : [one]))
  return flat.length === 1 ? (flat[0] as JsonSchema) : { anyOf: flat }
}

const acceptsAnyText = ({ type, ...rest }: JsonSchema): boolean =>
  type === 'string' && !('pattern' in rest || 'minLength' in rest)

/** Returns a schema that also accepts null or a word. */
const withValue = (schema: JsonSchema, value: null | string): JsonSchema => {
  const { description, ...rest } = schema
  const types = typesOf(rest)
  if (Object.keys(rest).length === 0 || (value !== null && acceptsAnyText(rest))) return schema
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

/** Returns a schema with one more sentence in its description, as the first or the last. */
const withSentence = (schema: JsonSchema, sentence: string, isFirst: boolean): JsonSchema => {
  const all = isFirst ? [sentence, schema.description] : [schema.description, sentence]
  return { ...schema, description: all.filter(Boolean).join(' ') }
}

const isOptional = ({ type }: SchemaPart): boolean => /^(optional|nullish|exact_optional)$/.test(type)

/**
 * Converts the contract's valibot schemas to JSON Schema (draft 2020-12, as in OpenAPI 3.1). Scalars with several accepted
 * forms, and lists whose length is checked before their elements, have type `unknown` in valibot; they carry the JSON Schema
 * of their input.
 */
export class Converter {
  readonly #names: Names
  readonly #side: Side
  readonly #refs: string

  /** `refs` is the JSON pointer of the named schemas. */
  constructor(side: Side, names: Names = new Map(), refs = '#/components/schemas/') {
    this.#side = side
    this.#names = names
    this.#refs = refs
  }

  /** Returns the JSON Schema of a schema, a reference if it has a name. Throws for an unknown kind of schema. */
  of(schema: v.GenericSchema): JsonSchema {
    return this.#of(partsOf(schema))
  }

  /** Returns the JSON Schema of a schema that has a name, without a reference. */
  definition(schema: v.GenericSchema): JsonSchema {
    return this.#converted(partsOf(schema))
  }

  #of(part: SchemaPart): JsonSchema {
    const name = this.#names.get(part as unknown as v.GenericSchema)
    return name ? { $ref: this.#refs + name } : this.#converted(part)
  }

  #isNamed(part: SchemaPart): boolean {
    return this.#names.has(part as unknown as v.GenericSchema)
  }

  #converted(part: SchemaPart): JsonSchema {
    const [, ...steps] = part.pipe ?? []
    let schema = this.#withoutPipe(part)
    const rules = new Set<string>()
    for (const step of steps) {
      schema = this.#withStep(schema, step)
      // A check of several fields is described with one of them.
      if (step.type === 'partial_check') continue
      if (isRule(step.requirement) && !step.requirement.jsonSchema) rules.add(step.requirement.expected)
    }
    if (this.#side === 'output') return schema
    return [...rules].reduce((result, expected) => withSentence(result, `Must be ${expected}.`, false), schema)
  }

  /** Returns the schema with the keywords that a step of a pipe adds. */
  #withStep(schema: JsonSchema, step: SchemaPart): JsonSchema {
    const { kind, type, requirement, metadata, description } = step
    if (type === 'description') return withSentence(schema, String(description), true)
    if (metadata?.documented) return this.#side === 'input' ? this.#documented(schema, metadata.documented) : schema
    if (kind === 'schema') return this.#withSchema(schema, step)
    if (isRule(requirement)) {
      const { input = {}, output } = requirement.jsonSchema ?? {}
      return narrowed(schema, (this.#side === 'output' && output) || input)
    }
    const keyword = bounds[type]?.(schema)
    return keyword ? { ...schema, [keyword]: requirement } : schema
  }

  /** A later schema of a pipe describes the output. */
  #withSchema(schema: JsonSchema, step: SchemaPart): JsonSchema {
    const next = this.#of(step)
    if (this.#side === 'output' || Object.keys(schema).length === 0) return next
    // It describes the input as well if no earlier step changed the type.
    return schema.type === 'array' && next.type === 'array' ? { ...schema, ...next } : schema
  }

  #documented(schema: JsonSchema, { also = [], anyOf: schemas, members }: Documented): JsonSchema {
    let known = schema
    if (members) {
      const properties = Object.fromEntries([...members].map(([name, one]) => [name, this.of(one)]))
      known = { ...known, properties, additionalProperties: false }
    }
    if (schemas) known = anyOf(schemas.map(one => this.of(one)))
    return also.reduce<JsonSchema>((result, value) => withValue(result, value as null | string), known)
  }

  #withoutPipe(part: SchemaPart): JsonSchema {
    // A pipe that starts with another pipe extends it.
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
        return this.#withDefault(part, this.#of(wrapped as SchemaPart))
      case 'nullable':
        return withValue(this.#of(wrapped as SchemaPart), null)
      case 'nullish':
        return this.#withDefault(part, withValue(this.#of(wrapped as SchemaPart), null))
      case 'union':
      case 'variant':
        return anyOf((options as readonly SchemaPart[]).map(one => this.#of(one)))
      case 'object':
      case 'strict_object':
      case 'loose_object':
        return this.#object(entries ?? {}, type === 'strict_object' && this.#side === 'input')
      case 'lazy':
        return {}
      default:
        throw new Error(`no JSON Schema is known for a schema of type ${type}`)
    }
  }

  #withDefault(part: SchemaPart, schema: JsonSchema): JsonSchema {
    const { default: value } = part
    const isDocumented = this.#side === 'input' && value !== undefined && value !== null && typeof value !== 'function'
    return isDocumented && !('$ref' in schema) ? { ...schema, default: value } : schema
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
