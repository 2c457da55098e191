import { connect, type Socket } from 'node:net'
import { documents } from '../../shared/platform/table/table.ts'
import { afterFile } from './jest/environment.ts'

// Signatures and Node's HTTP client are more than half of what a request to the table costs. The DynamoDB of the tests
// verifies no signature. What a test puts before it, such as a proxy, still gets the SDK's own requests.

type Request = { path: string; hostname: string; port: number; headers: Record<string, string>; body: Uint8Array }
type Reply = { response: { statusCode: number; headers: Record<string, string>; body: Uint8Array } }
/** The parts of the client that are replaced; the SDK does not export their types. */
type Config = {
  requestHandler: { handle(request: Request, options: object): Promise<Reply> }
  httpAuthSchemes: { signer: { sign(request: Request, ...more: unknown[]): Promise<Request> } }[]
}

const isPlain = (): boolean => process.env.AWS_ENDPOINT_URL_DYNAMODB === process.env.TEST_TABLE

/** Connections that no request uses at the moment. */
const idle: Socket[] = []
afterFile(() => {
  for (const socket of idle) socket.destroy()
})

const replyOf = (head: string, body: Buffer): Reply | undefined => {
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map(line => line.toLowerCase().split(': ', 2)))
  if (body.length < Number(headers['content-length'])) return undefined
  return { response: { statusCode: Number(first.split(' ')[1]), headers, body } }
}

const send = ({ path, hostname, port, headers, body }: Request): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const socket = idle.pop() ?? connect(port, hostname).setNoDelay()
    let received = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('DynamoDB closed the connection')))
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      const reply = end < 0 ? undefined : replyOf(received.toString('latin1', 0, end), received.subarray(end + 4))
      if (!reply) return
      socket.removeAllListeners()
      idle.push(socket)
      resolve(reply)
    })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]))
  })

/** Lets this file's requests to the table go without signatures over connections of their own. */
export const sendPlainRequests = (): void => {
  const { requestHandler, httpAuthSchemes } = documents.config as unknown as Config
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = (request, options) => (isPlain() ? send(request) : handle(request, options))
  for (const { signer } of httpAuthSchemes) {
    const sign = signer.sign.bind(signer)
    signer.sign = async (request, ...more) => {
      if (!isPlain()) return sign(request, ...more)
      const authorization = 'AWS4-HMAC-SHA256 Credential=test, SignedHeaders=host, Signature=none'
      Object.assign(request.headers, { authorization, 'x-amz-date': '20260101T000000Z' })
      return request
    }
  }
}
