import { type Job, jobs, type Trigger } from '../../shared/contract/jobs.ts'
import type { FileRight, Route, Verb } from '../../shared/contract/route.ts'
import { fallback, routes } from '../../shared/contract/routes/index.ts'
import { clientCheck, languageCheck, sessionCheck } from '../../shared/contract/routes/sign-in.ts'
import { ofType, onlyOne, type Properties, type Resources, referred } from './synthesized.ts'

/** A function as it is declared, and the logical id of the Lambda that the template starts for it. */
export type Deployed = {
  name: string
  kind: Route['level'] | 'job'
  id: string
  description: string
  permissions: [kind: string, verb: Verb][]
  files: readonly FileRight[]
  secrets: boolean
  events?: boolean
  trigger?: Trigger
  /** The logical id of the one function that it may start. */
  starts?: string
  timeout: number
  memory: number
}

// The sandbox takes payments only where that is asked for.
const pairs = (permissions: Route['permissions']): [string, Verb][] =>
  Object.entries(permissions).flatMap(([kind, verbs]) =>
    kind === 'sandboxPayment' ? [] : verbs.map((verb): [string, Verb] => [kind, verb]),
  )

/** The key of a route in the API. */
export const keyOf = (route: Route): string => (route === fallback ? '$default' : `ANY ${route.path}`)

type AnyMethod = { 'x-amazon-apigateway-integration': Properties }

/** The integrations of the API by the keys of its routes. */
export const integrationsOf = (resources: Resources): Map<string, Properties> => {
  const { paths } = onlyOne(resources, 'AWS::ApiGatewayV2::Api').Properties.Body as {
    paths: Record<string, Record<'x-amazon-apigateway-any-method', AnyMethod>>
  }
  return new Map(
    Object.entries(paths).map(([path, { 'x-amazon-apigateway-any-method': any }]) => [
      path === '/$default' ? '$default' : `ANY ${path}`,
      any['x-amazon-apigateway-integration'],
    ]),
  )
}

const isArn = (part: unknown): boolean => typeof part === 'object' && part !== null && 'Fn::GetAtt' in part

/** The id of the function in the URI of an integration. */
export const functionIn = ({ uri }: Properties): string =>
  referred((uri as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1].find(part => isArn(part)))

const idOf = (resources: Resources, description: string): string => {
  const found = ofType(resources, 'AWS::Lambda::Function').filter(
    ({ Properties }) => Properties.Description === description,
  )
  if (found.length !== 1) throw new Error(`${found.length} functions for: ${description}`)
  return found[0]?.id ?? ''
}

const startedBy = ({ file }: Job): Job[] =>
  jobs.filter(({ trigger }) => 'startedBy' in trigger && trigger.startedBy === file)

/** Every declared function, with its Lambda. */
export const deployedIn = (resources: Resources, integrations = integrationsOf(resources)): Deployed[] => [
  ...[...routes, fallback].map(route => ({
    name: route.path,
    kind: route.level,
    id: functionIn(integrations.get(keyOf(route)) as Properties),
    description: `${route.path}: ${route.summary}`,
    permissions: [
      ...pairs(route.permissions),
      ...(route.level === 'service' ? pairs(sessionCheck) : []),
      ...(route.client === 'refused' ? [] : pairs(clientCheck)),
      ...(route.forBuyers ? pairs(languageCheck) : []),
    ],
    files: route.files,
    secrets: route.secrets ?? false,
    timeout: route.timeout ?? 15,
    memory: route.memory ?? 512,
  })),
  ...jobs.map(job => ({
    name: job.file,
    kind: 'job' as const,
    id: idOf(resources, job.summary),
    description: job.summary,
    permissions: pairs(job.permissions),
    files: job.files,
    secrets: job.secrets ?? false,
    events: job.events ?? false,
    trigger: job.trigger,
    ...startedBy(job).map(({ summary }) => ({ starts: idOf(resources, summary) }))[0],
    timeout: job.timeout,
    memory: job.memory,
  })),
]
