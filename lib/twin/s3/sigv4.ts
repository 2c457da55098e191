import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { queryPairs, splitTarget, uriEncode, uriEncodePath } from './uri.ts'

/** The parts of an HTTP request a signature covers; a `node:http` IncomingMessage fits. */
export type SignableRequest = { method?: string | undefined; url?: string | undefined; headers: IncomingHttpHeaders }

/** How one service checks signatures; `now` is epoch milliseconds, `payloadHash` what stands in the canonical request. */
export type SignatureCheck = {
  service: string
  secretOf(accessKeyId: string): string | undefined
  now: number
  payloadHash: string
}

/** A signature that holds; `signingKey`, `scope`, `date` and `signature` continue the chain for signed chunks. */
export type Signature = {
  principal: string
  presigned: boolean
  ageMs: number
  date: string
  scope: string
  signature: string
  signingKey: Buffer
}

/** Why a signature does not hold; each service puts its own error code on it. */
export type Refusal = {
  reason:
    | 'unsigned'
    | 'malformed'
    | 'unknown-key'
    | 'skewed'
    | 'expired'
    | 'not-yet-valid'
    | 'unsigned-header'
    | 'mismatch'
  message: string
  canonicalRequest?: string
  stringToSign?: string
}

/** The outcome of a signature check. */
export type Verdict = { ok: true; signature: Signature } | ({ ok: false } & Refusal)

type Claim = { presigned: boolean; credential: string; signedHeaders: string[]; signature: string; date: string }

const MAX_SKEW_MS = 15 * 60 * 1000
const MAX_EXPIRES_SECONDS = 7 * 24 * 60 * 60
const ALGORITHM = 'AWS4-HMAC-SHA256'
const AUTHORIZATION = /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/

/** The SHA-256 of data as lower case hex. */
export const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/** Whether two texts are equal, in a time that does not tell where they differ. */
export const sameText = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The HMAC-SHA256 of a string to sign as lower case hex. */
export const signText = (signingKey: Buffer, text: string): string =>
  createHmac('sha256', signingKey).update(text).digest('hex')

/** The SigV4 key of one secret for a scope `yyyymmdd/region/service/aws4_request`. */
export const signingKeyOf = (secret: string, scope: string): Buffer =>
  scope
    .split('/')
    .reduce<Buffer>((key, part) => createHmac('sha256', key).update(part).digest(), Buffer.from(`AWS4${secret}`))

/** Whether the request carries its signature in the query string. */
export const isPresigned = (request: SignableRequest): boolean =>
  /[?&]X-Amz-(Algorithm|Signature|Credential)=/.test(request.url ?? '')

/** Checks the Authorization header (SigV4, clocks at most 15 minutes apart); never throws. */
export const verifyHeaderSignature = (request: SignableRequest, check: SignatureCheck): Verdict => {
  const authorization = request.headers.authorization
  if (authorization === undefined) return refuse('unsigned', 'Access Denied')
  const [, credential, signedHeaders, signature] = AUTHORIZATION.exec(authorization.trim()) ?? []
  if (!credential || !signedHeaders || !signature) return refuse('malformed', 'The authorization header is malformed')
  const date = headerText(request.headers, 'x-amz-date')
  const claim = { presigned: false, credential, signedHeaders: signedHeaders.split(';'), signature, date }
  return verifyClaim(request, claim, check, signedAt => {
    if (Math.abs(check.now - signedAt) <= MAX_SKEW_MS) return undefined
    return refuse('skewed', 'The difference between the request time and the current time is too large.')
  })
}

/** Checks a presigned URL (SigV4 in the query, valid for 1 to 604800 seconds); never throws. */
export const verifyQuerySignature = (request: SignableRequest, check: SignatureCheck): Verdict => {
  const query = safeQuery(request)
  if (!query) return refuse('malformed', "Couldn't parse the specified URI.")
  const parameters = new Map(query)
  const [credential, signature, date] = ['Credential', 'Signature', 'Date'].map(name => parameters.get(`X-Amz-${name}`))
  const signedHeaders = parameters.get('X-Amz-SignedHeaders')
  const expires = parameters.get('X-Amz-Expires')
  if (parameters.get('X-Amz-Algorithm') !== ALGORITHM) {
    return refuse('malformed', `X-Amz-Algorithm only supports "${ALGORITHM}"`)
  }
  if (!credential || !signature || !date || !signedHeaders || !expires) {
    return refuse(
      'malformed',
      'Query-string authentication requires X-Amz-Algorithm, -Credential, -Signature, -Date, ' +
        '-SignedHeaders and -Expires',
    )
  }
  if (!/^\d{1,9}$/.test(expires)) return refuse('malformed', 'X-Amz-Expires should be a number')
  const seconds = Number(expires)
  if (seconds < 1 || seconds > MAX_EXPIRES_SECONDS) {
    return refuse('malformed', 'X-Amz-Expires must be between 1 and 604800 seconds')
  }
  const claim = { presigned: true, credential, signedHeaders: signedHeaders.split(';'), signature, date }
  return verifyClaim(request, claim, check, signedAt => {
    if (signedAt - check.now > MAX_SKEW_MS) return refuse('not-yet-valid', 'Request is not yet valid')
    return check.now > signedAt + seconds * 1000 ? refuse('expired', 'Request has expired') : undefined
  })
}

