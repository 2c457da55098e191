import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { FileRight, Route, Verb } from '../shared/contract/route.ts'
import { sessionCheck } from '../shared/contract/sign-in.ts'
import { leadingKeys, type Shape } from '../shared/table/keys.ts'

/** The name of the table's local index. */
export const indexName = 'by-order'

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
  readSnapshots: { action: 's3:GetObject', below: 'snapshots/*' },
  writeSnapshots: { action: 's3:PutObject', below: 'snapshots/*' },
}

type Touches = Route['touches']

/** Everything a route's function does to the table: what it declares, and the session check of Service routes. */
export const touchesOf = ({ level, touches }: Route): [Shape, Verb][] =>
  [touches, level === 'service' ? sessionCheck : {}].flatMap((all: Touches) =>
    Object.entries(all).flatMap(([shape, verbs]) => verbs.map((verb): [Shape, Verb] => [shape as Shape, verb])),
  )

/** One statement a verb, on the leading keys of the items it may be used on; nothing else is allowed. */
export const tableStatements = (route: Route, table: ITable): PolicyStatement[] => {
  const shapesOf = Map.groupBy(touchesOf(route), ([, verb]) => verb)
  return [...shapesOf].map(
    ([verb, touched]) =>
      new PolicyStatement({
        actions: [actions[verb]],
        resources: [verb === 'queryIndex' ? `${table.tableArn}/index/${indexName}` : table.tableArn],
        conditions: {
          'ForAllValues:StringLike': {
            'dynamodb:LeadingKeys': [...new Set(touched.map(([shape]) => leadingKeys(shape)))].sort(),
          },
        },
      }),
  )
}

/** The rights on the bucket that a route declares. */
export const fileStatements = (route: Route, bucket: IBucket): PolicyStatement[] =>
  route.files.map(
    right =>
      new PolicyStatement({ actions: [files[right].action], resources: [bucket.arnForObjects(files[right].below)] }),
  )
