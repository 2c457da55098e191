import { App } from 'aws-cdk-lib'
import { bundleFunctions } from '../lib/bundle.ts'
import { addChecks } from '../lib/checks.ts'
import { ServiceStack } from '../lib/service-stack.ts'

await bundleFunctions()
const app = new App()
const stack = new ServiceStack(app, { stage: app.node.tryGetContext('stage') ?? 'dev' })
addChecks(app, stack)
app.synth()
