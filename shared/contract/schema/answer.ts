import * as v from 'valibot'
import type { Route } from '../route.ts'

const info = v.literal('success')

const pages = v.strictObject({
  current: v.number(),
  total: v.number(),
  size: v.number(),
  next: v.optional(v.strictObject({ start: v.number() })),
})

// The schemas that tests check responses against; functions do not load them.

/** The body of every refusal. */
export const Refusal = v.looseObject({
  info: v.literal('error'),
  code: v.number(),
  error: v.string(),
  details: v.string(),
  request_id: v.string(),
})

const entriesOf = (schema: v.GenericSchema): v.ObjectEntries =>
  (schema as v.ObjectSchema<v.ObjectEntries, undefined>).entries

/** The schema of a route's whole success body; it refuses undeclared fields. */
export const successOf = ({ envelope, response, aliases = {}, listFields, isFlat }: Route): v.GenericSchema => {
  if (envelope === 'bare') return v.strictObject({ info, ...entriesOf(response) })
  const data = envelope === 'list' ? v.array(response) : response
  const repeated = Object.entries(aliases).map(([name, part]) => [name, part === 'data' ? data : pages])
  const body = { info, data, ...Object.fromEntries(repeated), ...(isFlat && entriesOf(response)) }
  return v.strictObject(envelope === 'list' ? { ...body, totalCount: v.number(), pages, ...listFields?.entries } : body)
}
