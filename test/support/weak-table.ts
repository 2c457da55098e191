import { startProxy } from '../../lib/twin/dynamodb/proxy.ts'
import { afterFile } from './jest/environment.ts'
import { weaklyConsistentReads } from './weak-consistency.ts'

/** Puts a database that shows the items of a transaction one after another before the table of this file. Call it first. */
export const weakTable = async (): Promise<void> => {
  const { url, close } = await startProxy({
    upstream: new URL(process.env.TEST_TABLE ?? ''),
    secretOf: () => 'test',
    arnOf: table => table,
    allows: () => true,
    onRequest: () => {},
    counts: () => ({}),
    answer: weaklyConsistentReads(),
  })
  process.env.AWS_ENDPOINT_URL_DYNAMODB = url
  afterFile(close)
}
