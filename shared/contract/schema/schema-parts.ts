import type * as v from 'valibot'
import type { Rule } from '../errors.ts'
import type { Documented, RuleSchemas } from './wire.ts'

/**
 * The internals of a valibot schema, or of a step in its pipe, that this project reads: the only place that depends on
 * valibot 1's internal structure. Each kind of schema has some of them.
 */
export type SchemaPart = {
  kind: string
  type: string
  pipe?: readonly SchemaPart[]
  entries?: Readonly<Record<string, SchemaPart>>
  wrapped?: SchemaPart
  item?: SchemaPart
  value?: SchemaPart
  /** Schemas of a union or variant, words of a picklist. */
  options?: readonly unknown[]
  literal?: unknown
  default?: unknown
  requirement?: unknown
  description?: string
  metadata?: { documented?: Documented }
}

export const partsOf = (schema: v.GenericSchema): SchemaPart => schema as unknown as SchemaPart

/** True for the requirement of a named rule, as `must` and `scalar` create it. */
export const isRule = (requirement: unknown): requirement is Rule & { jsonSchema?: RuleSchemas } =>
  typeof requirement === 'function' && 'rule' in requirement
