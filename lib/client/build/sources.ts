import { compile } from 'json-schema-to-typescript'
import { localizationIn } from '../../../shared/catalogue/localization/tables.ts'
import { commonErrors, type ErrorWord, errors, quotaErrors, sessionErrors } from '../../../shared/contract/errors.ts'
import { languages } from '../../../shared/contract/labels/labels.ts'
import { errorsOf, type Route, repeatOf } from '../../../shared/contract/route.ts'
import { routes } from '../../../shared/contract/routes/index.ts'
import type { JsonSchema } from '../../../shared/contract/schema/wire.ts'
import { openApiDocument } from '../../../shared/reference/document.ts'
import { named } from '../../../shared/reference/named.ts'
import { answerSchema, requestSchema } from '../../../shared/reference/schemas.ts'
import { filterOf, forTypes, givenOneOf, sortFields, typeName, union, wordSchemas } from './types-schema.ts'

const head = '// Generated from the route objects by `npm run client`.\n\n'

// A shop links to routes that return no JSON; payment providers call the webhook.
const isCalled = ({ level, envelope, mediaTypes = {} }: Route): boolean =>
  level !== 'webhook' && (envelope !== 'raw' || mediaTypes[200] === 'application/json')

const called = routes.filter(isCalled)

const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const isText = (value: unknown): value is string => typeof value === 'string'

/** The schema of a table of labels: texts or tables by key. */
const tableSchema = (table: object): JsonSchema => {
  const [one] = Object.values(table)
  if (isText(table)) return { type: 'string' }
  if ('name' in table && isText(table.name)) return object({ name: { type: 'string' } })
  return { type: 'object', additionalProperties: tableSchema(one) }
}

const Localization = object(
  Object.fromEntries(Object.entries(localizationIn('de')).map(([name, table]) => [name, tableSchema(table)])),
)

/** The body and answer of routes whose own schemas do not describe them, by path. */
const described: Readonly<Record<string, { body?: JsonSchema; answer: JsonSchema }>> = {
  // The answer depends on the path; a type can express that for whole languages only.
  '/localization/{path+}': {
    body: object({ path: { enum: languages } }),
    answer: { $ref: 'Localization' },
  },
}

const merchantErrors: readonly ErrorWord[] = [...commonErrors, ...sessionErrors, ...quotaErrors]

const errorsType = (route: Route): string => {
  const [name, shared] = route.level === 'service' ? ['MerchantError', merchantErrors] : ['CommonError', commonErrors]
  const own = errorsOf(route).filter(word => !shared.includes(word))
  return own.length > 0 ? `${name} | ${union(own)}` : name
}

const member = (route: Route): JsonSchema => {
  const { path, summary, deprecated } = route
  const { body = requestSchema(route), answer = answerSchema(route) ?? { type: 'object', additionalProperties: {} } } =
    described[path] ?? {}
  return {
    ...object({
      body: forTypes('input', body),
      answer: forTypes('output', answer),
      errors: { tsType: errorsType(route) },
    }),
    description: summary,
    ...(deprecated && { deprecated: true }),
  }
}

/** An order needs one field of each group: the billing address, and the goods. */
const orderGroups = [
  ['billing_id', 'billing'],
  ['items', 'basket_uuid', 'basket'],
] as const

const words = `
${Object.entries(sortFields)
  .map(
    ([name, fields]) => `/** The fields by which such lists can be sorted. */
export type ${name} = ${union(fields)}`,
  )
  .join('\n\n')}

/** One term of an \`orderBy\`. */
export type SortTerm<Field extends string> = Field | \`\${Field} \${'ASC' | 'DESC' | 'asc' | 'desc'}\`

/** Up to five terms, separated by commas. TypeScript checks the first: all combinations are too many for it. */
export type SortOrder<Field extends string> = SortTerm<Field> | \`\${SortTerm<Field>},\${string}\`

/** The error words of every route: the request is unreadable or invalid, or the service fails. */
export type CommonError = ${union(commonErrors)}

/** The error words of every route of a merchant. */
export type MerchantError = CommonError | ${union(merchantErrors.filter(word => !(commonErrors as readonly ErrorWord[]).includes(word)))}

/** All error words. */
export type ErrorWord = ${union(Object.keys(errors) as ErrorWord[])}
`

const routesSource = async (): Promise<string> => {
  const { components } = openApiDocument({ baseUrl: 'http://localhost:3000' }) as {
    components: { schemas: Readonly<Record<string, JsonSchema>> }
  }
  const sent = new Set(named.input.values())
  const { NewOrder = {}, WineFilter = {}, Wine = {} } = components.schemas
  const narrower = { WineFilter: filterOf(WineFilter, Wine) }
  const definitions = Object.entries({ ...components.schemas, ...narrower, Localization }).map(([name, schema]) => [
    typeName(name),
    forTypes(sent.has(name) ? 'input' : 'output', schema),
  ])
  definitions.push(['NewOrder', givenOneOf(forTypes('input', NewOrder), orderGroups)])
  const all = {
    ...object(Object.fromEntries(called.map(route => [route.path, member(route)]))),
    description: 'The routes by path: request body, response body and error words.',
    definitions: { ...wordSchemas, ...Object.fromEntries(definitions) },
  }
  const types = await compile(all, 'Routes', { additionalProperties: false, bannerComment: '' })
  return head + types + words
}

/** The traits of a route that the client needs to call it. */
const traitsOf = (route: Route): object => ({
  ...(route.level === 'service' && { session: true }),
  ...(route.client !== 'refused' && { client: true }),
  ...(!route.methods.includes('POST') && { method: 'GET' }),
  ...(repeatOf(route) && { repeat: repeatOf(route) }),
})

const traitsSource = (): string => `${head}import type { Routes } from './routes.ts'

/**
 * How to call a route: with a session, with the token of a signed-in client, by GET; \`repeat\` if it may be repeated
 * after a lost answer.
 */
export type Traits = { session?: true; client?: true; method?: 'GET'; repeat?: 'safe' | 'with key' }

export const routes: { readonly [P in keyof Routes]: Traits } = {
${called.map(route => `  '${route.path}': ${JSON.stringify(traitsOf(route))},`).join('\n')}
}
`

/** The generated sources of lib/client by name. */
export const generatedSources = async (): Promise<Record<string, string>> => ({
  'routes.ts': await routesSource(),
  'traits.ts': traitsSource(),
})
