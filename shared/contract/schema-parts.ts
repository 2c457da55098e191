import type * as v from 'valibot'
import type { Rule } from './errors.ts'
import type { Documented, Written } from './wire.ts'

/**
 * What this project reads of a valibot schema, or of a step in its pipe: the one place that knows how valibot 1 keeps
 * them. Each kind of schema has some of it.
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

/** A schema as its parts. */
export const partsOf = (schema: v.GenericSchema): SchemaPart => schema as unknown as SchemaPart

/** True for the requirement of a named rule, as `must` and `scalar` make it. */
export const isRule = (requirement: unknown): requirement is Rule & { written?: Written } =>
  typeof requirement === 'function' && 'rule' in requirement
