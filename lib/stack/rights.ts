import type { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { IEventBus } from 'aws-cdk-lib/aws-events'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { ItemKind } from '../../shared/contract/item-kinds.ts'
import type { FileRight, Route, Verb } from '../../shared/contract/route.ts'
import { indexName, leadingKeys } from '../../shared/platform/table/keys.ts'

const actions: Record<Verb, string> = {
  get: 'dynamodb:GetItem',
  batchGet: 'dynamodb:BatchGetItem',
  query: 'dynamodb:Query',
  queryIndex: 'dynamodb:Query',
  put: 'dynamodb:PutItem',
  update: 'dynamodb:UpdateItem',
  delete: 'dynamodb:DeleteItem',
  check: 'dynamodb:ConditionCheckItem',
}

const files: Record<FileRight, { action: string; below: string }> = {
  readExpertise: { action: 's3:GetObject', below: 'expertise/*' },
  writeExpertise: { action: 's3:PutObject', below: 'expertise/*' },
  readDocuments: { action: 's3:GetObject', below: 'documents/*' },
  writeDocuments: { action: 's3:PutObject', below: 'documents/*' },
  readDrafts: { action: 's3:GetObject', below: 'drafts/*' },
  writeDrafts: { action: 's3:PutObject', below: 'drafts/*' },
  readPictures: { action: 's3:GetObject', below: 'pictures/*' },
  writePictures: { action: 's3:PutObject', below: 'pictures/*' },
  readUploads: { action: 's3:GetObject', below: 'uploads/*' },
  writeUploads: { action: 's3:PutObject', below: 'uploads/*' },
  removeUploads: { action: 's3:DeleteObject', below: 'uploads/*' },
  readSnapshots: { action: 's3:GetObject', below: 'snapshots/*' },
  writeSnapshots: { action: 's3:PutObject', below: 'snapshots/*' },
  removeSnapshots: { action: 's3:DeleteObject', below: 'snapshots/*' },
}

type Permissions = Route['permissions']

/** Kinds of items with the permitted verbs, one pair a permission. */
export type PermissionPair = [ItemKind, Verb]

/** A function's declared permissions. */
export type Declared = {
  permissions: readonly PermissionPair[]
  files: readonly FileRight[]
  secrets: boolean
  events?: boolean
}

/** Declared permissions as pairs. */
export const permissionPairs = (permissions: Permissions): PermissionPair[] =>
  Object.entries(permissions).flatMap(([kind, verbs]) => verbs.map((verb): PermissionPair => [kind as ItemKind, verb]))

/**
 * Returns one statement a verb, with the leading keys of its items; nothing else is allowed. With `together`, all verbs
 * on the table share one statement with all their leading keys, in case IAM checks every statement against the keys of
 * all items of a transaction (bin/README.md, Smoke).
 */
export const tableStatements = ({ permissions }: Declared, table: ITable, together: boolean): PolicyStatement[] => {
  const ofIndex = (verb: Verb): boolean => verb === 'queryIndex'
  const groups = Map.groupBy(permissions, ([, verb]) => (together && !ofIndex(verb) ? 'all' : verb))
  return [...groups.values()].map(
    pairs =>
      new PolicyStatement({
        actions: [...new Set(pairs.map(([, verb]) => actions[verb]))],
        resources: [pairs.some(([, verb]) => ofIndex(verb)) ? `${table.tableArn}/index/${indexName}` : table.tableArn],
        conditions: {
          'ForAllValues:StringLike': {
            'dynamodb:LeadingKeys': [...new Set(pairs.map(([kind]) => leadingKeys(kind)))].sort(),
          },
        },
      }),
  )
}

/**
 * The declared permissions on the bucket. S3 answers 404 for a missing object only if the role may list the bucket with
 * the object's key as the prefix, else 403.
 */
export const fileStatements = ({ files: declared }: Declared, bucket: IBucket): PolicyStatement[] =>
  declared.flatMap(right => {
    const { action, below } = files[right]
    const onObjects = new PolicyStatement({ actions: [action], resources: [bucket.arnForObjects(below)] })
    const conditions = { StringLike: { 's3:prefix': below } }
    const list = () => new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn], conditions })
    return action === 's3:GetObject' ? [onObjects, list()] : [onObjects]
  })

/** The permission to publish events, for the function that does. */
export const eventStatements = ({ events }: Declared, bus: IEventBus): PolicyStatement[] =>
  events ? [new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] })] : []

/** The ARN pattern of the parameters with the PayPal credentials of a stage's merchants. */
export const paypalParameters = (stack: Stack, stage: string): string =>
  stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: `weinkontor/${stage}/paypal/*` })

/**
 * The permission to read the PayPal credentials of a stage's merchants. They are encrypted by the AWS managed key of
 * Parameter Store, whose policy lets all roles of the account decrypt, so no permission for the key is needed.
 */
export const secretStatements = ({ secrets }: Declared, stack: Stack, stage: string): PolicyStatement[] =>
  secrets ? [new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [paypalParameters(stack, stage)] })] : []
