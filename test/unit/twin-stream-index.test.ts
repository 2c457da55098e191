import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ensureTable, type LocalDynamo, startDynamo } from '../../lib/twin/dynamodb/process.ts'
import { hasEngine, onEngine } from '../support/on-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder('stream')
const file = join(folder, 'table.db')
const dynamo = hasEngine ? await startDynamo(file, { endpoint: '' }) : undefined
afterAll(async () => {
  await dynamo?.close()
})

/** How SQLite would find the rows of a query. */
const planOf = (query: string): string => {
  const database = new DatabaseSync(file, { readOnly: true })
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all()
  database.close()
  return steps.map(({ detail }) => detail).join('\n')
}

// The two queries are dynoxide's own, as its binary spells them.
onEngine.each([
  [
    'numbering the next stream record',
    "SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records WHERE table_name = 'a'",
  ],
  [
    'reading the newest stream records',
    `SELECT event_name, keys_json, new_image, old_image, sequence_number, created_at, user_identity FROM _stream_records
     WHERE table_name = 'a' AND shard_id = 'b' AND CAST(sequence_number AS INTEGER) > 5
     ORDER BY CAST(sequence_number AS INTEGER) ASC LIMIT 10`,
  ],
])('%s does not read every record', async (_, query) => {
  await ensureTable((dynamo as LocalDynamo).url, 'weinkontor', {
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
  })
  expect(planOf(query)).toMatch(/^SEARCH _stream_records USING (COVERING )?INDEX stream_by_/)
})
