import { App } from 'aws-cdk-lib'
import { bundleFunctions } from '../lib/stack/bundle.ts'
import { addChecks } from '../lib/stack/checks.ts'
import { ServiceStack } from '../lib/stack/service-stack.ts'
import { deployedStageOf } from '../lib/stack/stage.ts'

const app = new App()
const { name: stage } = deployedStageOf(app.node.tryGetContext('stage') ?? 'dev')
await bundleFunctions()
const [baseUrl, publicSearch, sandbox, alarmMail, monthlyBudget] = [
  ...['baseUrl', 'publicSearch', 'sandbox', 'alarmMail', 'monthlyBudget'],
].map(name => app.node.tryGetContext(name))
const stack = new ServiceStack(app, {
  ...{ stage, baseUrl, publicSearch, alarmMail, monthlyBudget },
  sandbox: sandbox === 'on',
})
addChecks(app, stack)
app.synth()
