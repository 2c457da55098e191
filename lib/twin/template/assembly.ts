import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { ServiceStack } from '../../stack/service-stack.ts'

/** A CloudFormation template, as far as the twin reads it. */
export type Template = { Resources: Record<string, Resource> }

export type Resource = { Type: string; Properties: Record<string, unknown> }

/** The name of the stage that runs on this machine. */
export const twinStage = 'twin'

/** Synthesizes the app in this process; answers its template and where an uploaded asset lies unpacked. */
export const synthesize = (
  outdir: string,
  bundles?: string,
): { template: Template; assetFolder: (key: string) => string } => {
  const app = new App({ outdir, analyticsReporting: false })
  const stack = new ServiceStack(app, { stage: twinStage, ...(bundles && { bundles }) })
  const template = app.synth().getStackByName(stack.stackName).template as Template
  return { template, assetFolder: key => join(outdir, `asset.${key.replace(/\.zip$/, '')}`) }
}
