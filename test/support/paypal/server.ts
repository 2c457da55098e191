import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type LocalServer, listenOnLoopback } from '../../../lib/twin/loopback.ts'
import type { Answer } from './answers.ts'
import { type Call, type Incoming, paypalApi } from './api.ts'
import { openBooks } from './books.ts'
import { paypalControl } from './control.ts'
import { faultList } from './faults.ts'
import { requestIds } from './request-ids.ts'

const give = (response: ServerResponse, { status, body, raw = JSON.stringify(body), headers, cut }: Answer): void => {
  if (cut) response.destroy()
  else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(raw)
}

/** Serves a PayPal on loopback; where `respond` says nothing there is nothing. */
export const servePayPal = async (
  respond: (incoming: Incoming) => Promise<Answer | undefined>,
): Promise<LocalServer> => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request
    const incoming: Incoming = { method, path, headers: headers as Incoming['headers'], body: await text(request) }
    const answer = (await respond(incoming)) ?? { status: 404, body: { name: 'NOT_FOUND' } }
    if (answer.wait) await pause(answer.wait, undefined, { ref: false })
    give(response, answer)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(error => {
      process.stderr.write(`the PayPal of the tests failed: ${error.stack}\n`)
      response.destroy()
    })
  })
  return listenOnLoopback(server)
}

/**
 * Starts a PayPal that keeps books: orders, approvals, captures, refunds, request ids, and everything that can go wrong
 * on the way when its control at `url/control` says so. One process and one port serve any number of tests and merchants.
 */
export const startPayPalTwin = async (): Promise<LocalServer> => {
  const calls: Call[] = []
  const stores = { books: openBooks(), ids: requestIds(), faults: faultList(), calls }
  const control = paypalControl(stores)
  const api = paypalApi({ ...stores, url: () => twin.url })
  const twin = await servePayPal(async incoming => control(incoming) ?? api(incoming))
  return twin
}
