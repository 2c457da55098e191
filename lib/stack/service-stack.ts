import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { serviceApi } from './api.ts'
import { bundleFolder } from './bundle.ts'
import type { Domain } from './domain.ts'
import { deployReadersLast, jobFunctions } from './job-function.ts'
import { baseUrlOf, publicSearchMemoryOf, stageOf } from './stage.ts'
import { type RestoredTable, Storage } from './storage.ts'

export type ServiceStackProps = StackProps & {
  stage: string
  bundles?: string
  baseUrl?: string | undefined
  domain?: Domain | undefined
  /** A table to be used in place of a new one. */
  restoredTable?: RestoredTable | undefined
  /** MB of memory of what searches all public wines. */
  publicSearch?: string | undefined
  /** Whether merchants may take payments by the sandbox, which is no money. */
  sandbox?: boolean
}

/** The whole service: a Lambda a route behind an HTTP API, the table, the bucket. */
export class ServiceStack extends Stack {
  constructor(
    scope: Construct,
    {
      stage: stageName,
      bundles = bundleFolder,
      baseUrl,
      domain,
      restoredTable,
      publicSearch,
      sandbox = false,
      ...props
    }: ServiceStackProps,
  ) {
    const stage = stageOf(stageName)
    super(scope, `Weinkontor-${stageName}`, {
      description: 'Weinkontor: orders, addresses and wines',
      terminationProtection: stage.terminationProtection,
      ...props,
    })
    const { table, bucket } = new Storage(this, restoredTable)
    const context = {
      ...{ stage, table, bucket, bundles, sandbox },
      baseUrl: baseUrl ? baseUrlOf(baseUrl) : domain && `https://${domain.name}`,
      publicSearchMemory: publicSearch === undefined ? 0 : publicSearchMemoryOf(publicSearch),
    }
    jobFunctions(this, context)
    const url = serviceApi(this, context, domain)
    deployReadersLast(this)
    new CfnOutput(this, 'BaseUrl', { value: url, description: 'The base URL of all routes' })
    new CfnOutput(this, 'TableName', { value: table.tableName, description: 'For the merchant tool: --table' })
    new CfnOutput(this, 'BucketName', { value: bucket.bucketName, description: 'For the merchant tool: --bucket' })
  }
}
