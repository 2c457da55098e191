import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, type AppProps } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { FrontStack } from '../../lib/stack/front/front-stack.ts'
import type { Front } from '../../lib/stack/front/options.ts'
import { ServiceStack, type ServiceStackProps } from '../../lib/stack/service-stack.ts'
import { stubBundles } from './stub-bundles.ts'

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> }

const bundles = stubBundles()
const folders = [bundles]
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** An app with the settings of `cdk synth` and nothing in it; its folder is gone after the file's tests. */
export const emptyApp = (options: AppProps = {}): App => {
  const outdir = mkdtempSync(join(tmpdir(), 'weinkontor-synth-'))
  folders.push(outdir)
  return new App({ outdir, context, analyticsReporting: false, ...options })
}

/** The app as `cdk synth` makes it, with stand-ins for the bundles. */
export const newApp = (
  stage: string,
  options: AppProps = {},
  more: Partial<ServiceStackProps> = {},
): { app: App; stack: ServiceStack } => {
  const app = emptyApp(options)
  return { app, stack: new ServiceStack(app, { stage, bundles, ...more }) }
}

/** The same with the edge stack. */
export const newAppWithFront = (
  front: Front,
  options: AppProps = {},
  more: Partial<ServiceStackProps> = {},
): { app: App; stack: ServiceStack; outside: FrontStack } => {
  const { app, stack } = newApp(more.stage ?? 'dev', options, { ...more, front })
  return { app, stack, outside: new FrontStack(app, { service: stack, front, domain: more.domain }) }
}

export type Properties = Record<string, unknown>
export type Resource = {
  Type: string
  Properties: Properties
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  DependsOn?: string[]
}
export type Resources = Record<string, Resource>

/** A service with every option on, with a domain in a hosted zone, as one variant for the tests of each option. */
export const everyOption = {
  domain: { name: 'wine.example', hostedZone: 'Z0123456789ABCDEFGHIJ' },
  ...{ publicSearch: '4096', fileConcurrency: '40', alarmMail: 'wine@example.org', monthlyBudget: '50' },
  ...{ sandbox: true, release: { commit: 'c2', previous: 'c1' } },
} satisfies Partial<ServiceStackProps>

const certificateIn = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`

export const restoredTable = {
  name: 'yesterday',
  stream: 'arn:aws:dynamodb:eu-central-1:123456789012:table/yesterday/stream/2026-11-23T08:00:00.000',
}

/** A service with a restored table, and a domain with a certificate of its own. */
export const withCertificate = {
  domain: { name: 'wine.example', certificate: certificateIn('eu-central-1') },
  restoredTable,
} satisfies Partial<ServiceStackProps>

type Synthesized = { template: Template; resources: Resources }
export type Json = { Resources: Resources; Outputs: Record<string, { Value: unknown }> }

const cached = globalThis as { synthesized?: Map<string, unknown> }
cached.synthesized ??= new Map()
const variants = cached.synthesized

/** Returns what `make` returned for these settings, in any test file of this process. */
const oncePerVariant = <Made>(settings: unknown, make: () => Made): Made => {
  const variant = JSON.stringify(settings)
  if (!variants.has(variant)) variants.set(variant, make())
  return variants.get(variant) as Made
}

// CloudFormation's rules take seconds; checks.test.ts applies them.
const unvalidated = { builtinCloudFormationValidation: false }

/** Returns the template of a stage, made once a process for all its test files. */
export const templateOf = (stage: string, more: Partial<ServiceStackProps> = {}): Synthesized =>
  oncePerVariant([stage, more], () => {
    const template = Template.fromStack(newApp(stage, unvalidated, more).stack)
    return { template, resources: template.toJSON().Resources as Resources }
  })

const synthesizedWithFront = (front: Front, more: Partial<ServiceStackProps>) =>
  oncePerVariant([front, more], () => {
    const { stack, outside } = newAppWithFront(front, unvalidated, more)
    const [service, before] = [stack, outside].map(one => Template.fromStack(one).toJSON() as Json) as [Json, Json]
    const { region, stackName, terminationProtection } = outside
    const dependencies = outside.dependencies.map(one => one.stackName)
    return { service, before, outside: { region, stackName, terminationProtection, dependencies } }
  })

/** Returns the templates of the service (`service`) and of its edge (`before`), in three variants. */
export const frontVariants = {
  byDomain: () => synthesizedWithFront({ rate: 1000, key: 1, region: 'eu-central-1' }, { domain: everyOption.domain }),
  /** In production, with every option on. */
  byCertificate: () => {
    const domain = { name: 'wine.example', certificate: certificateIn('us-east-1') }
    const front = { rate: 1000, key: 1, region: 'eu-central-1' }
    return synthesizedWithFront(front, { ...everyOption, stage: 'prod', domain })
  },
  /** In CloudFront's own region, with the second key. */
  byBaseUrl: () =>
    synthesizedWithFront({ rate: 1000, key: 2, region: 'us-east-1' }, { baseUrl: 'https://d1.cloudfront.net/' }),
}

/** The resources of one type with their logical ids. */
export const ofType = (resources: Resources, type: string): (Resource & { id: string })[] =>
  Object.entries(resources).flatMap(([id, resource]) => (resource.Type === type ? [{ id, ...resource }] : []))

/** The one resource of a type. Throws when there are more, or none. */
export const onlyOne = (resources: Resources, type: string): Resource & { id: string } => {
  const [found, ...others] = ofType(resources, type)
  if (!found || others.length > 0) throw new Error(`not one ${type}`)
  return found
}

/** The logical id that a Ref or a GetAtt of the ARN points to. */
export const referred = (value: unknown): string => {
  const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] }
  if (attribute && attribute[1] !== 'Arn') throw new Error(`not an ARN: ${attribute.join('.')}`)
  return Ref ?? attribute?.[0] ?? ''
}
