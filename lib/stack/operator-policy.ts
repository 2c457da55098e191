import type { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { indexName } from '../../shared/platform/table/keys.ts'
import { paypalParameters } from './rights.ts'
import type { Stage } from './stage.ts'

/** The policy of the role that runs the operator tool: the table, the bucket and the payment credentials of one stage. */
export const operatorPolicy = (
  stack: Stack,
  { stage, table, bucket }: { stage: Stage; table: ITable; bucket: IBucket },
): ManagedPolicy =>
  new ManagedPolicy(stack, 'Operator', {
    description: `The operator tool on ${stack.stackName}`,
    statements: [
      new PolicyStatement({
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:ConditionCheckItem',
          'dynamodb:DeleteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
        resources: [table.tableArn, `${table.tableArn}/index/${indexName}`],
      }),
      new PolicyStatement({
        actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        resources: [bucket.arnForObjects('*')],
      }),
      // Without it S3 answers 403, not 404, for a missing object.
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
      new PolicyStatement({
        actions: ['ssm:GetParameter', 'ssm:PutParameter', 'ssm:DeleteParameter'],
        resources: [paypalParameters(stack, stage.name)],
      }),
    ],
  })
