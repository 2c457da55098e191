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

/** The same with a front: it has a stack of its own. */
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

type Synthesized = { template: Template; resources: Resources }

const shared = globalThis as { templates?: Map<string, Synthesized> }
const templates = shared.templates ?? new Map<string, Synthesized>()
shared.templates = templates

/**
 * The template of a stage, made once a process for all its test files. It is not validated against CloudFormation's rules,
 * which takes seconds.
 */
export const templateOf = (stage: string, more: Partial<ServiceStackProps> = {}): Synthesized => {
  const variant = JSON.stringify([stage, more])
  const known = templates.get(variant)
  if (known) return known
  const template = Template.fromStack(newApp(stage, { builtinCloudFormationValidation: false }, more).stack)
  const made = { template, resources: template.toJSON().Resources as Resources }
  templates.set(variant, made)
  return made
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
