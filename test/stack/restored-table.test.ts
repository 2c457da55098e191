import { restoredTableOf } from '../../lib/stack/storage.ts'
import { ofType, onlyOne, type Properties, restoredTable, templateOf, withCertificate } from '../support/synthesized.ts'

const { name, stream } = restoredTable

test('with a restored table every function uses that one, jobs follow its stream, and no other is created', () => {
  const { resources } = templateOf('dev', withCertificate)
  expect(ofType(resources, 'AWS::DynamoDB::Table')).toEqual([])
  onlyOne(resources, 'AWS::S3::Bucket')
  const tables = ofType(resources, 'AWS::Lambda::Function').map(
    one => (one.Properties.Environment as { Variables: Properties }).Variables.TABLE_NAME,
  )
  expect([...new Set(tables)]).toEqual([name])
  const followed = ofType(resources, 'AWS::Lambda::EventSourceMapping').map(
    ({ Properties: { EventSourceArn } }) => EventSourceArn,
  )
  expect([...new Set(followed)]).toEqual([stream])
  expect(onlyOne(resources, 'Custom::SnapshotLayout').Properties.table).toBe(name)
  const rights = JSON.stringify(ofType(resources, 'AWS::IAM::Role'))
  expect(rights).toContain(`:table/${name}"`)
  expect(rights).toContain(`:table/${name}/index/lsi1"`)
})

test('a restored table is a name with the ARN of its own stream', () => {
  expect(restoredTableOf(undefined, undefined)).toBeUndefined()
  expect(restoredTableOf(name, stream)).toEqual({ name, stream })
  for (const [wrong, arn] of [
    [undefined, stream],
    ['', stream],
    ['my table', stream],
  ] as const)
    expect(() => restoredTableOf(wrong, arn)).toThrow('table must be a table’s name')
  for (const wrong of [undefined, '', 'today', stream.replace(name, 'today'), stream.replace('/stream/', '/index/')])
    expect(() => restoredTableOf(name, wrong)).toThrow('tableStream must be the ARN of the stream')
})
