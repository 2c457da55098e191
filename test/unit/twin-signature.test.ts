import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { type SignatureCheck, type SignedRequest, verifySignature } from '../../lib/twin/iam/signature.ts'
import { decodeChunks } from '../../lib/twin/s3/payload.ts'

// The access key, requests and signatures of the worked examples in Amazon's S3 API reference.
const id = 'AKIAIOSFODNN7EXAMPLE'
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const date = '20130524T000000Z'
const scope = '20130524/us-east-1/s3/aws4_request'
const signedAt = Date.parse('2013-05-24T00:00:00Z')
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const minute = 60_000

const secretOf = (accessKeyId: string) => (accessKeyId === id ? secret : undefined)
const checkAt = (now: number): SignatureCheck => ({ service: 's3', secretOf, now })

/** Why a request is refused, or `ok`. */
const reasonOf = (request: SignedRequest, check: SignatureCheck): Promise<string> =>
  verifySignature(request, check).then(
    () => 'ok',
    error => error.reason,
  )

const rangedGet = (changes: Record<string, string> = {}): SignedRequest => ({
  method: 'GET',
  url: '/test.txt',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': emptyHash,
    'x-amz-date': date,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${id}/${scope},SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,` +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ...changes,
  },
})

const presignedGet = (expires = '86400'): SignedRequest => ({
  method: 'GET',
  url:
    `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(`${id}/${scope}`)}` +
    `&X-Amz-Date=${date}&X-Amz-Expires=${expires}&X-Amz-SignedHeaders=host` +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host: 'examplebucket.s3.amazonaws.com' },
})

describe('a signature in the Authorization header', () => {
  test('is valid for the example of the S3 reference', async () => {
    const signature = await verifySignature(rangedGet(), checkAt(signedAt + 5 * minute))
    expect(signature).toEqual({ accessKeyId: id, region: 'us-east-1', presigned: false, ageMs: 5 * minute })
  })

  test('is valid up to 15 minutes of clock difference in either direction and no longer', async () => {
    const reasonAt = (minutes: number) => reasonOf(rangedGet(), checkAt(signedAt + minutes * minute))
    expect(await Promise.all([-15, -16, 15, 16].map(reasonAt))).toEqual(['ok', 'skewed', 'ok', 'skewed'])
  })

  test('is invalid if a signed header, the method, the path, the query or the hash of the body changes', async () => {
    const changed: SignedRequest[] = [
      rangedGet({ range: 'bytes=0-10' }),
      { ...rangedGet(), method: 'PUT' },
      { ...rangedGet(), url: '/test.tx' },
      { ...rangedGet(), url: '/test.txt?versionId=1' },
      rangedGet({ 'x-amz-content-sha256': emptyHash.replace('e', 'f') }),
    ]
    const reasons = await Promise.all(changed.map(request => reasonOf(request, checkAt(signedAt))))
    expect(reasons).toEqual(changed.map(() => 'mismatch'))
  })

  test('is invalid with another secret', async () => {
    const check = { ...checkAt(signedAt), secretOf: () => secret.toLowerCase() }
    expect(await reasonOf(rangedGet(), check)).toBe('mismatch')
  })

  test('must cover the host and every x-amz header', async () => {
    expect(await reasonOf(rangedGet({ 'x-amz-meta-added': 'later' }), checkAt(signedAt))).toBe('unsigned-header')
    const authorization = String(rangedGet().headers.authorization).replace('=host;', '=')
    expect(await reasonOf(rangedGet({ authorization }), checkAt(signedAt))).toBe('unsigned-header')
  })

  test('is for one service only', async () => {
    expect(await reasonOf(rangedGet(), { ...checkAt(signedAt), service: 'dynamodb' })).toBe('malformed')
  })

  test('is refused with its own reason if it is missing, malformed or of an unknown key', async () => {
    const { authorization, ...unsigned } = rangedGet().headers
    const requests = [
      { ...rangedGet(), headers: unsigned },
      rangedGet({ authorization: 'Bearer token' }),
      rangedGet({ authorization: String(authorization).replace(id, 'AKIASOMEBODY') }),
      rangedGet({ 'x-amz-date': '20130525T000000Z' }),
    ]
    const reasons = await Promise.all(requests.map(request => reasonOf(request, checkAt(signedAt))))
    expect(reasons).toEqual(['unsigned', 'malformed', 'unknown-key', 'malformed'])
  })

  test('is refused with a reason, for any request', async () => {
    const text = fc.string({ unit: 'binary' })
    const headers = fc.record({ authorization: text, host: text, 'x-amz-date': text })
    const query = fc.constantFrom('', '?X-Amz-Algorithm=AWS4-HMAC-SHA256&', '?X-Amz-Signature=')
    await fc.assert(
      fc.asyncProperty(text, query, text, headers, async (path, start, rest, given) => {
        const request = { method: 'GET', url: `/${path}${start}${rest}`, headers: given }
        expect(await reasonOf(request, checkAt(signedAt))).toMatch(/^(malformed|unknown-key|mismatch)$/)
      }),
      { numRuns: 200 },
    )
  })

  test('of the DynamoDB client is valid for its body and no other', async () => {
    const seen: { request: SignedRequest; body: Uint8Array }[] = []
    const client = new DynamoDBClient({
      region: 'eu-central-1',
      credentials: { accessKeyId: id, secretAccessKey: secret },
      maxAttempts: 1,
      requestHandler: {
        handle: async (sent: { method: string; path: string; headers: Record<string, string>; body: Uint8Array }) => {
          const headers = Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value])
          const request = { method: sent.method, url: sent.path, headers: Object.fromEntries(headers) }
          seen.push({ request, body: sent.body })
          throw new Error('nothing is sent in this test')
        },
      },
    })
    await client.send(new ListTablesCommand({})).catch(() => {})
    const [first] = seen
    if (!first) throw new Error('the client signed nothing')
    const reasonFor = (body: Uint8Array) =>
      reasonOf(first.request, { service: 'dynamodb', secretOf, now: Date.now(), body: Buffer.from(body) })
    expect(await reasonFor(first.body)).toBe('ok')
    expect(await reasonFor(Uint8Array.of(...first.body, 32))).toBe('mismatch')
    expect(await reasonFor(new Uint8Array())).toBe('mismatch')
  })
})

describe('a presigned URL', () => {
  const reasonAt = (request: SignedRequest, now: number) => reasonOf(request, checkAt(now))

  test('is valid for the example of the S3 reference until it expires', async () => {
    const day = 24 * 60 * minute
    expect(await reasonAt(presignedGet(), signedAt)).toBe('ok')
    expect(await reasonAt(presignedGet(), signedAt + day)).toBe('ok')
    expect(await reasonAt(presignedGet(), signedAt + day + 1)).toBe('expired')
  })

  test('is not valid before its time', async () => {
    expect(await reasonAt(presignedGet(), signedAt - 16 * minute)).toBe('not-yet-valid')
  })

  test('is valid for one second to seven days', async () => {
    const expiries = ['0', '604801', '-1', '1.5', 'x']
    const reasons = await Promise.all(expiries.map(expires => reasonAt(presignedGet(expires), signedAt)))
    expect(new Set(reasons)).toEqual(new Set(['malformed']))
    expect(await reasonAt(presignedGet('604800'), signedAt)).toBe('mismatch')
  })

  test.each(['Algorithm', 'Credential', 'Date', 'SignedHeaders', 'Signature'])('needs X-Amz-%s', async name => {
    const url = String(presignedGet().url).replace(new RegExp(`X-Amz-${name}=[^&]*`), '')
    expect(await reasonAt({ ...presignedGet(), url }, signedAt)).toBe('malformed')
  })
})

describe('a body in chunks, as the SDK streams it', () => {
  test('is decoded to the same bytes however they were cut, with its trailing headers', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 })), parts => {
        const chunks = parts.map(part => Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, lineEnd]))
        const body = Buffer.concat([...chunks, Buffer.from('0\r\nx-one: 1\r\n\r\n')])
        const { data, trailers } = decodeChunks(body)
        expect(data.equals(Buffer.concat(parts))).toBe(true)
        expect(trailers).toEqual({ 'x-one': '1' })
      }),
      { numRuns: 50 },
    )
  })

  test('is refused if it ends early, at any byte', () => {
    const body = Buffer.from('3\r\nabc\r\n0\r\n')
    for (let length = 0; length < body.length; length++) {
      expect(() => decodeChunks(body.subarray(0, length))).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/IncompleteBody|InvalidRequest/) }),
      )
    }
  })

  test('is refused when chunks are signed one by one, which the SDK never does', () => {
    const body = Buffer.from(`1;chunk-signature=${emptyHash}\r\na\r\n0;chunk-signature=${emptyHash}\r\n\r\n`)
    expect(() => decodeChunks(body)).toThrow(expect.objectContaining({ code: 'InvalidRequest' }))
  })
})

const lineEnd = Buffer.from('\r\n')
