import { connect } from 'node:net'
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { S3Call } from '../../lib/twin/s3/errors.ts'
import type { S3Options } from '../../lib/twin/s3/server.ts'
import { policySignature, signedFields } from '../../shared/platform/files/upload-form.ts'
import { bucket, clientOf, codeOf, credentials, type RawReply, s3Fixture, send } from '../support/twin-s3-harness.ts'

const fixture = await s3Fixture()
const calls: S3Call[] = []
const options: Partial<S3Options> = { onRequest: call => calls.push(call) }
const { url } = await fixture.start(options)
const client: S3Client = clientOf(url)
const place = `${url}/${bucket}/`

afterAll(async () => {
  client.destroy()
  await fixture.end()
})

const region = 'eu-central-1'
const upload = { bucket, key: 'uploads/1/a', type: 'image/png', bytes: 5 }
type Fields = Record<string, string>
const fieldsOf = (now = Date.now(), seconds = 600): Fields =>
  signedFields(upload, credentials, { region, now, seconds })

/** The fields with a policy of the test's own, signed. */
const withPolicy = (document: unknown, fields: Fields): Fields => {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const policy = Buffer.from(text).toString('base64')
  const scope = fields['x-amz-credential']?.split('/').slice(1).join('/') ?? ''
  return { ...fields, policy, 'x-amz-signature': policySignature(policy, credentials.secretAccessKey, scope) }
}
const policyOf = ({ policy = '' }: Fields) => JSON.parse(Buffer.from(policy, 'base64').toString())

const boundary = 'xyz'
const part = (name: string, value: string | Buffer, more = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
const fieldParts = (fields: Fields) => Object.entries(fields).map(([name, value]) => part(name, value))
const filePart = (bytes: string | Buffer = 'bytes') => part('file', bytes, '; filename="a.png"')
const end = Buffer.from(`--${boundary}--\r\n`)

const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const postBody = (body: Buffer, headers: Fields = {}, to = place): Promise<RawReply> =>
  send(to, { method: 'POST', headers: { ...multipart, ...headers }, body })
const formOf = (fields: Fields, bytes?: string | Buffer) => Buffer.concat([...fieldParts(fields), filePart(bytes), end])
const post = (fields: Fields, bytes?: string | Buffer, to?: string): Promise<RawReply> =>
  postBody(formOf(fields, bytes), {}, to)
const outcome = async (reply: Promise<RawReply>) => {
  const answer = await reply
  return [answer.status, codeOf(answer), /<Message>(.*?)<\/Message>/.exec(answer.body)?.[1]?.replaceAll('&quot;', '"')]
}

test('a form stores its file below its key, with its type', async () => {
  const reply = await post(fieldsOf())
  expect([reply.status, reply.body, reply.headers.etag]).toEqual([204, '', '"4b3a6218bb3e3a7303e8a171a60fcf92"'])
  const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: upload.key }))
  expect([await Body?.transformToString(), ContentType]).toEqual(['bytes', 'image/png'])
  expect(calls.at(-2)).toMatchObject({ principal: credentials.accessKeyId, action: 's3:PutObject', key: upload.key })
})

test('a form of fetch is accepted, whatever bytes its file has', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n).concat([...Buffer.from(`\r\n--${boundary}\r\n`)]))
  const fields = signedFields({ ...upload, bytes: bytes.length }, credentials, { region, now: Date.now(), seconds: 9 })
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), 'ünï "quoted".png')
  expect((await fetch(place, { method: 'POST', body: form })).status).toBe(204)
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: upload.key }))
  expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true)
})

const minute = 60_000

