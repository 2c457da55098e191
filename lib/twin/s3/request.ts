import { type IncomingMessage, validateHeaderValue } from 'node:http'
import { S3Error, type S3ErrorCode } from './errors.ts'
import { isPresigned, type Refusal, type Signature, verifyHeaderSignature, verifyQuerySignature } from './sigv4.ts'
import { queryPairs, splitTarget } from './uri.ts'

/** Header values by lower case name. */
export type Headers = Record<string, string>

/** A request whose signature holds; `key` is decoded, `headers` include those a presigned URL carries in its query. */
export type S3Request = {
  method: string
  bucket: string
  key: string
  query: Map<string, string>
  headers: Headers
  signature: Signature
  payloadHash: string
}

const MAX_KEY_BYTES = 1024
const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'
const SIGNING_PARAMETER =
  /^x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256)$/

const CODES: Record<Refusal['reason'], S3ErrorCode> = {
  unsigned: 'AccessDenied',
  malformed: 'AuthorizationHeaderMalformed',
  'unknown-key': 'InvalidAccessKeyId',
  skewed: 'RequestTimeTooSkewed',
  expired: 'AccessDenied',
  'not-yet-valid': 'AccessDenied',
  'unsigned-header': 'AccessDenied',
  mismatch: 'SignatureDoesNotMatch',
}

/** Reads a path-style request and checks its signature; throws S3Error. `now` is epoch milliseconds. */
export const readRequest = (
  incoming: IncomingMessage,
  secretOf: (accessKeyId: string) => string | undefined,
  now: number,
): S3Request => {
  const { bucket, key, query } = parseTarget(incoming.url ?? '')
  const presigned = isPresigned(incoming)
  const own = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(',')]),
  )
  if (presigned && own.authorization !== undefined) {
    throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed')
  }
  const payloadHash = (presigned && query.get('X-Amz-Content-Sha256')) || own['x-amz-content-sha256']
  const check = { service: 's3', secretOf, now, payloadHash: payloadHash ?? UNSIGNED_PAYLOAD }
  const verdict = presigned ? verifyQuerySignature(incoming, check) : verifyHeaderSignature(incoming, check)
  if (!verdict.ok) throw refusalError(verdict, presigned)
  if (!presigned && payloadHash === undefined) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
  }
  return {
    method: incoming.method ?? 'GET',
    bucket,
    key,
    query: new Map([...query].filter(([name]) => name !== 'x-id' && !(presigned && isAmz(name)))),
    headers: presigned ? { ...hoisted(query), ...own } : own,
    signature: verdict.signature,
    payloadHash: check.payloadHash,
  }
}

/** The value, if HTTP can carry it in a header; throws InvalidArgument naming the argument if not. */
export const headerValue = (name: string, value: string): string => {
  try {
    validateHeaderValue(name, value)
    return value
  } catch {
    throw new S3Error('InvalidArgument', 'Header value cannot be represented using ISO-8859-1.', { ArgumentName: name })
  }
}

const isAmz = (name: string): boolean => name.toLowerCase().startsWith('x-amz-')

const hoisted = (query: Map<string, string>): Headers =>
  Object.fromEntries(
    [...query]
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => isAmz(name) && !SIGNING_PARAMETER.test(name)),
  )

const parseTarget = (target: string): { bucket: string; key: string; query: Map<string, string> } => {
  const { path, query } = splitTarget(target)
  try {
    const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(path)) ?? invalidUri()
    if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError', 'Your key is too long')
    return { bucket, key, query: new Map(queryPairs(query).reverse()) }
  } catch (error) {
    throw error instanceof S3Error ? error : invalidUri()
  }
}

const invalidUri = (): never => {
  throw new S3Error('InvalidURI', "Couldn't parse the specified URI.")
}

const refusalError = (refusal: Refusal, presigned: boolean): S3Error => {
  const code = refusal.reason === 'malformed' && presigned ? 'AuthorizationQueryParametersError' : CODES[refusal.reason]
  const details: Record<string, string> = {}
  if (refusal.stringToSign) details.StringToSign = refusal.stringToSign
  if (refusal.canonicalRequest) details.CanonicalRequest = refusal.canonicalRequest
  return new S3Error(code, refusal.message, details)
}
