import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { CHECKSUMS } from './checksums.ts'
import { type Decoded, decodeChunks } from './chunked.ts'
import { S3Error } from './errors.ts'
import type { Headers, S3Request } from './request.ts'
import { sha256Hex } from './sigv4.ts'

/** A body that is what its sender says: `checksums` holds the verified checksum, header name to base64 value. */
export type Payload = { data: Buffer; checksums: Headers }

/** The largest object the stand-in takes, in bytes. */
export const MAX_OBJECT_BYTES = 100 * 1024 * 1024

const STREAMING = /^STREAMING-(UNSIGNED-PAYLOAD-TRAILER|AWS4-HMAC-SHA256-PAYLOAD(-TRAILER)?)$/
const NO_CHECKSUM_VALUE = new Set(['x-amz-checksum-algorithm', 'x-amz-checksum-mode', 'x-amz-checksum-type'])

/** Reads the whole body, takes aws-chunked framing off and verifies hash, MD5 and checksums; throws S3Error. */
export const readPayload = async (incoming: IncomingMessage, request: S3Request): Promise<Payload> => {
  const { headers, payloadHash } = request
  const streaming = STREAMING.test(payloadHash)
  if (!streaming && payloadHash !== 'UNSIGNED-PAYLOAD' && !/^[0-9a-f]{64}$/.test(payloadHash)) {
    throw new S3Error('InvalidArgument', 'x-amz-content-sha256 is none of the values S3 knows')
  }
  const announced = announcedLength(headers, streaming)
  const raw = await readBody(incoming, streaming ? 2 * MAX_OBJECT_BYTES : MAX_OBJECT_BYTES)
  const { data, trailers } = streaming ? unframe(raw, request, announced) : { data: raw, trailers: new Map() }
  if (!streaming && payloadHash !== 'UNSIGNED-PAYLOAD' && sha256Hex(data) !== payloadHash) {
    throw new S3Error('XAmzContentSHA256Mismatch', "The provided 'x-amz-content-sha256' header does not match the body")
  }
  verifyMd5(headers['content-md5'], data)
  return { data, checksums: verifiedChecksums({ ...headers, ...Object.fromEntries(trailers) }, data) }
}

const announcedLength = (headers: Headers, streaming: boolean): number => {
  const length = headers[streaming ? 'x-amz-decoded-content-length' : 'content-length']
  if (length === undefined || !/^\d+$/.test(length)) {
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.')
  }
  if (Number(length) > MAX_OBJECT_BYTES) throw tooLarge()
  return Number(length)
}

const tooLarge = (): S3Error =>
  new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed object size.', {
    MaxSizeAllowed: String(MAX_OBJECT_BYTES),
  })

const readBody = async (incoming: IncomingMessage, limit: number): Promise<Buffer> => {
  const parts: Buffer[] = []
  let size = 0
  // The request must outlive a refusal, or the client would see a broken connection in place of the answer.
  for await (const part of incoming.iterator({ destroyOnReturn: false })) {
    size += part.length
    if (size > limit) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const unframe = (raw: Buffer, { headers, payloadHash, signature }: S3Request, announced: number): Decoded => {
  const decoded = decodeChunks(raw, payloadHash.includes('UNSIGNED') ? undefined : signature)
  if (decoded.data.length !== announced) {
    throw new S3Error('IncompleteBody', 'The body is not as long as x-amz-decoded-content-length says')
  }
  const promised = (headers['x-amz-trailer'] ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
  if (promised.some(name => name !== '' && !decoded.trailers.has(name))) {
    throw new S3Error('MalformedTrailerError', 'The request lacks a trailing header that x-amz-trailer promises')
  }
  return decoded
}

const verifyMd5 = (given: string | undefined, data: Buffer): void => {
  if (given === undefined) return
  if (Buffer.from(given, 'base64').length !== 16) {
    throw new S3Error('InvalidDigest', 'The Content-MD5 you specified was invalid.')
  }
  if (createHash('md5').update(data).digest('base64') !== given) {
    throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.')
  }
}

const verifiedChecksums = (headers: Headers, data: Buffer): Headers => {
  const given = Object.entries(headers).filter(
    ([name]) => name.startsWith('x-amz-checksum-') && !NO_CHECKSUM_VALUE.has(name),
  )
  if (given.length > 1) throw new S3Error('InvalidRequest', 'Expecting a single x-amz-checksum- header')
  if (given.length === 0 && headers['x-amz-sdk-checksum-algorithm'] !== undefined) {
    throw new S3Error(
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm specified, but no corresponding checksum was found.',
    )
  }
  for (const [name, value] of given) {
    const compute = CHECKSUMS[name]
    if (!compute) throw new S3Error('NotImplemented', 'The stand-in cannot verify this checksum', { Header: name })
    if (compute(data) !== value)
      throw new S3Error('BadDigest', `The ${name} you specified did not match what we received.`)
  }
  return Object.fromEntries(given)
}
