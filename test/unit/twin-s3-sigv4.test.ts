import { createHash } from 'node:crypto'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { decodeChunks } from '../../lib/twin/s3/chunked.ts'
import {
  type SignableRequest,
  signingKeyOf,
  verifyHeaderSignature,
  verifyQuerySignature,
} from '../../lib/twin/s3/sigv4.ts'

// The access key, requests and signatures of the worked examples in Amazon's S3 API reference.
const ID = 'AKIAIOSFODNN7EXAMPLE'
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const DATE = '20130524T000000Z'
const SCOPE = '20130524/us-east-1/s3/aws4_request'
const NOW = Date.parse('2013-05-24T00:00:00Z')
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const MINUTE = 60_000

const secretOf = (id: string) => (id === ID ? SECRET : undefined)
const checkAt = (now: number, payloadHash = EMPTY_HASH) => ({ service: 's3', secretOf, now, payloadHash })

const rangedGet = (changes: Record<string, string> = {}): SignableRequest => ({
  method: 'GET',
  url: '/test.txt',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': EMPTY_HASH,
    'x-amz-date': DATE,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${ID}/${SCOPE},SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,` +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ...changes,
  },
})

const presignedGet = (expires = '86400'): SignableRequest => ({
  method: 'GET',
  url:
    `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(`${ID}/${SCOPE}`)}` +
    `&X-Amz-Date=${DATE}&X-Amz-Expires=${expires}&X-Amz-SignedHeaders=host` +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host: 'examplebucket.s3.amazonaws.com' },
})

const seedOf = (signature: string) => ({
  principal: ID,
  presigned: false,
  ageMs: 0,
  date: DATE,
  scope: SCOPE,
  signature,
  signingKey: signingKeyOf(SECRET, SCOPE),
})

const framed = (size: number, signature: string) =>
  `${size.toString(16)};chunk-signature=${signature}\r\n${'a'.repeat(size)}\r\n`

describe('a signature in the Authorization header', () => {
  test('holds for the example of the S3 reference', () => {
    const verdict = verifyHeaderSignature(rangedGet(), checkAt(NOW + 5 * MINUTE))
    expect(verdict).toMatchObject({ ok: true, signature: { principal: ID, presigned: false, ageMs: 5 * MINUTE } })
  })

  test('holds up to 15 minutes of clock difference in either direction and no longer', () => {
    const reasonAt = (offset: number) => {
      const verdict = verifyHeaderSignature(rangedGet(), checkAt(NOW + offset))
      return verdict.ok ? 'ok' : verdict.reason
    }
    expect([-15, -16, 15, 16].map(minutes => reasonAt(minutes * MINUTE))).toEqual(['ok', 'skewed', 'ok', 'skewed'])
  })

  test('breaks when a signed header, the method, the path or the payload hash changes', () => {
    const changed: [SignableRequest, string?][] = [
      [rangedGet({ range: 'bytes=0-10' })],
      [{ ...rangedGet(), method: 'PUT' }],
      [{ ...rangedGet(), url: '/test.tx' }],
      [{ ...rangedGet(), url: '/test.txt?versionId=1' }],
      [rangedGet(), EMPTY_HASH.replace('e', 'f')],
    ]
    for (const [request, hash] of changed) {
      expect(verifyHeaderSignature(request, checkAt(NOW, hash))).toMatchObject({ ok: false, reason: 'mismatch' })
    }
  })

  test('must cover every x-amz header', () => {
    const verdict = verifyHeaderSignature(rangedGet({ 'x-amz-meta-added': 'later' }), checkAt(NOW))
    expect(verdict).toMatchObject({ ok: false, reason: 'unsigned-header' })
  })

  test('is for one service only', () => {
    const verdict = verifyHeaderSignature(rangedGet(), { ...checkAt(NOW), service: 'dynamodb' })
    expect(verdict).toMatchObject({ ok: false, reason: 'malformed' })
  })

  test('is told apart when it is missing, malformed or of an unknown key', () => {
    const { authorization, ...unsigned } = rangedGet().headers
    const reasons = [
      { ...rangedGet(), headers: unsigned },
      rangedGet({ authorization: 'Bearer token' }),
      rangedGet({ authorization: String(authorization).replace(ID, 'AKIASOMEBODY') }),
      rangedGet({ 'x-amz-date': '20130525T000000Z' }),
    ].map(request => {
      const verdict = verifyHeaderSignature(request, checkAt(NOW))
      return verdict.ok ? 'ok' : verdict.reason
    })
    expect(reasons).toEqual(['unsigned', 'malformed', 'unknown-key', 'malformed'])
  })

  test('never throws, whatever the request holds', () => {
    const text = fc.string({ unit: 'binary' })
    const headers = fc.record({ authorization: text, host: text, 'x-amz-date': text })
    fc.assert(
      fc.property(text, headers, (url, given) => {
        const request = { method: 'GET', url: `/${url}`, headers: given }
        expect(verifyHeaderSignature(request, checkAt(NOW)).ok).toBe(false)
        expect(verifyQuerySignature(request, checkAt(NOW)).ok).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  test('of the DynamoDB client holds with the hash of its body', async () => {
    const seen: { request: SignableRequest; body: string }[] = []
    const client = new DynamoDBClient({
      region: 'eu-central-1',
      credentials: { accessKeyId: ID, secretAccessKey: SECRET },
      maxAttempts: 1,
      requestHandler: {
        handle: async (sent: { method: string; path: string; headers: Record<string, string>; body: string }) => {
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
    const payloadHash = createHash('sha256').update(first.body).digest('hex')
    const check = { service: 'dynamodb', secretOf, now: Date.now(), payloadHash }
    expect(verifyHeaderSignature(first.request, check)).toMatchObject({ ok: true })
    expect(verifyHeaderSignature(first.request, { ...check, payloadHash: EMPTY_HASH }).ok).toBe(false)
  })
})

describe('a presigned URL', () => {
  const reasonAt = (request: SignableRequest, now: number) => {
    const verdict = verifyQuerySignature(request, checkAt(now, 'UNSIGNED-PAYLOAD'))
    return verdict.ok ? 'ok' : verdict.reason
  }

  test('holds for the example of the S3 reference until it expires', () => {
    const day = 24 * 60 * MINUTE
    expect(reasonAt(presignedGet(), NOW)).toBe('ok')
    expect(reasonAt(presignedGet(), NOW + day)).toBe('ok')
    expect(reasonAt(presignedGet(), NOW + day + 1)).toBe('expired')
  })

  test('is not valid before its time', () => {
    expect(reasonAt(presignedGet(), NOW - 16 * MINUTE)).toBe('not-yet-valid')
  })

  test('lives from one second to seven days', () => {
    const reasons = ['0', '604801', '-1', '1.5', 'x'].map(expires => reasonAt(presignedGet(expires), NOW))
    expect(new Set(reasons)).toEqual(new Set(['malformed']))
    expect(reasonAt(presignedGet('604800'), NOW)).toBe('mismatch')
  })
})

describe('an aws-chunked body', () => {
  const signedBody = (last: string, tail = '') =>
    Buffer.from(
      framed(65536, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648') +
        framed(1024, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497') +
        `0;chunk-signature=${last}\r\n${tail}\r\n`,
    )
  const seed = seedOf('4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9')
  const LAST = 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'

  test('is taken apart when every chunk carries the signature of the S3 reference', () => {
    const { data } = decodeChunks(signedBody(LAST), seed)
    expect(data.equals(Buffer.alloc(66560, 'a'))).toBe(true)
  })

  test('is refused when a chunk has changed, even by one byte', () => {
    const body = signedBody(LAST)
    body.writeUInt8(0x62, body.length - 200)
    expect(() => decodeChunks(body, seed)).toThrow(expect.objectContaining({ code: 'SignatureDoesNotMatch' }))
  })

  test('is refused when signed chunks carry no signature', () => {
    expect(() => decodeChunks(Buffer.from('1\r\na\r\n0\r\n\r\n'), seed)).toThrow(
      expect.objectContaining({ code: 'SignatureDoesNotMatch' }),
    )
  })

  test('brings its signed trailer as in the S3 reference', () => {
    const trailed = (checksum: string) =>
      Buffer.from(
        framed(65536, 'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2') +
          framed(1024, '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7') +
          '0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n' +
          `x-amz-checksum-crc32c:${checksum}\r\n` +
          'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n',
      )
    const trailerSeed = seedOf('106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e')
    const { trailers } = decodeChunks(trailed('sOO8/Q=='), trailerSeed)
    expect([...trailers]).toEqual([['x-amz-checksum-crc32c', 'sOO8/Q==']])
    expect(() => decodeChunks(trailed('AAAAAA=='), trailerSeed)).toThrow(
      expect.objectContaining({ code: 'SignatureDoesNotMatch' }),
    )
  })

  test('gives back the bytes however they were cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 })), parts => {
        const chunks = parts.map(part => Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, CRLF]))
        const body = Buffer.concat([...chunks, Buffer.from('0\r\nx-one: 1\r\n\r\n')])
        const { data, trailers } = decodeChunks(body)
        expect(data.equals(Buffer.concat(parts))).toBe(true)
        expect(trailers.get('x-one')).toBe('1')
      }),
      { numRuns: 50 },
    )
  })

  test('is refused when it ends early, at whatever byte', () => {
    const body = Buffer.from('3\r\nabc\r\n0\r\n')
    for (let length = 0; length < body.length; length++) {
      expect(() => decodeChunks(body.subarray(0, length))).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/IncompleteBody|InvalidRequest/) }),
      )
    }
  })
})

const CRLF = Buffer.from('\r\n')
