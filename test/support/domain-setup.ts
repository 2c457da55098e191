import { startTable } from './table.ts'

const shared = globalThis as { tableOfTests?: Awaited<ReturnType<typeof startTable>> }

/** One table serves all tests of the domain package; each test file makes merchants of its own. */
export default async (): Promise<void> => {
  shared.tableOfTests = await startTable()
  process.env.DOMAIN_TABLE = JSON.stringify(shared.tableOfTests.environment)
}
