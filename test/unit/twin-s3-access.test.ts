import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Statement } from '../../lib/twin/iam/policy.ts'
import { accessKeyIdOf, createPrincipals } from '../../lib/twin/iam/principals.ts'
import type { S3Call } from '../../lib/twin/s3/errors.ts'
import type { Model } from '../../lib/twin/template/model.ts'
import { bucket, clientOf, codeOf, credentials, s3Fixture, send } from '../support/twin-s3-harness.ts'

let fixture: Awaited<ReturnType<typeof s3Fixture>>
let url: string
let denied: (call: S3Call) => boolean
let skew: number
let seen: S3Call[]
const clients: ReturnType<typeof clientOf>[] = []

const newClient: typeof clientOf = (...args) => {
  const client = clientOf(...args)
  clients.push(client)
  return client
}

beforeAll(async () => {
  fixture = await s3Fixture()
  const s3 = await fixture.start({
    allows: call => !denied(call),
    onRequest: call => seen.push(call),
    now: () => Date.now() + skew,
  })
  url = s3.url
})

beforeEach(async () => {
  denied = () => false
  skew = 0
  seen = []
  await newClient(url).send(new PutObjectCommand({ Bucket: bucket, Key: 'wein liste.pdf', Body: 'riesling' }))
  seen = []
})

afterAll(async () => {
  for (const client of clients) client.destroy()
  await fixture.end()
})

const readKey = (Key: string) => newClient(url).send(new GetObjectCommand({ Bucket: bucket, Key }))

const presignedRead = (overrides: { ResponseContentDisposition?: string; ResponseContentType?: string } = {}) =>
  getSignedUrl(newClient(url), new GetObjectCommand({ Bucket: bucket, Key: 'wein liste.pdf', ...overrides }), {
    expiresIn: 60,
  })

describe('a presigned read', () => {
  test('returns the object with the response headers in its signature', async () => {
    const ResponseContentDisposition = 'attachment; filename="wein.pdf"'
    const signed = await presignedRead({ ResponseContentDisposition, ResponseContentType: 'application/pdf' })
    const reply = await send(signed)
    expect(reply).toMatchObject({ status: 200, body: 'riesling' })
    expect(reply.headers['content-disposition']).toBe(ResponseContentDisposition)
    expect(reply.headers['content-type']).toBe('application/pdf')
  })

  test('accepts a range, as PDF viewers send it', async () => {
    const reply = await send(await presignedRead(), { headers: { range: 'bytes=0-3' } })
    expect(reply).toMatchObject({ status: 206, body: 'ries' })
  })

  test('is refused if its signature, key, expiry or any parameter was changed', async () => {
    const signed = await presignedRead({ ResponseContentType: 'application/pdf' })
    const changed = [
      signed.replace(/X-Amz-Signature=./, match => (match.endsWith('0') ? 'X-Amz-Signature=1' : 'X-Amz-Signature=0')),
      signed.replace('wein%20liste.pdf', 'other.pdf'),
      signed.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      signed.replace('application%2Fpdf', 'text%2Fhtml'),
      `${signed}&response-cache-control=public`,
    ]
    expect(new Set(changed).has(signed)).toBe(false)
    const replies = await Promise.all(changed.map(target => send(target)))
    expect(replies.map(codeOf)).toEqual(changed.map(() => 'SignatureDoesNotMatch'))
    const asDelete = await send(signed, { method: 'DELETE' })
    expect([asDelete.status, codeOf(asDelete)]).toEqual([403, 'SignatureDoesNotMatch'])
  })

  test('is refused after its expiry', async () => {
    const signed = await presignedRead()
    skew = 61_000
    const reply = await send(signed)
    expect([reply.status, codeOf(reply)]).toEqual([403, 'AccessDenied'])
    expect(reply.body).toContain('<Message>Request has expired</Message>')
  })

  test('cannot request a response header that is invalid in HTTP', async () => {
    const reply = await send(await presignedRead({ ResponseContentDisposition: 'attachment; filename="☃"' }))
    expect([reply.status, codeOf(reply)]).toEqual([400, 'InvalidArgument'])
    const split = await send(await presignedRead({ ResponseContentDisposition: 'inline\r\nset-cookie: a=b' }))
    expect([split.status, codeOf(split)]).toEqual([400, 'InvalidArgument'])
  })
})

