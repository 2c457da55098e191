import { join } from 'node:path'
import { Duration, Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { EventBus } from 'aws-cdk-lib/aws-events'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import {
  type Declared,
  eventStatements,
  fileStatements,
  type PermissionPair,
  secretStatements,
  tableStatements,
} from './rights.ts'
import type { Stage } from './stage.ts'

export type ServiceContext = {
  stage: Stage
  table: ITable
  bucket: Bucket
  bus: EventBus
  /** The dead-letter queue for stream batches. */
  deadLetters: Queue
  /** The folder of the bundles. */
  bundles: string
  /** The origin of links, unless it is the API's own name. */
  baseUrl: string | undefined
  /** One statement for all verbs, with all leading keys. */
  together: boolean
  sandbox: boolean
  /** The minimum memory in MB of functions with the index of all public wines. */
  publicSearchMemory: number
  /** The concurrency of each function that makes pictures or sheets. */
  fileConcurrency: number | undefined
  /** The edge's secret, for functions that count by callers' addresses. */
  frontKey: string | undefined
}

/** A function of the service: its file below functions/, its permissions, and its size. */
export type ServiceFunctionProps = Declared & {
  name: string
  description: string
  timeout: number
  memory: number
  /** True if it limits by callers' addresses. */
  counts?: boolean
}

const holdsPublicIndex = ({ permissions }: Declared): boolean =>
  permissions.some(([kind, verb]) => kind === 'publicWine' && verb === 'queryIndex')

const makesFiles = ({ files }: Declared): boolean =>
  (['writePictures', 'writeExpertise', 'writeDocuments'] as const).some(right => files.includes(right))

/** One Lambda, with its own log group and a role with exactly the declared permissions. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction
  readonly role: Role
  readonly props: ServiceFunctionProps

  constructor(scope: Construct, context: ServiceContext, props: ServiceFunctionProps) {
    const { stage, table, bucket, bus, bundles, baseUrl, together, sandbox, publicSearchMemory, frontKey } = context
    const { name, description, timeout } = props
    const memory = holdsPublicIndex(props) ? Math.max(props.memory, publicSearchMemory) : props.memory
    super(scope, name.replaceAll('/', '-'))
    this.props = props
    const retention = props.counts ? stage.addressRetention : stage.logRetention
    const logGroup = new LogGroup(this, 'Logs', { retention, removalPolicy: stage.logRemoval })
    const writeLogs = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    })
    const isMeant = ([kind]: PermissionPair): boolean => sandbox || kind !== 'sandboxPayment'
    const statements = [
      writeLogs,
      ...tableStatements({ ...props, permissions: props.permissions.filter(isMeant) }, table, together),
      ...fileStatements(props, bucket),
      ...eventStatements(props, bus),
      ...secretStatements(props, Stack.of(this), stage.name),
    ]
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // Inline, since a separate policy would be another of the 500 resources that a stack may have.
      inlinePolicies: { Rights: new PolicyDocument({ statements }) },
    })
    this.function = new LambdaFunction(this, 'Function', {
      description,
      code: Code.fromAsset(join(bundles, name)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memory,
      timeout: Duration.seconds(timeout),
      role: this.role,
      logGroup,
      ...(makesFiles(props) && { reservedConcurrentExecutions: context.fileConcurrency }),
      // Lambda itself logs failed runs only. Metrics have no level, which counts as INFO.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      environment: {
        TABLE_NAME: table.tableName,
        STAGE: stage.name,
        ...(baseUrl && { BASE_URL: baseUrl }),
        // Only in the functions that need it: a template may have 60 references to secrets.
        ...(frontKey && props.counts && { FRONT_KEY: frontKey }),
        ...(sandbox && { ALLOW_SANDBOX: '1' }),
        ...(props.events && { EVENT_BUS_NAME: bus.eventBusName }),
        ...(props.files.length > 0 && { BUCKET_NAME: bucket.bucketName }),
      },
    })
  }
}
