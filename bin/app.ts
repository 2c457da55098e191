import { App } from 'aws-cdk-lib'
import { bundleFunctions } from '../lib/stack/bundle.ts'
import { addChecks } from '../lib/stack/checks.ts'
import { ServiceStack } from '../lib/stack/service-stack.ts'

await bundleFunctions()
const app = new App()
const stack = new ServiceStack(app, { stage: app.node.tryGetContext('stage') ?? 'dev' })
addChecks(app, stack)
app.synth()
