import type { Route } from '../contract/route.ts'
import { successOf } from '../contract/schema/answer.ts'
import type { JsonSchema } from '../contract/schema/wire.ts'
import { Converter, type Side } from './json-schema.ts'
import { named } from './named.ts'

const converters: Readonly<Record<Side, Converter>> = {
  input: new Converter('input', named.input),
  output: new Converter('output', named.output),
}

/** Returns the named schemas of requests or responses, by name. */
export const definitions = (side: Side): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries([...named[side]].map(([schema, name]) => [name, converters[side].definition(schema)]))

/** Returns the schema of a request: of a POST's body, or of a GET's path parameters and query string together. */
export const requestSchema = ({ body }: Route): JsonSchema => converters.input.of(body)

/** Returns the schema of the whole body of a successful response; undefined for a raw response. */
export const answerSchema = (route: Route): JsonSchema | undefined =>
  route.envelope === 'raw' ? undefined : converters.output.of(successOf(route))

/** Resolves a reference to a request's schema; returns any other schema unchanged. */
export const resolveReference = (schema: JsonSchema): JsonSchema => {
  const [known] = [...named.input].find(([, name]) => schema.$ref === `#/components/schemas/${name}`) ?? []
  return known ? converters.input.definition(known) : schema
}
