import type * as v from 'valibot'
import { isRule, partsOf, type SchemaPart } from '../contract/schema/schema-parts.ts'
import type { Documented, JsonSchema } from '../contract/schema/wire.ts'

/** `input`: the schema of a request. `output`: the schema of a response. */
export type Side = 'input' | 'output'

/** The names of schemas in the document; a named schema is referenced wherever it is used. */
export type Names = ReadonlyMap<v.GenericSchema, string>

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema => {
  const flat = schemas.flatMap(one => (Object.keys(one).join() === 'anyOf' ? (one.anyOf as JsonSchema[]) : [one]))
  return flat.length === 1 ? (flat[0] as JsonSchema) : { anyOf: flat }
}

const acceptsAnyText = ({ type, ...rest }: JsonSchema): boolean =>
  type === 'string' && !('pattern' in rest || 'minLength' in rest)

/** Returns a schema that also accepts null or a word. */
const withValue = (schema: JsonSchema, value: null | string): JsonSchema => {
  const { description, ...rest } = schema
  const types = [rest.type ?? []].flat()
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

const bounds: Readonly<Record<string, string>> = {
  min_value: 'minimum',
  max_value: 'maximum',
  min_length: 'minItems',
  max_length: 'maxItems',
}

const sentences = (...all: readonly unknown[]): string => all.filter(Boolean).join(' ')

const isOptional = ({ type }: SchemaPart): boolean => /^(optional|nullish|exact_optional)$/.test(type)

/**
 * Converts the contract's valibot schemas to JSON Schema (draft 2020-12, as in OpenAPI 3.1). Scalars with several accepted
 * forms, and lists whose length is checked before their elements, have type `unknown` in valibot; they carry the JSON Schema
 * of their input. The package @valibot/to-json-schema flattens pipes before any override sees them: a named schema with a
 * sentence of its own is no reference any more, and the input of a transformation is unknown.
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
    return this.#convert(partsOf(schema))
  }

  #of(part: SchemaPart): JsonSchema {
    const name = this.#names.get(part as unknown as v.GenericSchema)
    return name ? { $ref: this.#refs + name } : this.#convert(part)
  }

  #convert(part: SchemaPart): JsonSchema {
    const [first, ...steps] = part.pipe ?? []
    const start = first ? this.#of(first) : this.#withoutPipe(part)
    const schema = steps.reduce((before, step) => this.#withStep(before, step), start)
    // A check of several fields is described with the first of them.
    const checks = this.#side === 'output' ? [] : steps.filter(({ type }) => type !== 'partial_check')
    const rules = new Set(
      checks.flatMap(({ requirement }) => (isRule(requirement) && !requirement.jsonSchema ? requirement.expected : [])),
    )
    if (rules.size === 0) return schema
    return { ...schema, description: sentences(schema.description, ...[...rules].map(rule => `Must be ${rule}.`)) }
  }

  /** Returns the schema with the keywords that a step of a pipe adds. */
  #withStep(schema: JsonSchema, step: SchemaPart): JsonSchema {
    const { kind, type, requirement, metadata, description } = step
    if (type === 'description') return { ...schema, description: sentences(description, schema.description) }
    if (metadata?.documented) return this.#side === 'input' ? this.#document(schema, metadata.documented) : schema
    if (kind === 'schema') return this.#withSchema(schema, step)
    if (isRule(requirement)) {
      const { input = {}, output } = requirement.jsonSchema ?? {}
      return { ...schema, ...((this.#side === 'output' && output) || input) }
    }
    const keyword = bounds[type]
    return keyword ? { ...schema, [keyword]: requirement } : schema
  }

  /** A later schema of a pipe describes the output. */
  #withSchema(schema: JsonSchema, step: SchemaPart): JsonSchema {
    const next = this.#of(step)
    if (this.#side === 'output' || Object.keys(schema).length === 0) return next
    // It describes the input as well if no earlier step changed the type.
    return schema.type !== undefined && schema.type === next.type ? { ...schema, ...next } : schema
  }

  #document(schema: JsonSchema, { also = [], anyOf: schemas, members }: Documented): JsonSchema {
    let known = schema
    if (members) {
      const properties = Object.fromEntries([...members].map(([name, one]) => [name, this.of(one)]))
      known = { ...known, properties, additionalProperties: false }
    }
    if (schemas) known = anyOf(schemas.map(one => this.of(one)))
    return also.reduce<JsonSchema>((result, value) => withValue(result, value as null | string), known)
  }

  #withoutPipe(part: SchemaPart): JsonSchema {
    const { type, wrapped, item, value, options, literal, entries } = part
    switch (type) {
      case 'unknown':
      case 'any':
        return {}
      case 'string':
      case 'number':
      case 'boolean':
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
