import { join } from 'node:path'
import { startTables } from './table.ts'

const shared = globalThis as { closeTables?: () => Promise<void> }

/** One DynamoDB serves all tests of the domain package; each test file makes a table of its own. */
export default async (): Promise<void> => {
  const { environment, properties, close } = await startTables()
  shared.closeTables = close
  process.env.SEEN_ERRORS ??= join(environment.TEST_TWIN ?? '', 'seen-errors')
  process.env.DOMAIN_TABLE = JSON.stringify({ environment, properties })
}
