import { randomUUID } from 'node:crypto'
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { ensureTable } from '../../lib/twin/dynamodb/process.ts'
import { tableClient, tableName } from '../../shared/platform/table/table.ts'
import { batchesOf } from '../../shared/values/batches.ts'
import type { TestTable } from './table.ts'

type Read = {
  TableName?: string
  ConsistentRead?: boolean
  RequestItems?: Record<string, { ConsistentRead?: boolean }>
}
type Answer = { Responses?: Record<string, unknown> }

// The limit of BatchWriteItem.
const maxWrites = 25

const copyOfTable = async (): Promise<string> => {
  const { environment, properties } = JSON.parse(process.env.DOMAIN_TABLE ?? '{}') as TestTable
  const copy = `test-${randomUUID()}`
  await ensureTable(new URL(environment.TEST_TABLE ?? ''), copy, properties)
  let ExclusiveStartKey: Record<string, unknown> | undefined
  do {
    const page = await tableClient.send(
      new ScanCommand({ TableName: tableName(), ConsistentRead: true, ExclusiveStartKey }),
    )
    for (const items of batchesOf(page.Items ?? [], maxWrites, () => 1)) {
      const RequestItems = { [copy]: items.map(Item => ({ PutRequest: { Item } })) }
      await tableClient.send(new BatchWriteCommand({ RequestItems }))
    }
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return copy
}

/**
 * Between `lag` and `catchUp`, or the end of the test, eventually consistent reads return the table as it was at `lag`:
 * a replica that is behind for a whole run. Strongly consistent reads and all writes reach the table itself.
 */
export const laggingTable = (): { lag(): Promise<void>; catchUp(): void } => {
  let replica: string | undefined
  tableClient.middlewareStack.add(
    next => async args => {
      const input = args.input as Read
      const table = tableName()
      if (!replica) return next(args)
      if (input.TableName === table && input.ConsistentRead === false)
        return next({ ...args, input: { ...input, TableName: replica } as never })
      const batch = input.RequestItems?.[table]
      if (batch?.ConsistentRead !== false) return next(args)
      const result = await next({ ...args, input: { RequestItems: { [replica]: batch } } as never })
      const { Responses = {} } = result.output as Answer
      return { ...result, output: { ...result.output, Responses: { [table]: Responses[replica] } } as never }
    },
    { step: 'initialize', priority: 'low', name: 'lagging' },
  )
  const catchUp = () => {
    replica = undefined
  }
  afterEach(catchUp)
  return {
    lag: async () => {
      replica = await copyOfTable()
    },
    catchUp,
  }
}
