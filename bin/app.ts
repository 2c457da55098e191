import { App } from 'aws-cdk-lib'
import { bundleFunctions } from '../lib/stack/bundle.ts'
import { addChecks, exceptionsOf, exceptionsOfFront } from '../lib/stack/checks.ts'
import { domainOf } from '../lib/stack/domain.ts'
import { FrontStack } from '../lib/stack/front/front-stack.ts'
import { frontOf } from '../lib/stack/front/options.ts'
import { ServiceStack } from '../lib/stack/service-stack.ts'
import { settingsOf } from '../lib/stack/settings.ts'
import { deployedStageOf } from '../lib/stack/stage.ts'
import { restoredTableOf } from '../lib/stack/storage.ts'

const app = new App()
const context = (name: string) => app.node.tryGetContext(name)
const { name: stage } = deployedStageOf(context('stage') ?? 'dev')
const settings = settingsOf(stage, context)
const domain = domainOf(settings)
const front = frontOf(settings, { domain, baseUrl: settings.baseUrl, region: process.env.CDK_DEFAULT_REGION })
await bundleFunctions()
const stack = new ServiceStack(app, {
  ...settings,
  stage,
  domain,
  front,
  restoredTable: restoredTableOf(settings.table, settings.tableStream),
  release: { commit: context('commit'), previous: context('previous') },
})
const outside = front && new FrontStack(app, { service: stack, front, domain })
addChecks(app, [...exceptionsOf(stack), ...(outside ? exceptionsOfFront(outside) : [])])
app.synth()
