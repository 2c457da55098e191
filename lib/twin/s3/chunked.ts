import { S3Error } from './errors.ts'
import { type Signature, sameText, sha256Hex, signText } from './sigv4.ts'

/** What an aws-chunked body carried: the object's bytes and its trailing headers, names in lower case. */
export type Decoded = { data: Buffer; trailers: Map<string, string> }

type Line = { line: string; next: number }

const EMPTY_HASH = sha256Hex('')

/**
 * Takes the aws-chunked framing off a body. With `seed`, the request's own signature, each chunk and the trailer must
 * carry the signature that follows from the one before. Throws IncompleteBody, InvalidRequest or SignatureDoesNotMatch.
 */
export const decodeChunks = (body: Buffer, seed?: Signature): Decoded => {
  const chunks: Buffer[] = []
  let previous = seed?.signature ?? ''
  let position = 0
  for (;;) {
    const head = readLine(body, position)
    const [, size, , signature] = /^([0-9a-f]{1,8})(;chunk-signature=([0-9a-f]{64}))?$/i.exec(head.line) ?? []
    if (size === undefined) throw new S3Error('InvalidRequest', 'The chunk header is malformed')
    const end = head.next + Number.parseInt(size, 16)
    if (end > body.length) throw new S3Error('IncompleteBody', 'The request body terminated unexpectedly')
    const chunk = body.subarray(head.next, end)
    if (seed) previous = verifyChunk(seed, previous, chunk, signature ?? '')
    if (chunk.length === 0) return { data: Buffer.concat(chunks), trailers: readTrailers(body, end, previous, seed) }
    chunks.push(chunk)
    const { line, next } = readLine(body, end)
    if (line !== '') throw new S3Error('IncompleteBody', 'A chunk is longer than its header says')
    position = next
  }
}

const verifyChunk = (seed: Signature, previous: string, chunk: Buffer, given: string): string =>
  verifyLink(
    seed,
    ['AWS4-HMAC-SHA256-PAYLOAD', seed.date, seed.scope, previous, EMPTY_HASH, sha256Hex(chunk)].join('\n'),
    given,
  )

const verifyLink = (seed: Signature, stringToSign: string, given: string): string => {
  const expected = signText(seed.signingKey, stringToSign)
  if (sameText(expected, given)) return expected
  throw new S3Error('SignatureDoesNotMatch', 'The signature of a chunk does not match its content', {
    StringToSign: stringToSign,
  })
}

const readTrailers = (body: Buffer, start: number, previous: string, seed?: Signature): Map<string, string> => {
  const trailers = new Map<string, string>()
  const lines = body.toString('latin1', start).split(/\r?\n/)
  for (const line of lines.filter(text => text !== '')) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new S3Error('MalformedTrailerError', 'The request contained trailing data that is no header')
    trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const signature = trailers.get('x-amz-trailer-signature')
  trailers.delete('x-amz-trailer-signature')
  if (!seed || trailers.size === 0) return trailers
  const signed = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('')
  const stringToSign = ['AWS4-HMAC-SHA256-TRAILER', seed.date, seed.scope, previous, sha256Hex(signed)].join('\n')
  verifyLink(seed, stringToSign, signature ?? '')
  return trailers
}

const readLine = (body: Buffer, start: number): Line => {
  const end = body.indexOf('\r\n', start)
  if (end < 0) throw new S3Error('IncompleteBody', 'The request body terminated unexpectedly')
  return { line: body.toString('latin1', start, end), next: end + 2 }
}
