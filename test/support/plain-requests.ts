import { connect, type Socket } from 'node:net'
import { tableClient } from '../../shared/platform/table/table.ts'
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

const freeSocket = (): Socket | undefined => {
  const socket = idle.pop()
  return !socket || socket.writable ? socket : freeSocket()
}

/** The reply in what was received so far, once it is whole. */
const replyIn = (chunks: Buffer[], size: number): Reply | undefined => {
  if (chunks.length === 2 && !chunks[0]?.includes('\r\n\r\n')) chunks.splice(0, 2, Buffer.concat(chunks))
  const end = chunks[0]?.indexOf('\r\n\r\n') ?? -1
  const [first = '', ...lines] = chunks[0]?.toString('latin1', 0, Math.max(end, 0)).split('\r\n') ?? []
  const headers = Object.fromEntries(lines.map(line => line.toLowerCase().split(': ', 2)))
  if (end < 0 || size < end + 4 + Number(headers['content-length'])) return undefined
  const body = Buffer.concat(chunks).subarray(end + 4)
  return { response: { statusCode: Number(first.split(' ')[1]), headers, body } }
}

const send = ({ path, hostname, port, headers, body }: Request): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const socket = freeSocket() ?? connect(port, hostname).setNoDelay().unref()
    const chunks: Buffer[] = []
    let size = 0
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('DynamoDB closed the connection')))
    socket.on('data', chunk => {
      chunks.push(chunk)
      size += chunk.length
      const reply = replyIn(chunks, size)
      if (!reply) return
      // An idle connection may be closed by the other side.
      socket.removeAllListeners().on('error', () => {})
      idle.push(socket)
      resolve(reply)
    })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]))
  })

/** Lets this file's requests to the table go without signatures over connections of their own. */
export const sendPlainRequests = (): void => {
  const { requestHandler, httpAuthSchemes } = tableClient.config as unknown as Config
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
