import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { tableClient, tableName } from '../../shared/platform/table/table.ts'
import { sortedJson } from './golden-file.ts'

// Failed sign-ins and requests are counted; wines that are refused late have had an id, which nobody else gets; and of a
// quota some is taken ahead.
const counts = /"pk":"(failures|sequences|rate#|m#\d+#quotas)/

/** The items of the table, a line each, except for counters of requests, refused requests included. */
export const tableLines = async (): Promise<string[]> => {
  const lines: string[] = []
  let ExclusiveStartKey: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await tableClient.send(
      new ScanCommand({
        TableName: tableName(),
        ConsistentRead: true,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    )
    lines.push(...Items.map(sortedJson).filter(line => !counts.test(line)))
    ExclusiveStartKey = LastEvaluatedKey
  } while (ExclusiveStartKey)
  return lines.sort()
}
