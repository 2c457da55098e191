import { type ErrorWord, errors } from '../contract/errors.ts'
import type { Route } from '../contract/route.ts'
import { routes } from '../contract/routes/index.ts'
import type { JsonSchema } from '../contract/schema/wire.ts'
import { isLoopback } from '../platform/loopback.ts'
import { advice } from './advice.ts'
import { examplesOf, list } from './examples.ts'
import { guides } from './guides.ts'
import { operationOf, sharedRefusals } from './operation.ts'
import { refusalExamples } from './refusals.ts'
import { definitions } from './schemas.ts'
import { tags } from './tags.ts'

/** The documented paths of a route: several for a greedy parameter, which OpenAPI does not have. */
const pathsOf = ({ path, documentedPaths }: Route): readonly string[] => documentedPaths ?? [path]

const examples = examplesOf(list)

const pathItemOf = (route: Route, path: string): JsonSchema =>
  Object.fromEntries(
    route.methods.map(method => [method.toLowerCase(), operationOf(route, method, path, examples[path])]),
  )

const introduction = `The back end of wine merchants' shops: a shop shows and searches wines, fills baskets, places orders and takes payments; the
merchant's own software packs, ships and credits orders. Begin with the guides *First order in ten minutes* and *Signing in*,
which lists the role that each route needs.

Send a \`POST\` with a JSON body of at most 256 KB. Unknown keys are ignored unless an object says otherwise. Texts have
no control characters; they are read in NFC, trimmed and with \`\\n\` as line end, and have at most 255 characters unless
they say so. A password is taken as it is. Times are UTC. Amounts are texts with two decimals, in euros.

In examples of answers a list shows its first element.`

type Tag = { name: string; description: string; 'x-displayName'?: string }

/** A tag for each guide and each error word, so that the page lists them and its search finds their text. */
const guideTags: readonly Tag[] = guides.map(({ title, text }) => ({
  // A chapter of routes may have the same title.
  name: `Guide: ${title}`,
  'x-displayName': title,
  description: text,
}))
const errorTags: readonly Tag[] = Object.entries(errors).map(([word, [status, sentence]]) => ({
  name: word,
  description: `**${status}.** ${sentence} ${advice[word as ErrorWord]}`,
}))
const routeTags: readonly Tag[] = tags.map(({ name, description }) => ({ name, description }))

const groupOf = (name: string, members: readonly Tag[]) => ({ name, tags: members.map(({ name }) => name) })

const documentOf = (baseUrl: string): JsonSchema => ({
  openapi: '3.1.1',
  info: {
    title: 'Weinkontor',
    version: '1.0.0',
    summary: "The back end of wine merchants' shops.",
    description: introduction,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: baseUrl }],
  tags: [...guideTags, ...routeTags, ...errorTags],
  'x-tagGroups': [groupOf('Guides', guideTags), groupOf('Routes', routeTags), groupOf('Error words', errorTags)],
  paths: Object.fromEntries(routes.flatMap(route => pathsOf(route).map(path => [path, pathItemOf(route, path)]))),
  components: {
    securitySchemes: {
      session: {
        type: 'http',
        scheme: 'bearer',
        description: 'The session token from `/service/login`. It is valid for 12 hours.',
      },
      client: {
        type: 'apiKey',
        in: 'header',
        name: 'Client-Authorization',
        description: 'The token from `/service/clients/login`, of a signed-in client of the merchant.',
      },
    },
    headers: {
      RequestId: {
        description: 'Id of the request: the one that was sent, else a new one.',
        schema: { type: 'string' },
      },
      RetryAfter: {
        description:
          'Seconds to wait before you repeat the request. After 429 nothing was done; after 503 the outcome is unknown.',
        schema: { type: 'string', pattern: '^[0-9]+$' },
      },
      Deprecation: { description: 'Since when the route is deprecated (RFC 9745).', schema: { type: 'string' } },
    },
    schemas: { ...definitions('output'), ...definitions('input') },
    responses: sharedRefusals(routes),
    examples: refusalExamples(routes),
  },
})

// The base URL in the sources of guides and examples.
const localUrl = 'http://localhost:3000'

/**
 * Adapts a text of the reference to the base URL. The sources use the demo merchant of a service on the reader's own
 * machine. For any other base URL, its credentials become `AUTHID` and `API_TOKEN`, text between `<!-- local -->` and
 * `<!-- /local -->` is removed, and the text of `<!-- elsewhere: … -->` is inserted.
 */
const textAt = (text: string, baseUrl: string): string => {
  const rebased = text.replaceAll(localUrl, baseUrl)
  if (isLoopback(new URL(baseUrl))) return rebased.replaceAll(/<!-- elsewhere: .*? -->\n|<!-- \/?local -->\n/gs, '')
  return rebased
    .replaceAll(/<!-- local -->.*?<!-- \/local -->\n/gs, '')
    .replaceAll(/<!-- elsewhere: (.*?) -->/gs, '$1')
    .replaceAll(/wk-demo-\w+/g, 'AUTHID')
    .replaceAll(/wka_[\da-f_]{60,}/g, 'API_TOKEN')
}

/**
 * Returns the OpenAPI 3.1 document of the service, generated from the route objects. `baseUrl` (protocol and host) is used
 * in guides and examples; only for a local service they have the demo's credentials.
 */
export const openApiDocument = ({ baseUrl }: { baseUrl: string }): JsonSchema =>
  JSON.parse(JSON.stringify(documentOf(baseUrl)), (_, value) =>
    typeof value === 'string' ? textAt(value, baseUrl) : value,
  )
