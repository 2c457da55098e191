import { frontVariants, onlyOne, type Properties, type Resource, templateOf } from '../support/synthesized.ts'

// CloudFormation replaces a resource by an empty one when its logical id or one of these properties changes. A change of this
// file means that data must be moved.

const lasting = [
  {
    type: 'AWS::DynamoDB::Table',
    id: 'StorageTableB43FDCE7',
    replacedBy: ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
    is: {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'lsi1',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'lsi1sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
  },
  {
    type: 'AWS::S3::Bucket',
    id: 'StorageFiles48C02C92',
    replacedBy: ['BucketName', 'BucketNamePrefix'],
    is: {},
  },
]

const pick = ({ Properties }: Resource, names: readonly string[]): Properties =>
  Object.fromEntries(names.filter(name => name in Properties).map(name => [name, Properties[name]]))

test.each(lasting)('no deployment replaces the $type: it keeps its id and its immutable properties', one => {
  for (const stage of ['dev', 'prod']) {
    const found = onlyOne(templateOf(stage).resources, one.type)
    expect(found.id).toBe(one.id)
    expect(pick(found, one.replacedBy)).toEqual(one.is)
    // And if one did, the contents of the former resource would stay.
    expect([found.UpdateReplacePolicy, found.DeletionPolicy]).toEqual(['Retain', 'Retain'])
  }
})

test.each([
  'dev',
  'prod',
])('in %s CloudFormation never has to delete a protected resource after a failed first deployment', stage => {
  const { service, before } = stage === 'prod' ? frontVariants.byCertificate() : frontVariants.byDomain()
  const all = [service, before].flatMap(({ Resources }) => Object.entries(Resources))
  // S3 deletes empty buckets only, and the first thing that a deployment runs writes the layouts of snapshots.
  const isKept = ({ Type, Properties }: Resource): boolean =>
    Type === 'AWS::S3::Bucket' ||
    Object.entries(Properties ?? {}).some(
      ([name, value]) => /^DeletionProtection/.test(name) && ![false, 'INACTIVE'].includes(value as never),
    )
  const kept = all.filter(([, one]) => isKept(one)).map(([, { Type, DeletionPolicy }]) => [Type, DeletionPolicy])
  expect(kept.sort()).toEqual([
    ['AWS::DynamoDB::Table', 'Retain'],
    ['AWS::S3::Bucket', 'Retain'],
  ])
})
