import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { parse } from 'node:querystring'
import { SignatureV4 } from '@smithy/signature-v4'

/** The parts of an HTTP request a signature covers; a `node:http` IncomingMessage fits. */
export type SignedRequest = { method?: string | undefined; url?: string | undefined; headers: IncomingHttpHeaders }

export type SignatureCheck = {
  service: 'dynamodb' | 'events' | 's3' | 'lambda' | 'ssm'
  secretOf(accessKeyId: string): string | undefined
  /** Epoch milliseconds. */
  now: number
  /** The body, where the signature must cover it; without it, the hash counts that the request states itself. */
  body?: Buffer
}

export type Signature = { accessKeyId: string; region: string; presigned: boolean; ageMs: number }

export type SignatureFault =
  | 'unsigned'
  | 'malformed'
  | 'unknown-key'
  | 'skewed'
  | 'expired'
  | 'not-yet-valid'
  | 'unsigned-header'
  | 'mismatch'

/** A signature that does not hold; each service puts its own error code on the reason. */
export class SignatureRefused extends Error {
  readonly reason: SignatureFault

  constructor(reason: SignatureFault, message: string) {
    super(message)
    this.reason = reason
  }
}

const unknownKey = () =>
  new SignatureRefused('unknown-key', 'The AWS Access Key Id you provided does not exist in our records.')

const mismatch = () =>
  new SignatureRefused(
    'mismatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  )

type Claim = {
  accessKeyId: string
  region: string
  signedAt: number
  headers: string[]
  signature: string
  /** Seconds that a presigned URL is valid for. */
  expiresIn?: number
}

const maxSkewMs = 15 * 60 * 1000
const maxExpirySeconds = 7 * 24 * 60 * 60
const algorithm = 'AWS4-HMAC-SHA256'
const authorizationPattern =
  /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/

export const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/** SHA-256, or HMAC-SHA256 with a secret, in the shape the SDK's signer asks for. */
class Sha256 {
  readonly #hash
  constructor(secret?: unknown) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array)
  }
  update(data: unknown): void {
    this.#hash.update(data as Uint8Array)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {
    throw new Error('the signer makes a new hash each time')
  }
}

/** Splits a raw request target at its first question mark; the query is decoded, the path is not. */
export const splitTarget = (target: string): { path: string; query: Record<string, string | string[]> } => {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  return { path, query: parse(query, '&', '=', { maxKeys: 0 }) as Record<string, string | string[]> }
}

export const isPresigned = ({ url = '' }: SignedRequest): boolean =>
  /[?&]X-Amz-(Algorithm|Signature|Credential)=/.test(url)

const timeOf = (date: string): number => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** Reads `id/yyyymmdd/region/service/aws4_request` and the date beside it. Throws SignatureRefused. */
const readScope = (credential: string, date: string, service: string) => {
  const parts = credential.split('/')
  const [day, region = '', credentialService, terminator] = parts.slice(-4)
  const accessKeyId = parts.slice(0, -4).join('/')
  if (!accessKeyId || credentialService !== service || terminator !== 'aws4_request')
    throw new SignatureRefused('malformed', `The credential must end in "/date/region/${service}/aws4_request"`)
  const signedAt = timeOf(date)
  if (Number.isNaN(signedAt) || day !== date.slice(0, 8))
    throw new SignatureRefused('malformed', 'X-Amz-Date must be yyyymmddThhmmssZ, on the day of the credential')
  return { accessKeyId, region, signedAt }
}

const headerText = (headers: IncomingHttpHeaders, name: string): string => [headers[name] ?? ''].flat().join(',')

const readHeaderClaim = ({ headers }: SignedRequest, service: string): Claim => {
  if (headers.authorization === undefined) throw new SignatureRefused('unsigned', 'Access Denied')
  const [, credential, signed, signature] = authorizationPattern.exec(headers.authorization.trim()) ?? []
  if (!credential || !signed || !signature)
    throw new SignatureRefused('malformed', 'The authorization header is malformed')
  return { ...readScope(credential, headerText(headers, 'x-amz-date'), service), headers: signed.split(';'), signature }
}

const readQueryClaim = ({ url = '' }: SignedRequest, service: string): Claim => {
  const { query } = splitTarget(url)
  const parameter = (name: string) => [query[`X-Amz-${name}`] ?? ''].flat()[0] ?? ''
  if (parameter('Algorithm') !== algorithm)
    throw new SignatureRefused('malformed', `X-Amz-Algorithm only supports "${algorithm}"`)
  const missing = ['Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'].find(name => !parameter(name))
  if (missing) throw new SignatureRefused('malformed', `Query-string authentication requires X-Amz-${missing}`)
  const expiresIn = /^\d{1,9}$/.test(parameter('Expires')) ? Number(parameter('Expires')) : 0
  if (expiresIn < 1 || expiresIn > maxExpirySeconds)
    throw new SignatureRefused('malformed', 'X-Amz-Expires must be a number between 1 and 604800 seconds')
  const scope = readScope(parameter('Credential'), parameter('Date'), service)
  return { ...scope, headers: parameter('SignedHeaders').split(';'), signature: parameter('Signature'), expiresIn }
}

