import { randomUUID } from 'node:crypto'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { raiseNumbers, readNumber } from '../../lib/tool/numbers.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import type { MerchantId } from '../../shared/platform/table/keys.ts'
import { prepareRestoredTable, UnsuitableTable } from '../../shared/platform/table/restored-table.ts'
import { failing } from '../support/failing-table.ts'

const backups: object[] = []
const client = new DynamoDBClient({})
// The local engine keeps no backups.
client.middlewareStack.add(
  (next, { commandName }) =>
    async args => {
      if (commandName !== 'UpdateContinuousBackupsCommand') return next(args)
      backups.push(args.input)
      return { response: {}, output: { $metadata: {} } } as Awaited<ReturnType<typeof next>>
    },
  { step: 'initialize', name: 'backups' },
)
afterAll(() => client.destroy())

const key = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
]
const index = {
  IndexName: 'lsi1',
  KeySchema: key('pk', 'lsi1sk'),
  Projection: { ProjectionType: 'ALL' as const },
}

const attributes = ['pk', 'sk', 'lsi1sk'].map(AttributeName => ({ AttributeName, AttributeType: 'S' as const }))

/** A table as a restore leaves it: keys and indexes, and nothing else. */
const restored = async (more: Partial<CreateTableCommandInput> = {}): Promise<string> => {
  const TableName = `restored-${randomUUID()}`
  const input: CreateTableCommandInput = {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: key('pk', 'sk'),
    AttributeDefinitions: attributes,
    LocalSecondaryIndexes: [index],
    ...more,
  }
  await client.send(new CreateTableCommand(input))
  return TableName
}

test('a restored table gets stream, expiry, backups and deletion protection; a repeat keeps them', async () => {
  const TableName = await restored()
  const stream = await prepareRestoredTable(TableName, client)
  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  expect(Table).toMatchObject({
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    LatestStreamArn: stream,
    DeletionProtectionEnabled: true,
  })
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
  expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' })
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
  expect(backups.at(-1)).toEqual({ TableName, PointInTimeRecoverySpecification })
  expect(await prepareRestoredTable(TableName, client)).toBe(stream)
})

test.each<[string, Partial<CreateTableCommandInput>, RegExp]>([
  ['another key', { KeySchema: key('sk', 'pk'), LocalSecondaryIndexes: undefined }, /its key is sk HASH, pk RANGE/],
  ['no index', { LocalSecondaryIndexes: undefined }, /lacks the local index lsi1/],
  [
    'another index',
    { LocalSecondaryIndexes: [{ ...index, Projection: { ProjectionType: 'KEYS_ONLY' } }] },
    /lacks the local index lsi1/,
  ],
  [
    'a stream of whole items',
    { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } },
    /has a stream of NEW_IMAGE/,
  ],
])('a table with %s is refused as it is, and stays so', async (_, more, says) => {
  const TableName = await restored({
    ...more,
    ...('LocalSecondaryIndexes' in more &&
      !more.LocalSecondaryIndexes && { AttributeDefinitions: attributes.slice(0, 2) }),
  })
  const refused = await prepareRestoredTable(TableName, client).catch((error: Error) => error)
  expect(refused).toBeInstanceOf(UnsuitableTable)
  expect((refused as Error).message).toMatch(says)
  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  expect(Table?.DeletionProtectionEnabled ?? false).toBe(false)
})

test('last numbers are raised, never lowered, each kind by itself', async () => {
  const { id } = await createMerchant({ name: 'Kellerei Gestern' })
  const merchant = id as MerchantId
  expect(await raiseNumbers(merchant, {})).toEqual({ invoices: 0, deliveryNotes: 0, creditAdvices: 0 })
  const raised = { invoices: 41, deliveryNotes: 0, creditAdvices: 3 }
  expect(await raiseNumbers(merchant, { invoices: 41, creditAdvices: 3 })).toEqual(raised)
  for (const invoices of [41, 40])
    await expect(raiseNumbers(merchant, { invoices })).rejects.toThrow('the last number of invoices is 41 already')
  expect(await raiseNumbers(merchant, {})).toEqual(raised)
})

test('a command that was interrupted between two numbers may be repeated, and reports which one was raised before', async () => {
  const { id } = await createMerchant({ name: 'Kellerei Abriss' })
  const merchant = id as MerchantId
  const wanted = { invoices: 41, deliveryNotes: 40, creditAdvices: 3 }
  let updates = 0
  const cut = failing(
    command => (command.startsWith('Update') && ++updates === 2 ? 'before' : undefined),
    () => raiseNumbers(merchant, wanted),
  )
  await expect(cut).rejects.toBeInstanceOf(Unavailable)
  await expect(raiseNumbers(merchant, wanted)).rejects.toThrow(/^the last number of invoices is 41 already[^;]*$/)
  expect(await raiseNumbers(merchant, {})).toEqual(wanted)
  await expect(raiseNumbers(merchant, wanted)).rejects.toThrow(
    /invoices is 41 .*; .* delivery notes is 40 .*; .* is 3 /,
  )
})

test.each(['', '0', '-1', '1.5', '1e3', 'x', '9999999999'])('%j is no valid last number', text => {
  expect(() => readNumber(text)).toThrow('a number must be a whole number of 1 or more')
})