describe('a caller', () => {
  test('without a signature is refused with the error document of S3', async () => {
    const reply = await send(`${url}/${bucket}/a%20%26%20b`)
    expect(reply.status).toBe(403)
    expect(reply.body).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>AccessDenied<\/Code><Message>.+<\/Message><Resource>.+<\/Resource><RequestId>[0-9A-F]{16}<\/RequestId><\/Error>$/,
    )
    expect(reply.body).toContain(`<RequestId>${reply.headers['x-amz-request-id']}</RequestId>`)
  })

  test('with a wrong secret, an unknown key or a wrong clock gets the reason', async () => {
    const codeWith = async (accessKeyId: string, secretAccessKey: string) => {
      const client = newClient(url, { credentials: { accessKeyId, secretAccessKey } })
      const work = client.send(new GetObjectCommand({ Bucket: bucket, Key: 'wein liste.pdf' }))
      return work.then(
        () => 'ok',
        error => error.name,
      )
    }
    const { accessKeyId, secretAccessKey } = credentials
    expect(await codeWith(accessKeyId, secretAccessKey)).toBe('ok')
    expect(await codeWith(accessKeyId, 'guessed')).toBe('SignatureDoesNotMatch')
    expect(await codeWith('AKIAOTHER', secretAccessKey)).toBe('InvalidAccessKeyId')
    skew = 16 * 60_000
    expect(await codeWith(accessKeyId, secretAccessKey)).toBe('RequestTimeTooSkewed')
  })

  test('cannot send another body than the signed one', async () => {
    const client = newClient(url)
    client.middlewareStack.add(
      next => args => {
        Object.assign(args.request as object, { body: 'forged' })
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low' },
    )
    const Body = 'honest'
    const work = client.send(new PutObjectCommand({ Bucket: bucket, Key: 'forged', Body }))
    await expect(work).rejects.toMatchObject({ name: 'XAmzContentSHA256Mismatch' })
  })
})

describe('the policies', () => {
  test('get caller, action and key, and the age of the signature', async () => {
    skew = 5000
    await send(await presignedRead())
    expect(seen).toEqual([
      {
        principal: credentials.accessKeyId,
        action: 's3:GetObject',
        bucket: bucket,
        key: 'wein liste.pdf',
        signatureAgeMs: expect.any(Number),
      },
    ])
    expect(seen[0]?.signatureAgeMs).toBeGreaterThanOrEqual(5000)
  })

  test('decide about every action', async () => {
    const client = newClient(url)
    const Key = 'wein liste.pdf'
    denied = () => true
    const work = [
      client.send(new GetObjectCommand({ Bucket: bucket, Key })),
      client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' })),
      client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'wein' })),
      client.send(new DeleteObjectCommand({ Bucket: bucket, Key })),
    ]
    const outcomes = await Promise.allSettled(work)
    expect(outcomes).toMatchObject(work.map(() => ({ reason: { name: 'AccessDenied', Code: 'AccessDenied' } })))
    const actions = seen.map(({ action, key }) => [action, key])
    expect(actions).toHaveLength(4)
    expect(actions).toEqual(
      expect.arrayContaining([
        ['s3:GetObject', Key],
        ['s3:PutObject', Key],
        ['s3:ListBucket', ''],
        ['s3:DeleteObject', Key],
      ]),
    )
  })

  test('hide the existence of keys from callers who may not list the bucket', async () => {
    await expect(readKey('missing')).rejects.toMatchObject({ name: 'NoSuchKey' })
    denied = ({ action }) => action === 's3:ListBucket'
    await expect(readKey('missing')).rejects.toMatchObject({ name: 'AccessDenied' })
    await expect(readKey('wein liste.pdf')).resolves.toMatchObject({ ContentLength: 8 })
  })

  test('return 404 for a missing key to a role that may list the bucket with that key as the prefix', async () => {
    const principals = createPrincipals()
    const arn = `arn:aws:s3:::${bucket}`
    const read: Statement = { effect: 'Allow', actions: ['s3:GetObject'], resources: [`${arn}/*`], conditions: {} }
    const conditions = { StringLike: { 's3:prefix': 'snapshots/*' } }
    const list: Statement = { effect: 'Allow', actions: ['s3:ListBucket'], resources: [arn], conditions }
    const functions = [{ name: 'Reader', statements: [read, list] }]
    principals.apply({ functions, bucket: { policy: [] }, operators: [] } as unknown as Model)
    denied = call => !principals.allowsFile({ ...call, principal: accessKeyIdOf('Reader') })
    await expect(readKey('snapshots/missing')).rejects.toMatchObject({ name: 'NoSuchKey' })
    await expect(readKey('pictures/missing')).rejects.toMatchObject({ name: 'AccessDenied' })
    const listing = newClient(url).send(new ListObjectsV2Command({ Bucket: bucket }))
    await expect(listing).rejects.toMatchObject({ name: 'AccessDenied' })
  })

  test('require the read permission from a writer who compares the ETag', async () => {
    denied = ({ action }) => action === 's3:GetObject'
    const write = new PutObjectCommand({ Bucket: bucket, Key: 'wein liste.pdf', Body: 'x', IfMatch: '"guess"' })
    await expect(newClient(url).send(write)).rejects.toMatchObject({ name: 'AccessDenied' })
  })
})
