import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { App } from 'aws-cdk-lib'
import { functionNames } from '../../stack/bundle.ts'
import { ServiceStack } from '../../stack/service-stack.ts'
import { twinStage } from '../template/resolve.ts'
import type { Template } from '../template/template.ts'

// Runs as a worker: loading the CDK takes a second, and each synthesis shall see the sources as they are by now.

// As the command line tool has them.
const { context: settings } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8'))

/** Synthesizes the stack; a function's asset path in the template is the name of its bundle. */
const synthesize = (folder: string): Template => {
  const bundles = join(folder, 'bundles')
  // The CDK wants a folder for each asset. The twin runs what the bundler makes, so these stay empty.
  for (const name of functionNames()) mkdirSync(join(bundles, name), { recursive: true })
  const app = new App({
    outdir: join(folder, 'cdk.out'),
    analyticsReporting: false,
    context: { ...settings, 'aws:cdk:disable-asset-staging': true, 'aws:cdk:enable-asset-metadata': true },
    // CloudFormation's rules take four times as long as the rest; `npm run synth` and its tests hold to them.
    builtinCloudFormationValidation: false,
    treeMetadata: false,
  })
  const stack = new ServiceStack(app, { stage: twinStage, bundles, sandbox: true, leadingKeys: workerData.leadingKeys })
  const template = app.synth().getStackByName(stack.stackName).template as Template
  for (const { Metadata } of Object.values(template.Resources)) {
    const path = Metadata?.['aws:asset:path']
    if (path) Metadata['aws:asset:path'] = relative(bundles, path).replaceAll('\\', '/')
  }
  return template
}

const folder = mkdtempSync(join(tmpdir(), 'weinkontor-synth-'))
try {
  parentPort?.postMessage({ template: synthesize(folder) })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
