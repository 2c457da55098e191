import { App } from 'aws-cdk-lib'
import { bundleFunctions } from '../lib/stack/bundle.ts'
import { addChecks } from '../lib/stack/checks.ts'
import { domainOf } from '../lib/stack/domain.ts'
import { ServiceStack } from '../lib/stack/service-stack.ts'
import { canaryOf, deployedStageOf } from '../lib/stack/stage.ts'
import { restoredTableOf } from '../lib/stack/storage.ts'

const app = new App()
const { name: stage } = deployedStageOf(app.node.tryGetContext('stage') ?? 'dev')
await bundleFunctions()
const said = (name: string): string | undefined => app.node.tryGetContext(name)
const stack = new ServiceStack(app, {
  stage,
  baseUrl: said('baseUrl'),
  domain: domainOf({ domain: said('domain'), certificate: said('certificate'), hostedZone: said('hostedZone') }),
  restoredTable: restoredTableOf(said('table'), said('tableStream')),
  publicSearch: said('publicSearch'),
  canary: canaryOf(said('canary')),
  alarmMail: said('alarmMail'),
  monthlyBudget: said('monthlyBudget'),
})
addChecks(app, stack)
app.synth()
