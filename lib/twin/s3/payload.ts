import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { sha256Hex } from '../iam/signature.ts'
import { notImplemented, S3Error } from './errors.ts'
import type { Headers, S3Request } from './request.ts'

/** A body that is what its sender says: `checksums` holds the verified checksum, header name to base64 value. */
export type Payload = { data: Buffer; checksums: Headers }

const maxObjectBytes = 100 * 1024 * 1024

// How the SDK sends a stream: in chunks, its checksum after them.
const streamed = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'
const checksumHeader = 'x-amz-checksum-crc32'

const tooLarge = (): S3Error =>
  new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed object size.', {
    MaxSizeAllowed: String(maxObjectBytes),
  })

const announcedBytes = (headers: Headers, isStreamed: boolean): number => {
  const length = headers[isStreamed ? 'x-amz-decoded-content-length' : 'content-length']
  if (length === undefined || !/^\d+$/.test(length))
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.')
  if (Number(length) > maxObjectBytes) throw tooLarge()
  return Number(length)
}

const readBody = async (incoming: IncomingMessage, limit: number): Promise<Buffer> => {
  const parts: Buffer[] = []
  let size = 0
  // The request must outlive a refusal, or the client would see a broken connection in place of the response.
  for await (const part of incoming.iterator({ destroyOnReturn: false })) {
    size += part.length
    if (size > limit) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Reads a body of an announced length that is no larger than an object may be. Rejects with S3Error. */
export const readAnnounced = async (incoming: IncomingMessage, headers: Headers): Promise<Buffer> => {
  announcedBytes(headers, false)
  return readBody(incoming, maxObjectBytes)
}

const readLine = (body: Buffer, start: number): { line: string; next: number } => {
  const end = body.indexOf('\r\n', start)
  if (end < 0) throw new S3Error('IncompleteBody', 'The request body terminated unexpectedly')
  return { line: body.toString('latin1', start, end), next: end + 2 }
}

const readTrailers = (text: string): Headers =>
  Object.fromEntries(
    text
      .split(/\r?\n/)
      .filter(line => line !== '')
      .map(line => {
        const [, name, value = ''] = /^([^:]+):(.*)$/.exec(line) ?? []
        if (!name) throw new S3Error('MalformedTrailerError', 'The request contained trailing data that is no header')
        return [name.trim().toLowerCase(), value.trim()]
      }),
  )

/** Takes the aws-chunked framing off a body; throws IncompleteBody, InvalidRequest or MalformedTrailerError. */
export const decodeChunks = (body: Buffer): { data: Buffer; trailers: Headers } => {
  const chunks: Buffer[] = []
  let position = 0
  for (;;) {
    const head = readLine(body, position)
    if (!/^[0-9a-f]{1,8}$/i.test(head.line)) throw new S3Error('InvalidRequest', 'The chunk header is malformed')
    const end = head.next + Number.parseInt(head.line, 16)
    if (end > body.length) throw new S3Error('IncompleteBody', 'The request body terminated unexpectedly')
    if (end === head.next) return { data: Buffer.concat(chunks), trailers: readTrailers(body.toString('latin1', end)) }
    chunks.push(body.subarray(head.next, end))
    const { line, next } = readLine(body, end)
    if (line !== '') throw new S3Error('IncompleteBody', 'A chunk is longer than its header says')
    position = next
  }
}

const unframe = (raw: Buffer, headers: Headers, announced: number): { data: Buffer; trailers: Headers } => {
  const { data, trailers } = decodeChunks(raw)
  if (data.length !== announced)
    throw new S3Error('IncompleteBody', 'The body is not as long as x-amz-decoded-content-length says')
  const promised = headers['x-amz-trailer']?.toLowerCase()
  if (promised && trailers[promised] === undefined)
    throw new S3Error('MalformedTrailerError', 'The request lacks a trailing header that x-amz-trailer promises')
  return { data, trailers }
}

const crc32Of = (data: Buffer): string => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(data))
  return bytes.toString('base64')
}

const verifiedChecksums = (headers: Headers, data: Buffer): Headers => {
  const given = headers[checksumHeader]
  if (given === undefined) {
    if (headers['x-amz-sdk-checksum-algorithm'] === undefined) return {}
    throw new S3Error('InvalidRequest', 'x-amz-sdk-checksum-algorithm specified, but no checksum was found.')
  }
  if (crc32Of(data) !== given)
    throw new S3Error('BadDigest', `The ${checksumHeader} you specified did not match what we received.`)
  return { [checksumHeader]: given }
}

/** Reads the whole body, takes aws-chunked framing off and verifies its hash and checksum; rejects with S3Error. */
export const readPayload = async (incoming: IncomingMessage, { headers }: S3Request): Promise<Payload> => {
  const hash = headers['x-amz-content-sha256'] ?? ''
  const isStreamed = hash === streamed
  if (!isStreamed && !/^[0-9a-f]{64}$/.test(hash)) throw notImplemented('x-amz-content-sha256')
  const announced = announcedBytes(headers, isStreamed)
  const raw = await readBody(incoming, isStreamed ? 2 * maxObjectBytes : maxObjectBytes)
  if (!isStreamed && sha256Hex(raw) !== hash)
    throw new S3Error('XAmzContentSHA256Mismatch', "The provided 'x-amz-content-sha256' header does not match the body")
  const { data, trailers } = isStreamed ? unframe(raw, headers, announced) : { data: raw, trailers: {} }
  return { data, checksums: verifiedChecksums({ ...headers, ...trailers }, data) }
}
