import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** A table that takes longer to respond than the one on this machine, in milliseconds. */
export type Delay = { read: number; write: number }

const reads = new Set(['GetItem', 'BatchGetItem', 'Query'])

/** Passes requests on to a table; each takes effect after half of its delay, and is responded to after the other half. */
export const startSlowTable = async (upstream: URL, delay: Delay): Promise<{ url: string; close(): Promise<void> }> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const server = createServer(async (incoming, response) => {
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? ''
    const half = (reads.has(operation) ? delay.read : delay.write) / 2
    const [body] = await Promise.all([buffer(incoming), half > 0 && pause(half)])
    const { host, ...headers } = incoming.headers
    const onward = request(upstream, { method: incoming.method, agent, headers }, async reply => {
      if (half > 0) await pause(half)
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const close = async () => {
    agent.destroy()
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
