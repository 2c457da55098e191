import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** The added response time of the table, in milliseconds. */
export type Delay = { read: number; write: number }

type Named = { Key?: object; Item?: Record<string, unknown> }
type Body = Named & { TransactItems?: Record<string, Named>[] }

const reads = new Set(['GetItem', 'BatchGetItem', 'Query'])

const placeOf = ({ Key, Item }: Named): string => JSON.stringify(Key ?? { pk: Item?.pk, sk: Item?.sk })

const json = { 'content-type': 'application/x-amz-json-1.0' }

const conflict = (clashing: readonly boolean[], isTransaction: boolean): string => {
  const type = isTransaction ? 'TransactionCanceledException' : 'TransactionConflictException'
  const CancellationReasons = clashing.map(clashes => ({ Code: clashes ? 'TransactionConflict' : 'None' }))
  return JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: 'Transaction is ongoing for the item',
    ...(isTransaction && { CancellationReasons }),
  })
}

/**
 * Forwards requests to a table as slow as AWS's: each takes effect after half of its delay, and its response arrives after
 * the other half. As on AWS, a write is refused while a transaction that writes the same item is running.
 */
export const startSlowTable = async (upstream: URL, delay: Delay): Promise<{ url: string; close(): Promise<void> }> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const ongoing = new Set<string>()
  const server = createServer(async (incoming, response) => {
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? ''
    const isRead = reads.has(operation)
    const half = (isRead ? delay.read : delay.write) / 2
    const sent = await buffer(incoming)
    const body = JSON.parse(sent.toString()) as Body
    const isTransaction = operation === 'TransactWriteItems'
    const written = isTransaction ? (body.TransactItems ?? []).flatMap(one => Object.values(one)) : [body]
    const places = isRead ? [] : written.map(placeOf)
    const clashing = places.map(place => ongoing.has(place))
    if (clashing.includes(true)) {
      await pause(half)
      response.writeHead(400, json).end(conflict(clashing, isTransaction))
      return
    }
    if (isTransaction) for (const place of places) ongoing.add(place)
    const over = () => {
      if (isTransaction) for (const place of places) ongoing.delete(place)
    }
    await pause(half)
    const { host, ...headers } = incoming.headers
    const onward = request(upstream, { method: incoming.method, agent, headers }, async reply => {
      const received = await buffer(reply)
      await pause(half)
      over()
      response.writeHead(reply.statusCode ?? 500, reply.headers).end(received)
    })
    onward.on('error', () => {
      over()
      response.destroy()
    })
    onward.end(sent)
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
