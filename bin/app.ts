import { App } from 'aws-cdk-lib'
import { bundleFunctions } from '../lib/stack/bundle.ts'
import { addChecks, exceptionsOf, exceptionsOfFront } from '../lib/stack/checks.ts'
import { domainOf } from '../lib/stack/domain.ts'
import { FrontStack } from '../lib/stack/front/front-stack.ts'
import { frontOf } from '../lib/stack/front/options.ts'
import { ServiceStack } from '../lib/stack/service-stack.ts'
import { canaryOf, deployedStageOf } from '../lib/stack/stage.ts'
import { restoredTableOf } from '../lib/stack/storage.ts'

const app = new App()
const { name: stage } = deployedStageOf(app.node.tryGetContext('stage') ?? 'dev')
const said = (name: string): string | undefined => app.node.tryGetContext(name)
const domain = domainOf({ domain: said('domain'), certificate: said('certificate'), hostedZone: said('hostedZone') })
const baseUrl = said('baseUrl')
const front = frontOf(
  { front: said('front'), frontRate: said('frontRate'), frontKey: said('frontKey') },
  { domain, baseUrl, region: process.env.CDK_DEFAULT_REGION },
)
await bundleFunctions()
const stack = new ServiceStack(app, {
  stage,
  baseUrl,
  domain,
  front,
  restoredTable: restoredTableOf(said('table'), said('tableStream')),
  publicSearch: said('publicSearch'),
  canary: canaryOf(said('canary')),
  alarmMail: said('alarmMail'),
  monthlyBudget: said('monthlyBudget'),
})
const outside = front && new FrontStack(app, { service: stack, front, domain })
addChecks(app, [...exceptionsOf(stack), ...(outside ? exceptionsOfFront(outside) : [])])
app.synth()