const verifyClaim = (
  request: SignableRequest,
  claim: Claim,
  check: SignatureCheck,
  refuseTime: (signedAt: number) => Verdict | undefined,
): Verdict => {
  const [principal, scope] = splitCredential(claim.credential)
  const [day, , service, terminator] = scope.split('/')
  const signedAt = parseDate(claim.date)
  const query = safeQuery(request)
  if (!principal || service !== check.service || terminator !== 'aws4_request') {
    return refuse('malformed', `The credential must end in "/date/region/${check.service}/aws4_request"`)
  }
  if (signedAt === undefined || day !== claim.date.slice(0, 8)) {
    return refuse('malformed', 'The request needs X-Amz-Date as yyyymmddThhmmssZ, on the day of its credential')
  }
  const path = safePath(request)
  if (path === undefined || !query) return refuse('malformed', "Couldn't parse the specified URI.")
  const secret = check.secretOf(principal)
  if (secret === undefined) {
    return refuse('unknown-key', 'The AWS Access Key Id you provided does not exist in our records.')
  }
  const outOfTime = refuseTime(signedAt)
  if (outOfTime) return outOfTime
  if (unsignedHeaders(request.headers, claim.signedHeaders).length > 0) {
    return refuse('unsigned-header', 'There were headers present in the request which were not signed')
  }
  const canonicalRequest = canonicalRequestOf(request, claim, check, path, query)
  const stringToSign = [ALGORITHM, claim.date, scope, sha256Hex(canonicalRequest)].join('\n')
  const signingKey = signingKeyOf(secret, scope)
  if (!sameText(signText(signingKey, stringToSign), claim.signature)) {
    const message =
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.'
    return { ...refuse('mismatch', message), canonicalRequest, stringToSign }
  }
  const { presigned, date, signature } = claim
  const ageMs = Math.max(0, check.now - signedAt)
  return { ok: true, signature: { principal, presigned, ageMs, date, scope, signature, signingKey } }
}

const canonicalRequestOf = (
  request: SignableRequest,
  { signedHeaders }: Claim,
  { service, payloadHash }: SignatureCheck,
  path: string,
  query: [string, string][],
): string =>
  [
    request.method ?? 'GET',
    // S3 signs its path encoded once, every other service encodes the already encoded path again.
    service === 's3' ? uriEncodePath(path) : uriEncodePath(uriEncodePath(path)),
    canonicalQuery(query),
    ...signedHeaders.map(name => `${name}:${headerText(request.headers, name)}`),
    '',
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n')

const refuse = (reason: Refusal['reason'], message: string): { ok: false } & Refusal => ({ ok: false, reason, message })

const splitCredential = (credential: string): [string, string] => {
  const parts = credential.split('/')
  return [parts.slice(0, -4).join('/'), parts.slice(-4).join('/')]
}

const parseDate = (date: string): number | undefined => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}

const unsignedHeaders = (headers: IncomingHttpHeaders, signed: string[]): string[] =>
  ['host', ...Object.keys(headers).filter(name => name.startsWith('x-amz-'))].filter(name => !signed.includes(name))

const headerText = (headers: IncomingHttpHeaders, name: string): string =>
  [headers[name] ?? ''].flat().join(',').trim().replace(/\s+/g, ' ')

const safeQuery = (request: SignableRequest): [string, string][] | undefined => {
  try {
    return queryPairs(splitTarget(request.url ?? '/').query)
  } catch {
    return undefined
  }
}

const safePath = (request: SignableRequest): string | undefined => {
  try {
    return decodeURIComponent(splitTarget(request.url ?? '/').path)
  } catch {
    return undefined
  }
}

const canonicalQuery = (query: [string, string][]): string =>
  query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(pair => pair.join('='))
    .join('&')

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
