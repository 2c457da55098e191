import { useTable } from '../table.ts'
import { afterFile } from './environment.ts'

// Each file of the domain package's tests has a table of its own; domain-setup.ts, or the mutation run, started
// DynamoDB. The mutation run takes unit tests along, which need none.
const isUnit = expect.getState().testPath?.includes('/test/unit/')
if (!isUnit) {
  await useTable(JSON.parse(process.env.DOMAIN_TABLE ?? '{}'))
  const { tableClient } = await import('../../../shared/platform/table/table.ts')
  const { sendPlainRequests } = await import('../plain-requests.ts')
  sendPlainRequests()
  // Its connections would stay open in this process.
  afterFile(() => tableClient.destroy())
}
