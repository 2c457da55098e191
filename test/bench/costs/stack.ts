import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { ServiceStack } from '../../../lib/stack/service-stack.ts'
import { kinds } from '../../../shared/contract/route.ts'
import { dimensionsOf, type MetricName, metrics } from '../../../shared/platform/log.ts'
import { stubBundles } from '../../support/stub-bundles.ts'
import type { Resources } from '../../support/synthesized.ts'
import type { Fixed } from './month.ts'

/** The resources of the stack as it is deployed. */
export const synthesize = (): Resources => {
  const folders = [mkdtempSync(join(tmpdir(), 'weinkontor-synth-')), stubBundles()] as const
  try {
    const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'))
    const [outdir, bundles] = folders
    const app = new App({ outdir, context, analyticsReporting: false, builtinCloudFormationValidation: false })
    return Template.fromStack(new ServiceStack(app, { stage: 'dev', bundles })).toJSON().Resources
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

const ofType = (resources: Resources, type: string) => Object.values(resources).filter(({ Type }) => Type === type)

/** The number of metrics that the functions write. */
const metricCount = (): number =>
  Object.keys(metrics)
    .map(name => (dimensionsOf(name as MetricName).includes('kind') ? kinds.length : 1))
    .reduce((sum, count) => sum + count, 0)

/** The monthly usage of a stack without requests. */
export const fixedIn = (resources: Resources): Fixed => {
  const alarms = ofType(resources, 'AWS::CloudWatch::Alarm')
  // An alarm on an expression is billed for each metric in it.
  const read = alarms.flatMap(({ Properties: { Metrics = [{ MetricStat: {} }] } }) =>
    (Metrics as { MetricStat?: object }[]).filter(({ MetricStat }) => MetricStat),
  )
  return { metrics: metricCount(), alarms: alarms.length, alarmMetrics: read.length }
}

type FunctionProperties = { MemorySize: number; LoggingConfig: { LogFormat?: string; SystemLogLevel?: string } }

const uuid = '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'

// Lambda's own log lines of one invocation.
const platformLines = (memory: number): string =>
  [
    `START RequestId: ${uuid} Version: $LATEST\n`,
    `END RequestId: ${uuid}\n`,
    `REPORT RequestId: ${uuid}\tDuration: 29.31 ms\tBilled Duration: 30 ms\tMemory Size: ${memory} MB\tMax Memory Used: 131 MB\t\n`,
  ].join('')

/** Finds a function by its description: its memory in MB, and the bytes that Lambda itself logs for a run. */
export const functionIn = (resources: Resources, description: string): { memory: number; platformBytes: number } => {
  const found = ofType(resources, 'AWS::Lambda::Function').find(one => one.Properties.Description === description)
  if (!found) throw new Error(`no function: ${description}`)
  const { MemorySize, LoggingConfig } = found.Properties as FunctionProperties
  const isSilent = LoggingConfig.LogFormat === 'JSON' && LoggingConfig.SystemLogLevel === 'WARN'
  return { memory: MemorySize, platformBytes: isSilent ? 0 : platformLines(MemorySize).length }
}

/** The gateway's log line of a request, as long as a real one; `known` contains variables by name. */
export const accessLine = (resources: Resources, known: Readonly<Record<string, string | number>>): string => {
  const [stage] = ofType(resources, 'AWS::ApiGatewayV2::Stage')
  const { Format } = stage?.Properties.AccessLogSettings as { Format: string }
  const usual = {
    requestId: 'JKJaXmPLvHcESHA=',
    requestTime: '23/Nov/2026:21:13:00 +0000',
    protocol: 'HTTP/1.1',
    responseLatency: 34,
    'integration.requestId': uuid,
    'integration.status': 200,
    'integration.latency': 31,
  }
  const values: Readonly<Record<string, string | number>> = { ...usual, ...known }
  return `${Format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => String(values[name] ?? '-'))}\n`
}
