import { App } from 'aws-cdk-lib'
import { bundleFunctions } from '../lib/stack/bundle.ts'
import { addChecks } from '../lib/stack/checks.ts'
import { ServiceStack } from '../lib/stack/service-stack.ts'
import { stageOf } from '../lib/stack/stage.ts'

const app = new App()
const { name: stage } = stageOf(app.node.tryGetContext('stage') ?? 'dev')
await bundleFunctions()
const [baseUrl, publicSearch] = ['baseUrl', 'publicSearch'].map(name => app.node.tryGetContext(name))
const stack = new ServiceStack(app, { stage, baseUrl, publicSearch })
addChecks(app, stack)
app.synth()
