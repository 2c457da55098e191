import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from '../../lib/twin/loopback.ts'

type Body = { TransactItems?: object[] }

const refusal = (items: number): string =>
  JSON.stringify({
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'Transaction cancelled',
    CancellationReasons: Array.from({ length: items }, (_, n) => ({ Code: n === 0 ? 'TransactionConflict' : 'None' })),
  })

/**
 * Passes requests on to a table, but refuses so many transactions, as DynamoDB does when other requests write the
 * same items; the engine on this machine writes one after the other.
 */
export const startRefusingTable = async (upstream: URL) => {
  let refusals = 0
  const server = createServer(async (incoming, response) => {
    const sent = await buffer(incoming)
    const isTransaction = String(incoming.headers['x-amz-target']).endsWith('.TransactWriteItems')
    if (isTransaction && refusals > 0) {
      refusals--
      const { TransactItems = [] } = JSON.parse(sent.toString()) as Body
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(refusal(TransactItems.length))
      return
    }
    const { host, ...headers } = incoming.headers
    const onward = request(upstream, { method: incoming.method, headers }, reply => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    onward.on('error', () => response.destroy()).end(sent)
  })
  return {
    ...(await listenOnLoopback(server)),
    refuse: (transactions: number): void => {
      refusals = transactions
    },
  }
}
