import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { indexAttribute, indexName } from '../../shared/platform/table/keys.ts'

/** An existing table that was restored from a backup: its name and the ARN of its stream. */
export type RestoredTable = { name: string; stream: string }

/** Parses the settings of a restored table; undefined for none. Throws for invalid settings. */
export const restoredTableOf = (name: string | undefined, stream: string | undefined): RestoredTable | undefined => {
  if (name === undefined && stream === undefined) return undefined
  if (name === undefined || !/^[a-zA-Z0-9_.-]{3,255}$/.test(name))
    throw new Error(`table must be a table’s name: ${name}`)
  const isIts = /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/([^/]+)\/stream\/[0-9T:.-]+$/.exec(stream ?? '')
  if (stream && isIts?.[1] === name) return { name, stream }
  throw new Error(`tableStream must be the ARN of the stream of the table ${name}: ${stream}`)
}

/** The table and the bucket, which outlive the stack, and the dead-letter queue of the stream. */
export class Storage extends Construct {
  readonly table: ITable
  readonly bucket: Bucket
  readonly deadLetters: Queue

  constructor(scope: Construct, restored?: RestoredTable) {
    super(scope, 'Storage')
    this.table = restored ? this.#restoredTable(restored) : this.#newTable()
    this.bucket = this.#newBucket()
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The maximum of a queue.
      retentionPeriod: Duration.days(14),
    })
  }

  #restoredTable({ name, stream }: RestoredTable): ITable {
    const attributes = { tableName: name, tableStreamArn: stream, localIndexes: [indexName] }
    return Table.fromTableAttributes(this, 'Restored', attributes)
  }

  #newTable(): Table {
    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.DEFAULT,
      timeToLiveAttribute: 'expires',
      // Jobs need the keys of changed items only, and read the items themselves.
      stream: StreamViewType.KEYS_ONLY,
      deletionProtection: true,
      // Not RETAIN_ON_UPDATE_OR_DELETE: CloudFormation cannot delete a protected table when the first deployment fails.
      removalPolicy: RemovalPolicy.RETAIN,
    })
    table.addLocalSecondaryIndex({
      indexName,
      sortKey: { name: indexAttribute, type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    })
    return table
  }

  #newBucket(): Bucket {
    const bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        // Snapshots are replaced often and can be rebuilt from the table. If rules overlap, the shorter time applies.
        { prefix: 'snapshots/', noncurrentVersionExpiration: Duration.days(1), expiredObjectDeleteMarker: true },
        // An upload that was committed, or never will be. Delete markers that have become useless go with the rule.
        { prefix: 'uploads/', expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
        // Incomplete invoices: only documents are kept.
        { prefix: 'drafts/', expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
        { noncurrentVersionExpiration: Duration.days(90), abortIncompleteMultipartUploadAfter: Duration.days(7) },
      ],
      // For the same reason as the table: it is not empty after `jobs/rebuildSnapshots` ran in a first deployment.
      removalPolicy: RemovalPolicy.RETAIN,
    })
    // A presigned link is a bearer secret: none is valid for longer than ten minutes, by any signer.
    bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:*'],
        resources: [bucket.arnForObjects('*')],
        conditions: { NumericGreaterThan: { 's3:signatureAge': '600000' } },
      }),
    )
    // Invoices have to be kept for eight years (§ 14b UStG): nobody removes a document, by whatever rights.
    bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:DeleteObject', 's3:DeleteObjectVersion'],
        resources: [bucket.arnForObjects('documents/*')],
      }),
    )
    return bucket
  }
}
