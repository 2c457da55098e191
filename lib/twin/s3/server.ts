import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { splitTarget } from '../iam/signature.ts'
import { type LocalServer, listenOnLoopback } from '../loopback.ts'
import { accessDenied, errorDocument, notImplemented, type S3Call, S3Error } from './errors.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'
import {
  deleteObject,
  getObject,
  headObject,
  knownParameters,
  type Operation,
  postObject,
  putObject,
  type S3Response,
} from './objects.ts'
import { type Payload, readPayload } from './payload.ts'
import { formMethod, isForm, readPosted } from './post-object.ts'
import { readRequest, type S3Request } from './request.ts'

export type S3Options = {
  /** Where the objects are kept. */
  folder: string
  buckets: string[]
  /** Objects below a prefix that are removed after so many days; looked for at the start and every hour. */
  expiry?: readonly { prefix: string; days: number }[]
  secretOf(accessKeyId: string): string | undefined
  /** Decides as IAM would. */
  allows(call: S3Call): boolean
  /** Sees every authenticated call once, before it is decided upon. */
  onRequest?(call: S3Call): void
  /** Epoch milliseconds. */
  now?(): number
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

// The service never lists a bucket; a caller that tries must first learn that no policy allows it.
const listObjects: Operation = {
  action: 's3:ListBucket',
  run: async ({ request }) => {
    throw notImplemented(request.method)
  },
}

const objectOperations: Record<string, Operation> = {
  PUT: putObject,
  GET: getObject,
  HEAD: headObject,
  DELETE: deleteObject,
  [formMethod]: postObject,
}

const operationOf = ({ method, key, query }: S3Request): Operation => {
  if (key === '' && method === 'GET') return listObjects
  const operation = key === '' ? undefined : objectOperations[method]
  const unknown = [...query.keys()].find(name => !knownParameters.includes(name))
  if (!operation || unknown !== undefined) throw notImplemented(unknown ?? method)
  return operation
}

type Asked = { request: S3Request; payload(): Promise<Payload> }

const readAny = async (incoming: IncomingMessage, { secretOf }: S3Options, now: number): Promise<Asked> => {
  if (isForm(incoming)) {
    const { request, payload } = await readPosted(incoming, secretOf, now)
    return { request, payload: async () => payload }
  }
  const request = await readRequest(incoming, secretOf, now)
  return { request, payload: () => readPayload(incoming, request) }
}

const respond = async (incoming: IncomingMessage, options: S3Options, store: ObjectStore): Promise<S3Response> => {
  const now = options.now?.() ?? Date.now()
  const { request, payload } = await readAny(incoming, options, now)
  const { bucket, key, signature } = request
  const operation = operationOf(request)
  if (!options.buckets.includes(bucket))
    throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', { BucketName: bucket })
  const principal = signature.accessKeyId
  const callOf = (action: string) => ({ principal, action, bucket, key, signatureAgeMs: signature.ageMs })
  const authorize = (action: string) => {
    const call = callOf(action)
    if (!options.allows(call)) throw accessDenied(call)
  }
  options.onRequest?.(callOf(operation.action))
  authorize(operation.action)
  return operation.run({ request, store, now, authorize, payload })
}

const refusal = (error: unknown, incoming: IncomingMessage, requestId: string): S3Response => {
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

const send = async (response: ServerResponse, { status, headers = {}, body = '' }: S3Response, requestId: string) => {
  const hasLength = typeof body === 'string' && status !== 304
  response.writeHead(status, {
    ...(hasLength && { 'content-length': Buffer.byteLength(body) }),
    ...headers,
    'x-amz-request-id': requestId,
    'x-amz-id-2': randomBytes(32).toString('base64'),
  })
  if (typeof body !== 'string') return pipeline(body, response)
  response.end(body)
}

/**
 * Starts S3 on a free port of 127.0.0.1 with path-style addresses; rejects when a bucket name is none. Closing it breaks open
 * connections, and is over when no request is at work any more.
 */
export const startS3 = async (options: S3Options): Promise<LocalServer> => {
  const wrong = options.buckets.find(name => !bucketName.test(name))
  if (wrong !== undefined) throw new Error(`"${wrong}" is no bucket name`)
  const store = await openObjectStore(options.folder, options.buckets)
  const atWork = new Set<Promise<void>>()
  const trackWork = (work: Promise<void>): void => {
    const ended = work.finally(() => atWork.delete(ended))
    atWork.add(ended)
  }
  const removeExpired = async (): Promise<void> => {
    const now = options.now?.() ?? Date.now()
    for (const { prefix, days } of options.expiry ?? [])
      for (const bucket of options.buckets) await store.removeOlder(bucket, prefix, now - days * dayMs)
  }
  const expire = () => trackWork(removeExpired().catch(console.error))
  const timer = setInterval(expire, hourMs).unref()
  expire()

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomBytes(8).toString('hex').toUpperCase()
    try {
      const reply = await respond(incoming, options, store).catch(error => refusal(error, incoming, requestId))
      await send(response, reply, requestId)
    } catch {
      // The client has gone, or the disk failed in mid-response: there is nobody left to tell.
      response.destroy()
    }
  }

  const server = createServer((incoming, response) => trackWork(serve(incoming, response)))
  const { url, close: closeServer } = await listenOnLoopback(server)
  const close = async () => {
    clearInterval(timer)
    await Promise.all([closeServer(), ...atWork])
  }
  return { url, close }
}
