import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { notImplemented, S3Error } from './errors.ts'
import type { ObjectMeta, ObjectStore, OpenObject, Precondition } from './object-store.ts'
import type { Payload } from './payload.ts'
import { type Headers, headerValue, type S3Request } from './request.ts'

export type S3Response = { status: number; headers?: Headers; body?: string | Readable }

type OperationContext = {
  request: S3Request
  store: ObjectStore
  now: number
  /** Throws AccessDenied unless the policies allow the action on the key. */
  authorize(action: string): void
  payload(): Promise<Payload>
}

/** One S3 operation: its IAM action, which the server has authorized before, and its work. */
export type Operation = { action: string; run(context: OperationContext): Promise<S3Response> }

// Parameters of GetObject that override the stored headers.
const overrides = ['response-content-type', 'response-content-disposition']
const encryption = { 'x-amz-server-side-encryption': 'AES256' }

const checksumHeaders = ({ checksums }: ObjectMeta): Headers =>
  Object.keys(checksums).length > 0 ? { ...checksums, 'x-amz-checksum-type': 'FULL_OBJECT' } : {}

const bare = (etag: string): string => etag.trim().replace(/^W\//, '').replace(/^"|"$/g, '')

const names = (list: string, etag: string): boolean =>
  list.split(',').some(entry => entry.trim() === '*' || bare(entry) === bare(etag))

const preconditionFailed = (condition: string): S3Error =>
  new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    Condition: condition,
  })

/** True if the reader has the object as it is, by If-None-Match or, without that, If-Modified-Since. */
const isUnmodified = (meta: ObjectMeta, headers: Headers): boolean => {
  const { 'if-none-match': noneMatch, 'if-modified-since': since = '' } = headers
  if (noneMatch !== undefined) return names(noneMatch, meta.etag)
  return Math.floor(meta.modified / 1000) * 1000 <= Date.parse(since)
}

/** The one range a Range header asks for, undefined for the whole object; throws InvalidRange when no byte is in it. */
const rangeOf = (header: string | undefined, size: number): { start: number; end: number } | undefined => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end) return { start, end }
  throw new S3Error('InvalidRange', 'The requested range is not satisfiable', { ActualObjectSize: String(size) })
}

const findObject = async ({ request, store, authorize }: OperationContext): Promise<OpenObject> => {
  const { bucket, key, headers } = request
  const unknown = ['if-match', 'if-unmodified-since'].find(name => headers[name] !== undefined)
  if (unknown) throw notImplemented(unknown)
  const object = await store.open(bucket, key)
  if (object) return object
  // S3 reveals that a key is missing only to a role that may list it.
  authorize('s3:ListBucket')
  throw new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: key })
}

/** Status and headers for a read of an object; `start` and `end`, both included, are the bytes that follow. */
const describe = (meta: ObjectMeta, { headers, query }: S3Request) => {
  const validators = { etag: meta.etag, 'last-modified': new Date(meta.modified).toUTCString() }
  const given = overrides.filter(name => query.has(name))
  const overriding = given.map(name => [name.slice('response-'.length), headerValue(name, query.get(name) ?? '')])
  if (isUnmodified(meta, headers)) return { response: { status: 304, headers: validators }, start: 0, end: -1 }
  const range = rangeOf(headers.range, meta.size)
  const { start, end } = range ?? { start: 0, end: meta.size - 1 }
  const response = {
    status: range ? 206 : 200,
    headers: {
      'content-type': 'binary/octet-stream',
      ...meta.headers,
      ...Object.fromEntries(overriding),
      ...validators,
      ...encryption,
      // A checksum covers the whole object: beside a part of it, clients would find it wrong.
      ...(!range && headers['x-amz-checksum-mode'] === 'ENABLED' && checksumHeaders(meta)),
      ...(range && { 'content-range': `bytes ${start}-${end}/${meta.size}` }),
      'accept-ranges': 'bytes',
      'content-length': String(end - start + 1),
    },
  }
  return { response, start, end }
}

/** GetObject: the whole object or one range, conditional, with the response headers the signed query asks for. */
export const getObject: Operation = {
  action: 's3:GetObject',
  run: async context => {
    const object = await findObject(context)
    try {
      const { response, start, end } = describe(object.meta, context.request)
      if (start <= end) return { ...response, body: object.stream(start, end) }
      await object.close()
      return response
    } catch (error) {
      await object.close()
      throw error
    }
  },
}

/** HeadObject: what GetObject would return, without the body. */
export const headObject: Operation = {
  action: 's3:GetObject',
  run: async context => {
    const object = await findObject(context)
    await object.close()
    return describe(object.meta, context.request).response
  },
}

// Headers of a PutObject that mean something to the twin, or nothing to S3; any other x-amz- or content- header asks
// for something that the twin does not do.
const known =
  /^(content-(type|length)|x-amz-(date|content-sha256|user-agent|sdk-checksum-algorithm|checksum-crc32|trailer|decoded-content-length|meta-.+))$/

const refuseUnknown = (headers: Headers): void => {
  const unknown = Object.entries(headers).find(
    ([name, value]) =>
      /^(content-|x-amz-|expires$|cache-control$)/.test(name) &&
      !known.test(name) &&
      !(name === 'content-encoding' && value === 'aws-chunked'),
  )
  if (unknown) throw notImplemented(unknown[0])
}

/** The condition a write puts on the present object: `If-None-Match: *` or `If-Match`. */
const writeCondition = ({ 'if-none-match': noneMatch, 'if-match': match }: Headers): Precondition => {
  if (noneMatch !== undefined && noneMatch.trim() !== '*') throw notImplemented('If-None-Match')
  return present => {
    if (noneMatch !== undefined && present) throw preconditionFailed('If-None-Match')
    if (match === undefined) return
    if (!present) throw new S3Error('NoSuchKey', 'The specified key does not exist.')
    if (!names(match, present.etag)) throw preconditionFailed('If-Match')
  }
}

/** The headers that are kept with an object: its content type and its own metadata. */
const keptHeaders = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'))
      .map(([name, value]) => [name, headerValue(name, value)]),
  )

/** PutObject: stores the body with its headers and checksum, on a condition; one object at most 100 MB. */
export const putObject: Operation = {
  action: 's3:PutObject',
  run: async ({ request, store, now, authorize, payload }) => {
    const { bucket, key, headers } = request
    refuseUnknown(headers)
    // Comparing an ETag reveals something about the content, so S3 requires the right to read it as well.
    if (headers['if-match'] !== undefined) authorize('s3:GetObject')
    const precondition = writeCondition(headers)
    const { data, checksums } = await payload()
    const etag = `"${createHash('md5').update(data).digest('hex')}"`
    const meta = { key, size: data.length, etag, modified: now, headers: keptHeaders(headers), checksums }
    await store.put(bucket, meta, data, precondition)
    return { status: 200, headers: { etag, ...encryption, ...checksumHeaders(meta) } }
  },
}

/** PostObject: stores the file of a form that its policy allows. */
export const postObject: Operation = {
  action: 's3:PutObject',
  run: async context => ({ ...(await putObject.run(context)), status: 204 }),
}

/** DeleteObject: removes an object; that there is none is no error. */
export const deleteObject: Operation = {
  action: 's3:DeleteObject',
  run: async ({ request: { bucket, key, headers }, store }) => {
    const condition = ['if-match', 'if-none-match', 'x-amz-mfa'].find(name => headers[name] !== undefined)
    if (condition) throw notImplemented(condition)
    await store.remove(bucket, key)
    return { status: 204 }
  },
}

/** The query parameters that the operations understand. */
export const knownParameters: readonly string[] = overrides
