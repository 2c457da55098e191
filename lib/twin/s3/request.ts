import { type IncomingMessage, validateHeaderValue } from 'node:http'
import {
  isPresigned,
  type Signature,
  type SignatureFault,
  SignatureRefused,
  splitTarget,
  verifySignature,
} from '../iam/signature.ts'
import { S3Error, type S3ErrorCode } from './errors.ts'

export type Headers = Record<string, string>

/** A request whose signature holds; `key` is decoded and empty for a call on the bucket. */
export type S3Request = {
  method: string
  bucket: string
  key: string
  /** Without the parameters that carry a signature. */
  query: Map<string, string>
  headers: Headers
  signature: Signature
}

const maxKeyBytes = 1024

const codes: Record<SignatureFault, S3ErrorCode> = {
  unsigned: 'AccessDenied',
  malformed: 'AuthorizationHeaderMalformed',
  'unknown-key': 'InvalidAccessKeyId',
  skewed: 'RequestTimeTooSkewed',
  expired: 'AccessDenied',
  'not-yet-valid': 'AccessDenied',
  'unsigned-header': 'AccessDenied',
  mismatch: 'SignatureDoesNotMatch',
}

const signingParameter =
  /^x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256)$/i

const isAmz = (name: string): boolean => name.toLowerCase().startsWith('x-amz-')

/** The S3Error of a signature that does not hold; any other error as it is. */
export const signatureRefusal = (error: unknown, presigned: boolean): unknown => {
  if (!(error instanceof SignatureRefused)) return error
  const { reason, message } = error
  return new S3Error(reason === 'malformed' && presigned ? 'AuthorizationQueryParametersError' : codes[reason], message)
}

/** The bucket and the key in a path. Throws InvalidURI or KeyTooLongError. */
export const placeOf = (path: string): { bucket: string; key: string } => {
  let decoded = ''
  try {
    decoded = decodeURIComponent(path)
  } catch {
    throw new S3Error('InvalidURI', "Couldn't parse the specified URI.")
  }
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decoded) ?? []
  if (Buffer.byteLength(key) > maxKeyBytes) throw new S3Error('KeyTooLongError', 'Your key is too long')
  return { bucket, key }
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

/** The headers of a request, each with one value. */
export const headersOf = (incoming: IncomingMessage): Headers =>
  Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(',')]))

/** Reads a path-style request and checks its signature; rejects with S3Error. `now` is epoch milliseconds. */
export const readRequest = async (
  incoming: IncomingMessage,
  secretOf: (accessKeyId: string) => string | undefined,
  now: number,
): Promise<S3Request> => {
  const { path, query } = splitTarget(incoming.url ?? '')
  const place = placeOf(path)
  const presigned = isPresigned(incoming)
  const headers = headersOf(incoming)
  if (presigned && headers.authorization !== undefined)
    throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed')
  const signature = await verifySignature(incoming, { service: 's3', secretOf, now }).catch(error => {
    throw signatureRefusal(error, presigned)
  })
  if (!presigned && headers['x-amz-content-sha256'] === undefined)
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
  const parameters = Object.entries(query)
    .filter(([name]) => name !== 'x-id' && !signingParameter.test(name))
    .map(([name, value]): [string, string] => [name, [value].flat()[0] ?? ''])
  // The signer of a URL moves such headers into its query.
  const hoisted = presigned ? parameters.filter(([name]) => isAmz(name)) : []
  return {
    method: incoming.method ?? 'GET',
    ...place,
    query: new Map(parameters.filter(([name]) => !presigned || !isAmz(name))),
    headers: { ...Object.fromEntries(hoisted.map(([name, value]) => [name.toLowerCase(), value])), ...headers },
    signature,
  }
}
