import { join } from 'node:path'
import { Duration } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { fileOf, type Route } from '../shared/contract/route.ts'
import { fileStatements, tableStatements } from './rights.ts'
import type { Stage } from './stage.ts'

export type RouteFunctionProps = {
  route: Route
  stage: Stage
  table: ITable
  bucket: IBucket
  /** The folder that holds one bundle folder a function. */
  bundles: string
}

/** The Lambda of one route, with its own log group and a role that allows just what the route declares. */
export class RouteFunction extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, { route, stage, table, bucket, bundles }: RouteFunctionProps) {
    const name = fileOf(route)
    super(scope, name.replaceAll('/', '-'))
    const logGroup = new LogGroup(this, 'Logs', { retention: stage.logRetention, removalPolicy: stage.logRemoval })
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    const writeLogs = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    })
    for (const statement of [writeLogs, ...tableStatements(route, table), ...fileStatements(route, bucket)]) {
      role.addToPolicy(statement)
    }
    this.function = new LambdaFunction(this, 'Function', {
      description: `${route.path}: ${route.says}`,
      code: Code.fromAsset(join(bundles, name)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: route.memory ?? 512,
      timeout: Duration.seconds(route.timeout ?? 15),
      role,
      logGroup,
      environment: {
        TABLE_NAME: table.tableName,
        STAGE: stage.name,
        ...(route.files.length > 0 && { BUCKET_NAME: bucket.bucketName }),
      },
    })
  }
}
