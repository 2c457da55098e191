import { createHash } from 'node:crypto'
import { isUnmodified, parseRange, writeCondition } from './conditions.ts'
import { S3Error } from './errors.ts'
import type { ObjectMeta, OpenObject } from './object-store.ts'
import type { Context, Operation, Reply } from './operation.ts'
import { type Headers, headerValue, type S3Request } from './request.ts'

const KEPT = ['content-type', 'cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires']
const OVERRIDES = KEPT.map(name => `response-${name}`)
const UNSUPPORTED =
  /^x-amz-(acl|grant-.*|tagging|copy-source.*|object-lock-.*|website-redirect-location|server-side-encryption-.*|write-offset-bytes)$/
const ENCRYPTION = { 'x-amz-server-side-encryption': 'AES256' }

/** PutObject: stores the body; conditions, checksums and metadata as S3, one object at most 100 MB. */
export const putObject: Operation = {
  action: 's3:PutObject',
  parameters: [],
  run: async context => {
    const { request, store, now } = context
    refuseUnsupported(request.headers)
    demandForMatch(context, request.headers['if-match'])
    const precondition = writeCondition(request.headers)
    const headers = keptHeaders(request.headers)
    const { data, checksums } = await context.payload()
    const etag = `"${createHash('md5').update(data).digest('hex')}"`
    const meta = { key: request.key, size: data.length, etag, modified: now, headers, checksums }
    await store.put(request.bucket, meta, data, precondition)
    return { status: 200, headers: { etag, ...ENCRYPTION, ...checksumHeaders(meta) } }
  },
}

/** GetObject: the whole object or one range, conditional, with the response headers the signed query asks for. */
export const getObject: Operation = {
  action: 's3:GetObject',
  parameters: OVERRIDES,
  run: async context => {
    const object = await findObject(context)
    try {
      const { reply, start, end } = describe(object.meta, context.request)
      if (reply.status === 304 || start > end) {
        await object.close()
        return reply
      }
      return { ...reply, body: object.stream(start, end) }
    } catch (error) {
      await object.close()
      throw error
    }
  },
}

/** HeadObject: what GetObject would answer, without the body. */
export const headObject: Operation = {
  action: 's3:GetObject',
  parameters: OVERRIDES,
  run: async context => {
    const object = await findObject(context)
    await object.close()
    return describe(object.meta, context.request).reply
  },
}

/** DeleteObject: 204 whether or not the object was there. */
export const deleteObject: Operation = {
  action: 's3:DeleteObject',
  parameters: [],
  run: async context => {
    const { bucket, key, headers } = context.request
    demandForMatch(context, headers['if-match'])
    await context.store.remove(bucket, key, writeCondition(headers))
    return { status: 204 }
  },
}

const findObject = async (context: Context): Promise<OpenObject> => {
  const { bucket, key } = context.request
  const object = await context.store.open(bucket, key)
  if (object) return object
  // Who may not list the bucket must not learn which keys are in it.
  context.demand('s3:ListBucket', '')
  throw new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: key })
}

const describe = (meta: ObjectMeta, request: S3Request): { reply: Reply; start: number; end: number } => {
  const { headers, query } = request
  const validators = { etag: meta.etag, 'last-modified': new Date(meta.modified).toUTCString() }
  const overrides = OVERRIDES.flatMap(name => {
    const value = query.get(name)
    return value === undefined ? [] : [[name.slice('response-'.length), headerValue(name, value)]]
  })
  if (isUnmodified(meta, headers)) return { reply: { status: 304, headers: validators }, start: 0, end: -1 }
  const range = parseRange(headers.range, meta.size)
  const { start, end } = range ?? { start: 0, end: meta.size - 1 }
  // A checksum covers the whole object: beside a part of it, clients would find it wrong.
  const checksums = range || headers['x-amz-checksum-mode'] !== 'ENABLED' ? {} : checksumHeaders(meta)
  const reply = {
    status: range ? 206 : 200,
    headers: {
      'content-type': 'binary/octet-stream',
      ...meta.headers,
      ...Object.fromEntries(overrides),
      ...validators,
      ...ENCRYPTION,
      ...checksums,
      ...(range && { 'content-range': `bytes ${start}-${end}/${meta.size}` }),
      'accept-ranges': 'bytes',
      'content-length': String(end - start + 1),
    },
  }
  return { reply, start, end }
}

const checksumHeaders = ({ checksums }: ObjectMeta): Headers =>
  Object.keys(checksums).length > 0 ? { ...checksums, 'x-amz-checksum-type': 'FULL_OBJECT' } : {}

const keptHeaders = (headers: Headers): Headers => {
  const kept = Object.entries(headers)
    .filter(([name]) => KEPT.includes(name) || name.startsWith('x-amz-meta-'))
    .map(([name, value]) => [name, headerValue(name, name === 'content-encoding' ? withoutFraming(value) : value)])
  return Object.fromEntries(kept.filter(([, value]) => value !== ''))
}

const withoutFraming = (encoding: string): string =>
  encoding
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '' && name.toLowerCase() !== 'aws-chunked')
    .join(',')

const refuseUnsupported = (headers: Headers): void => {
  const unsupported = Object.entries(headers).find(
    ([name, value]) =>
      UNSUPPORTED.test(name) ||
      (name === 'x-amz-server-side-encryption' && value !== 'AES256') ||
      (name === 'x-amz-storage-class' && value !== 'STANDARD'),
  )
  if (!unsupported) return
  throw new S3Error('NotImplemented', 'A header you provided implies functionality that is not implemented', {
    Header: unsupported[0],
  })
}

const demandForMatch = (context: Context, match: string | undefined): void => {
  // Comparing an ETag tells something about the object's content, so S3 wants the right to read it as well.
  if (match !== undefined && match.trim() !== '*') context.demand('s3:GetObject')
}
