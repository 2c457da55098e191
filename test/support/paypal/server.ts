import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Call, type Incoming, type Outcome, paypalApi } from './api.ts'
import { openBooks } from './books.ts'
import { paypalControl } from './control.ts'
import { faultList } from './faults.ts'
import { requestIds } from './request-ids.ts'

/** A running test server of PayPal's: its API at `url`, its control at `url/control`. */
export type PayPalTwin = { url: string; close(): Promise<void> }

const give = (response: ServerResponse, answer: Outcome): void => {
  if (answer === 'cut') {
    response.destroy()
    return
  }
  response
    .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    .end(JSON.stringify(answer.body))
}

/**
 * Starts a PayPal on loopback that keeps books: orders, approvals, captures, refunds, request ids, and everything that
 * can go wrong on the way when its control says so. One process and one port serve any number of tests and merchants.
 */
export const startPayPalTwin = async (): Promise<PayPalTwin> => {
  const calls: Call[] = []
  const stores = { books: openBooks(), ids: requestIds(), faults: faultList(), calls }
  const control = paypalControl(stores)
  const api = paypalApi({ ...stores, url: () => url })

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request
    const incoming: Incoming = { method, path, headers: headers as Incoming['headers'], body: await text(request) }
    give(response, control(incoming) ?? (await api(incoming)) ?? { status: 404, body: { name: 'NOT_FOUND' } })
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(error => {
      process.stderr.write(`the PayPal of the tests failed: ${error.stack}\n`)
      response.destroy()
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: async () => {
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}
