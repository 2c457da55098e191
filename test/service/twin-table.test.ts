import { join } from 'node:path'
import { ensureTable, type LocalDynamo, startDynamo } from '../../lib/twin/dynamodb/process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder('table')
let dynamo: LocalDynamo

beforeAll(async () => {
  dynamo = await startDynamo(join(folder, 'table.db'))
})

afterAll(async () => {
  await dynamo.close()
})

const propertiesOf = (index: string) => ({
  AttributeDefinitions: ['pk', 'sk', index].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
  LocalSecondaryIndexes: [
    {
      IndexName: `by-${index}`,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: index, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
})

test('an existing table with the keys of the template is used', async () => {
  await ensureTable(dynamo.url, 'kept', propertiesOf('lsi1sk'))
  await ensureTable(dynamo.url, 'kept', propertiesOf('lsi1sk'))
})

test('a table with other keys is refused at the start, with what to do', async () => {
  await ensureTable(dynamo.url, 'old', propertiesOf('by'))
  await expect(ensureTable(dynamo.url, 'old', propertiesOf('lsi1sk'))).rejects.toThrow('remove the data folder')
})
