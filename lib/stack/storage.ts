import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { indexAttribute, indexName } from '../../shared/table/keys.ts'

// But not a first deployment that failed: what holds nothing yet would be in the way of the next one.
const outlives = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

/** The table and the bucket, which outlive the stack, and the queue of what Lambda gave up. */
export class Storage extends Construct {
  readonly table: Table
  readonly bucket: Bucket
  readonly deadLetters: Queue

  constructor(scope: Construct) {
    super(scope, 'Storage')
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.DEFAULT,
      timeToLiveAttribute: 'expires',
      // Jobs follow the table by its keys and read what they need.
      stream: StreamViewType.KEYS_ONLY,
      deletionProtection: true,
      removalPolicy: outlives,
    })
    this.table.addLocalSecondaryIndex({
      indexName,
      sortKey: { name: indexAttribute, type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    })
    this.bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        { noncurrentVersionExpiration: Duration.days(90), abortIncompleteMultipartUploadAfter: Duration.days(7) },
      ],
      removalPolicy: outlives,
    })
    // A presigned link is a bearer secret: none may be honoured for longer than ten minutes, whoever made it.
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:*'],
        resources: [this.bucket.arnForObjects('*')],
        conditions: { NumericGreaterThan: { 's3:signatureAge': '600000' } },
      }),
    )
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // As long as a queue can.
      retentionPeriod: Duration.days(14),
    })
  }
}
