import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { deleteObjects } from './bulk-delete.ts'
import { errorDocument, S3Error } from './errors.ts'
import { listObjects } from './listing.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'
import { deleteObject, getObject, headObject, putObject } from './objects.ts'
import { accessDenied, type Context, type Operation, type Reply, type S3Call } from './operation.ts'
import { readPayload } from './payload.ts'
import { readRequest, type S3Request } from './request.ts'
import { splitTarget } from './uri.ts'

export type { S3Call } from './operation.ts'

/**
 * How the stand-in runs: `port` 0 or none takes a free one, `dir` keeps the objects, `secretOf` knows the access keys,
 * `allow` decides as IAM would, `onRequest` sees every authenticated call once (before `allow`), `now` is epoch ms.
 */
export type S3Options = {
  port?: number
  dir: string
  buckets: string[]
  secretOf(accessKeyId: string): string | undefined
  allow(call: S3Call): { allowed: true } | { allowed: false }
  onRequest?(call: S3Call): void
  now?(): number
}

/** A running stand-in; `close` breaks open connections and resolves when no request is at work any more. */
export type RunningS3 = { port: number; url: string; close(): Promise<void> }

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const KEEP_ALIVE_MS = 60_000

const headBucket: Operation = {
  action: 's3:ListBucket',
  parameters: [],
  run: async ({ request }) => {
    const region = request.signature.scope.split('/')[1] ?? ''
    return { status: 200, headers: { 'x-amz-bucket-region': region } }
  },
}

const OBJECT_OPERATIONS: Record<string, Operation> = {
  PUT: putObject,
  GET: getObject,
  HEAD: headObject,
  DELETE: deleteObject,
}

/** Starts S3 on 127.0.0.1 with path-style addresses; rejects when the port is taken or a bucket name is none. */
export const startS3 = async (options: S3Options): Promise<RunningS3> => {
  const wrong = options.buckets.find(name => !BUCKET_NAME.test(name))
  if (wrong !== undefined) throw new Error(`"${wrong}" is no bucket name`)
  const store = await openObjectStore(options.dir, options.buckets)
  const atWork = new Set<Promise<void>>()
  const server = createServer((incoming, response) => {
    const work = serve(incoming, response, options, store).finally(() => atWork.delete(work))
    atWork.add(work)
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const port = await listen(server, options.port ?? 0)
  const close = async () => {
    const closed = new Promise(resolve => server.close(resolve))
    server.closeAllConnections()
    await Promise.all([closed, ...atWork])
  }
  return { port, url: `http://127.0.0.1:${port}`, close }
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

const serve = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  options: S3Options,
  store: ObjectStore,
): Promise<void> => {
  const requestId = randomBytes(8).toString('hex').toUpperCase()
  try {
    const reply = await answer(incoming, options, store).catch(error => refusal(error, incoming, requestId))
    await send(response, reply, requestId)
  } catch {
    // The client has gone, or the disk failed in mid-answer: there is nobody left to tell.
    response.destroy()
  }
}

const answer = async (incoming: IncomingMessage, options: S3Options, store: ObjectStore): Promise<Reply> => {
  const now = options.now?.() ?? Date.now()
  const request = readRequest(incoming, options.secretOf, now)
  const operation = operationOf(request)
  if (!options.buckets.includes(request.bucket)) {
    throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', { BucketName: request.bucket })
  }
  const callOf = (action: string, key = request.key): S3Call => ({
    principal: request.signature.principal,
    action,
    bucket: request.bucket,
    key,
    presigned: request.signature.presigned,
    signatureAgeMs: request.signature.ageMs,
    ...(operation === listObjects && { prefix: request.query.get('prefix') ?? '' }),
  })
  const may: Context['may'] = (action, key) => options.allow(callOf(action, key)).allowed
  const demand: Context['demand'] = (action, key = request.key) => {
    if (!may(action, key)) throw accessDenied(request.signature.principal, action, request.bucket, key)
  }
  options.onRequest?.(callOf(operation.action))
  if (!operation.asksPerKey) demand(operation.action)
  return operation.run({ request, store, now, may, demand, payload: () => readPayload(incoming, request) })
}

const operationOf = (request: S3Request): Operation => {
  const { method, query } = request
  const operation = request.key === '' ? bucketOperation(request) : OBJECT_OPERATIONS[method]
  const strange = [...query.keys()].find(name => !operation?.parameters.includes(name))
  if (operation && strange === undefined) return operation
  throw new S3Error('NotImplemented', 'The local stand-in does not implement this operation', {
    Operation: strange === undefined ? method : `${method} ?${strange}`,
  })
}

const bucketOperation = ({ method, bucket, query }: S3Request): Operation | undefined => {
  if (bucket === '') return undefined
  if (method === 'HEAD') return headBucket
  if (method === 'GET' && query.get('list-type') === '2') return listObjects
  return method === 'POST' && query.has('delete') ? deleteObjects : undefined
}

const refusal = (error: unknown, incoming: IncomingMessage, requestId: string): Reply => {
  // An upload the client broke off is no failure of the server.
  const brokenOff = incoming.destroyed && !incoming.complete
  if (!(error instanceof S3Error) && !brokenOff) console.error(error)
  const known =
    error instanceof S3Error
      ? error
      : new S3Error('InternalError', 'We encountered an internal error. Please try again.')
  const body = errorDocument(known, splitTarget(incoming.url ?? '').path, requestId)
  return { status: known.status, headers: { 'content-type': 'application/xml' }, body }
}

const send = async (response: ServerResponse, reply: Reply, requestId: string): Promise<void> => {
  const { status, headers = {}, body = '' } = reply
  const hasLength = typeof body === 'string' && status !== 204 && status !== 304
  response.writeHead(status, {
    ...(hasLength && { 'content-length': Buffer.byteLength(body) }),
    ...headers,
    'x-amz-request-id': requestId,
    'x-amz-id-2': randomBytes(32).toString('base64'),
  })
  if (typeof body !== 'string') return pipeline(body, response)
  response.end(body)
}
