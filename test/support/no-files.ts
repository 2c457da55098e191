import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterFile } from './jest/environment.ts'

/** A bucket without any file, for tests of the routes beside a table alone: search indexes then come from the table. */
export const useEmptyBucket = async (): Promise<void> => {
  const server = createServer((request, response) => {
    request.resume()
    // What is written is taken, and never there.
    response.writeHead(request.method === 'PUT' ? 200 : 404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  Object.assign(process.env, { BUCKET_NAME: 'empty', AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` })
  afterFile(async () => {
    server.closeAllConnections()
    server.close()
  })
}