const checkTime = ({ signedAt, expiresIn }: Claim, now: number): void => {
  if (expiresIn === undefined) {
    if (Math.abs(now - signedAt) <= maxSkewMs) return
    throw new SignatureRefused('skewed', 'The difference between the request time and the current time is too large.')
  }
  if (signedAt - now > maxSkewMs) throw new SignatureRefused('not-yet-valid', 'Request is not yet valid')
  if (now > signedAt + expiresIn * 1000) throw new SignatureRefused('expired', 'Request has expired')
}

const hasUnsignedHeader = ({ headers }: SignedRequest, signed: readonly string[]): boolean =>
  ['host', ...Object.keys(headers).filter(name => name.startsWith('x-amz-'))].some(name => !signed.includes(name))

// The signer writes UNSIGNED-PAYLOAD for a body it cannot hash.
const unsignedBody = {}
const contentHash = 'x-amz-content-sha256'

/** Signs the request as its sender should have, with the SDK's own signer; returns the signature. */
const signAgain = async (request: SignedRequest, claim: Claim, check: SignatureCheck, secret: string) => {
  const { accessKeyId, region, signedAt, expiresIn } = claim
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey: secret },
    region,
    service: check.service,
    sha256: Sha256,
    applyChecksum: false,
    // S3 signs its path encoded once, every other service encodes the already encoded path again.
    uriEscapePath: check.service !== 's3',
  })
  const { path, query } = splitTarget(request.url ?? '/')
  const headers = Object.fromEntries(claim.headers.map(name => [name, headerText(request.headers, name).trim()]))
  if (check.body && headers[contentHash]) headers[contentHash] = sha256Hex(check.body)
  const body = check.body ?? unsignedBody
  const unsigned = { method: request.method ?? 'GET', protocol: 'http:', hostname: '', path, headers, body }
  const options = { signingDate: new Date(signedAt), signableHeaders: new Set(claim.headers) }
  if (expiresIn === undefined) {
    const { headers: signed } = await signer.sign({ ...unsigned, query: { ...query } }, options)
    return /Signature=(\w+)$/.exec(signed.authorization ?? '')?.[1] ?? ''
  }
  // These the signer adds itself. It looks for the hash of the body among the headers, and moves it into the query.
  const { 'X-Amz-Content-Sha256': hash, ...rest } = query
  for (const name of ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'])
    delete rest[`X-Amz-${name}`]
  const presigned = await signer.presign(
    { ...unsigned, headers: { ...headers, ...(hash && { 'X-Amz-Content-Sha256': String(hash) }) }, query: rest },
    { ...options, expiresIn, unhoistableHeaders: new Set(claim.headers) },
  )
  return String(presigned.query?.['X-Amz-Signature'])
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Checks a request's signature, Signature Version 4: in the Authorization header, with clocks at most 15 minutes
 * apart, or in the query of a presigned URL, valid for 1 to 604800 seconds. Rejects with SignatureRefused.
 */
export const verifySignature = async (request: SignedRequest, check: SignatureCheck): Promise<Signature> => {
  const presigned = isPresigned(request)
  const claim = presigned ? readQueryClaim(request, check.service) : readHeaderClaim(request, check.service)
  const { accessKeyId, region, signedAt } = claim
  const secret = check.secretOf(accessKeyId)
  if (secret === undefined) throw unknownKey()
  checkTime(claim, check.now)
  if (hasUnsignedHeader(request, claim.headers))
    throw new SignatureRefused('unsigned-header', 'There were headers present in the request which were not signed')
  if (!isSame(await signAgain(request, claim, check, secret), claim.signature)) throw mismatch()
  return { accessKeyId, region, presigned, ageMs: Math.max(0, check.now - signedAt) }
}

/** A text with a signature of its own, as the policy of a form: its credential and date, and the signature in hex. */
export type SignedText = { text: string; credential: string; date: string; signature: string }

/** Checks the signature of a text, whatever its age. Rejects with SignatureRefused. */
export const verifyText = async (
  { text, credential, date, signature }: SignedText,
  { service, secretOf, now }: SignatureCheck,
): Promise<Signature> => {
  const { accessKeyId, region, signedAt } = readScope(credential, date, service)
  const secretAccessKey = secretOf(accessKeyId)
  if (secretAccessKey === undefined) throw unknownKey()
  const signer = new SignatureV4({ credentials: { accessKeyId, secretAccessKey }, region, service, sha256: Sha256 })
  if (!isSame(await signer.sign(text, { signingDate: new Date(signedAt) }), signature)) throw mismatch()
  return { accessKeyId, region, presigned: true, ageMs: Math.max(0, now - signedAt) }
}