test.each<[string, () => Promise<RawReply>, unknown[]]>([
  [
    'expired',
    () => post(fieldsOf(Date.now() - 601_000)),
    [403, 'AccessDenied', 'Invalid according to Policy: Policy expired.'],
  ],
  [
    'with another key',
    () => post({ ...fieldsOf(), key: 'pictures/wine/1/a.webp' }),
    [403, 'AccessDenied', 'Invalid according to Policy: Policy Condition failed: ["eq","$key","uploads/1/a"]'],
  ],
  [
    'with another type',
    () => post({ ...fieldsOf(), 'Content-Type': 'text/html' }),
    [403, 'AccessDenied', 'Invalid according to Policy: Policy Condition failed: ["eq","$Content-Type","image/png"]'],
  ],
  [
    'with another date of the same day',
    () => post({ ...fieldsOf(), 'x-amz-date': `${fieldsOf()['x-amz-date']?.slice(0, 9)}000001Z` }),
    [403, 'AccessDenied', expect.stringContaining('Policy Condition failed: ["eq","$x-amz-date"')],
  ],
  [
    'with a field that has no condition',
    () => post({ 'x-amz-meta-owner': 'me', ...fieldsOf() }),
    [403, 'AccessDenied', 'Invalid according to Policy: Extra input fields: x-amz-meta-owner'],
  ],
  ['with a larger file', () => post(fieldsOf(), 'bytes!'), [400, 'EntityTooLarge', expect.any(String)]],
  ['with a smaller file', () => post(fieldsOf(), 'byte'), [400, 'EntityTooSmall', expect.any(String)]],
  ['with an empty file', () => post(fieldsOf(), ''), [400, 'EntityTooSmall', expect.any(String)]],
  [
    'with another policy than the signed one',
    () => post({ ...fieldsOf(), policy: fieldsOf(Date.now() + minute).policy ?? '' }),
    [403, 'SignatureDoesNotMatch', expect.any(String)],
  ],
  [
    'with a signature of a wrong length',
    () => post({ ...fieldsOf(), 'x-amz-signature': 'ab' }),
    [403, 'SignatureDoesNotMatch', expect.any(String)],
  ],
  [
    'of an unknown caller',
    () =>
      post({
        ...fieldsOf(),
        'x-amz-credential': `AKIANOBODY/${fieldsOf()['x-amz-date']?.slice(0, 8)}/${region}/s3/aws4_request`,
      }),
    [403, 'InvalidAccessKeyId', expect.any(String)],
  ],
  [
    'with a malformed credential',
    () => post({ ...fieldsOf(), 'x-amz-credential': 'AKIATEST' }),
    [400, 'AuthorizationHeaderMalformed', expect.any(String)],
  ],
  [
    'with an access list',
    () => post({ acl: 'public-read', ...fieldsOf() }),
    [403, 'AccessDenied', 'Invalid according to Policy: Extra input fields: acl'],
  ],
])('a form %s is refused as S3 does', async (_, sent, expected) => {
  expect(await outcome(sent())).toEqual(expected)
})

test.each([
  'key',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-signature',
])('a form without %s is refused', async name => {
  const { [name]: _, ...fields } = fieldsOf()
  expect((await outcome(post(fields))).slice(0, 2)).toEqual([400, 'InvalidArgument'])
})

test('a form without a policy is an anonymous one, which nothing allows', async () => {
  const { policy, ...fields } = fieldsOf()
  expect((await outcome(post(fields))).slice(0, 2)).toEqual([403, 'AccessDenied'])
})

describe('a policy', () => {
  const base = fieldsOf()
  const { expiration, conditions } = policyOf(base)
  const having = (document: unknown) => withPolicy(document, base)
  const without = (name: string) =>
    conditions.filter((one: unknown) => !JSON.stringify(one).toLowerCase().includes(`"${name}"`))

  test.each(['bucket', '$key', '$content-type', '$x-amz-date'])('must have a condition of %s', async name => {
    const fields = having({ expiration, conditions: without(name) })
    expect((await outcome(post(fields)))[2]).toBe(
      `Invalid according to Policy: Extra input fields: ${name.replace('$', '')}`,
    )
  })

  test('of another bucket is refused', async () => {
    const fields = having({ expiration, conditions: [...without('bucket'), { bucket: 'another' }] })
    expect((await outcome(post(fields)))[2]).toContain('Policy Condition failed: ["eq","$bucket","another"]')
  })

  test('may allow what begins with a text, and any size', async () => {
    const open = [...without('$key').filter((one: unknown[]) => one[0] !== 'content-length-range')]
    const fields = having({ expiration, conditions: [...open, ['starts-with', '$key', 'uploads/1/']] })
    expect((await post(fields, 'any size')).status).toBe(204)
    expect((await outcome(post({ ...fields, key: 'uploads/2/a' })))[1]).toBe('AccessDenied')
  })

  test('that allows an access list is not implemented', async () => {
    const fields = having({ expiration, conditions: [...conditions, { acl: 'public-read' }] })
    expect((await outcome(post({ ...fields, acl: 'public-read' }))).slice(0, 2)).toEqual([501, 'NotImplemented'])
  })

  test.each<[string, unknown]>([
    ['not JSON', '{'],
    ['null', null],
    ['without a time', { conditions }],
    ['with a time that is none', { expiration: 'tomorrow', conditions }],
    ['without conditions', { expiration }],
    ['with a condition that is a text', { expiration, conditions: ['$key'] }],
    ['with an unknown operation', { expiration, conditions: [...without('$key'), ['ends-with', '$key', 'a']] }],
    ['with a condition of no field', { expiration, conditions: [...conditions, ['eq', 'key', 'a']] }],
    ['with a condition of no text', { expiration, conditions: [...conditions, ['eq', '$key', 5]] }],
    ['with a size that is none', { expiration, conditions: [...conditions, ['content-length-range', '1', '9']] }],
  ])('%s is invalid', async (_, document) => {
    expect((await outcome(post(having(document)))).slice(0, 2)).toEqual([400, 'InvalidPolicyDocument'])
  })
})

describe('the body of a form', () => {
  const whole = [...fieldParts(fieldsOf()), filePart()]

  test.each<[string, Buffer, Fields, number, string]>([
    ['that is JSON', Buffer.from('{}'), { 'content-type': 'application/json' }, 412, 'PreconditionFailed'],
    [
      'without a boundary',
      Buffer.concat([...whole, end]),
      { 'content-type': 'multipart/form-data' },
      400,
      'MalformedPOSTRequest',
    ],
    [
      'with another boundary',
      Buffer.concat([...whole, end]),
      { 'content-type': 'multipart/form-data; boundary=abc' },
      400,
      'MalformedPOSTRequest',
    ],
    ['that is empty', Buffer.alloc(0), {}, 400, 'MalformedPOSTRequest'],
    ['that ends within its file', Buffer.concat(whole).subarray(0, -4), {}, 400, 'MalformedPOSTRequest'],
    ['without a file', Buffer.concat([...fieldParts(fieldsOf()), end]), {}, 400, 'IncorrectNumberOfFilesInPostRequest'],
    ['with two files', Buffer.concat([...whole, filePart(), end]), {}, 400, 'IncorrectNumberOfFilesInPostRequest'],
    ['with a field twice', Buffer.concat([part('Key', 'b'), ...whole, end]), {}, 400, 'InvalidArgument'],
    [
      'with fields of more than 20 KB',
      Buffer.concat([part('x-ignore-a', 'a'.repeat(21_000)), ...whole, end]),
      {},
      400,
      'MaxPostPreDataLengthExceeded',
    ],
    [
      'with thousands of fields',
      Buffer.concat([...Array.from({ length: 3000 }, (_, n) => part(`x-ignore-${n}`, '')), ...whole, end]),
      {},
      400,
      'MaxPostPreDataLengthExceeded',
    ],
    ['whose file comes first', Buffer.concat([filePart(), ...fieldParts(fieldsOf()), end]), {}, 403, 'AccessDenied'],
    [
      'of unknown length',
      Buffer.concat([...whole, end]),
      { 'transfer-encoding': 'chunked' },
      411,
      'MissingContentLength',
    ],
  ])('%s is refused', async (_, body, headers, status, code) => {
    expect((await outcome(postBody(body, headers))).slice(0, 2)).toEqual([status, code])
  })

  test('is not read if it is announced to be larger than any object', async () => {
    const headers = {
      'content-length': String(2 ** 31),
      connection: 'close',
      'content-type': 'multipart/form-data; boundary=x',
    }
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(place)
      const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}`)
      const socket = connect(Number(port), hostname, () =>
        socket.write(`POST /${bucket}/ HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
      )
      socket.once('error', reject).once('data', data => {
        socket.destroy()
        resolve({ status: Number(String(data).split(' ')[1]), text: String(data) })
      })
    })
    expect([status, /<Code>(\w+)/.exec(text)?.[1]]).toEqual([400, 'EntityTooLarge'])
  })

  test('may have more fields after its file, which are ignored', async () => {
    expect((await postBody(Buffer.concat([...whole, part('acl', 'public-read'), end]))).status).toBe(204)
  })

  test('may have fields that are marked as ignored', async () => {
    expect((await postBody(Buffer.concat([part('x-ignore-me', '1'), ...whole, end]))).status).toBe(204)
  })
})

test('a form needs its signer’s right to write the object', async () => {
  const asked: S3Call[] = []
  const own = await fixture.start({ allows: call => asked.push(call) === 0 })
  const reply = await post(fieldsOf(Date.now() - minute), 'bytes', `${own.url}/${bucket}/`)
  expect([reply.status, codeOf(reply)]).toEqual([403, 'AccessDenied'])
  expect(asked).toEqual([
    {
      principal: credentials.accessKeyId,
      action: 's3:PutObject',
      bucket,
      key: upload.key,
      signatureAgeMs: expect.any(Number),
    },
  ])
  expect(asked[0]?.signatureAgeMs).toBeGreaterThan(minute - 1000)
})

test('a form is not sent to an object, nor to a bucket that does not exist', async () => {
  const statusAt = async (path: string) => (await post(fieldsOf(), 'bytes', url + path)).status
  expect(await statusAt(`/${bucket}/uploads/1/a`)).toBe(501)
  expect(await statusAt(`/${bucket}?uploads`)).toBe(501)
  expect(await statusAt('/another/')).toBe(403)
})

test('objects below a prefix are removed after their days, others stay', async () => {
  const dayMs = 24 * 60 * minute
  for (const Key of ['uploads/1/old', 'pictures/old'])
    await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'a' }))
  const later = () => Date.now() + 2 * dayMs
  const expiring = await fixture.start({ now: later, expiry: [{ prefix: 'uploads/', days: 1 }] })
  expect((await post(fieldsOf(later()), 'bytes', `${expiring.url}/${bucket}/`)).status).toBe(204)
  // Waits for the first look at the objects.
  await expiring.close()
  const again = await fixture.start({ now: later, expiry: [{ prefix: 'uploads/', days: 1 }] })
  await again.close()
  const isThere = (Key: string) =>
    client.send(new GetObjectCommand({ Bucket: bucket, Key })).then(
      () => true,
      () => false,
    )
  expect(await Promise.all(['uploads/1/old', upload.key, 'pictures/old'].map(isThere))).toEqual([false, true, true])
})
