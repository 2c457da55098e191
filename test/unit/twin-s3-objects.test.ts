import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { bucket, clientOf, s3Fixture } from '../support/twin-s3-harness.ts'

let fixture: Awaited<ReturnType<typeof s3Fixture>>
let client: S3Client

beforeAll(async () => {
  fixture = await s3Fixture()
  client = clientOf((await fixture.start()).url)
})

afterAll(async () => {
  client.destroy()
  await fixture.end()
})

const put = (Key: string, Body: PutObjectCommandInput['Body'], more: Partial<PutObjectCommandInput> = {}) =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ...more }))

const get = async (Key: string, more: Partial<GetObjectCommandInput> = {}) => {
  const response = await client.send(new GetObjectCommand({ Bucket: bucket, Key, ...more }))
  return { ...response, text: await response.Body?.transformToString() }
}

const failure = async (work: Promise<unknown>): Promise<{ name: string; status: number }> => {
  try {
    await work
  } catch (error) {
    if (error instanceof Error && '$metadata' in error) {
      const { httpStatusCode } = error.$metadata as { httpStatusCode: number }
      return { name: error.name, status: httpStatusCode }
    }
    throw error
  }
  throw new Error('the call succeeded')
}

describe('an object', () => {
  test('is returned with its bytes, content type and checksum', async () => {
    const sent = await put('round/trip.pdf', 'a sheet', { ContentType: 'application/pdf' })
    const response = await get('round/trip.pdf')
    expect(response).toMatchObject({
      text: 'a sheet',
      ETag: `"${createHash('md5').update('a sheet').digest('hex')}"`,
      ContentType: 'application/pdf',
      ContentLength: 7,
      AcceptRanges: 'bytes',
      ChecksumCRC32: sent.ChecksumCRC32,
    })
    expect(response.$metadata.requestId).toMatch(/^[0-9A-F]{16}$/)
    expect(sent.ETag).toBe(response.ETag)
  })

  test('is described by a head request without its body', async () => {
    await put('head', 'four', { ContentType: 'text/plain' })
    const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'head', ChecksumMode: 'ENABLED' }))
    expect(head).toMatchObject({ ContentLength: 4, ContentType: 'text/plain', ChecksumType: 'FULL_OBJECT' })
    expect(head.LastModified).toBeInstanceOf(Date)
  })

  test('may be empty', async () => {
    await put('empty', '')
    expect(await get('empty')).toMatchObject({ text: '', ContentLength: 0 })
  })

  test('is replaced as a whole, with its content type', async () => {
    await put('replaced', 'old and long', { ContentType: 'application/pdf' })
    await put('replaced', 'new')
    expect(await get('replaced')).toMatchObject({ text: 'new', ContentType: 'application/octet-stream' })
  })

  test('sent as a stream contains no chunk framing', async () => {
    const parts = [Buffer.alloc(70_000, 'a'), Buffer.alloc(30_000, 'b')]
    await put('streamed', Readable.from(parts), { ContentLength: 100_000 })
    const { text, ContentEncoding, ChecksumCRC32 } = await get('streamed')
    expect(text).toBe(Buffer.concat(parts).toString())
    expect(ContentEncoding).toBeUndefined()
    expect(ChecksumCRC32).toBeDefined()
  })

  test('is not stored when its checksum is wrong', async () => {
    expect(await failure(put('wrong', 'this', { ChecksumCRC32: 'AAAAAA==' }))).toEqual({
      name: 'BadDigest',
      status: 400,
    })
    expect(await failure(get('wrong'))).toEqual({ name: 'NoSuchKey', status: 404 })
  })

  test('of more than 100 MB is refused before it is read', async () => {
    const body = Readable.from([Buffer.from('x')])
    const outcome = failure(put('large', body, { ContentLength: 100 * 1024 * 1024 + 1 }))
    expect(await outcome).toEqual({ name: 'EntityTooLarge', status: 400 })
  })

  test('that is missing is not found by a head request either', async () => {
    const head = client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'never written' }))
    expect(await failure(head)).toEqual({ name: 'NotFound', status: 404 })
  })
})

describe('a range', () => {
  beforeAll(() => put('digits', '0123456789'))

  test.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=-100', '0123456789', 'bytes 0-9/10'],
  ])('%s gives %s', async (Range, text, ContentRange) => {
    const response = await get('digits', { Range })
    expect(response).toMatchObject({ text, ContentRange, ContentLength: text.length })
    expect(response.$metadata.httpStatusCode).toBe(206)
  })

  test.each(['bytes=10-', 'bytes=-0'])('%s contains no byte and is refused', async Range => {
    expect(await failure(get('digits', { Range }))).toEqual({ name: 'InvalidRange', status: 416 })
  })

  test.each(['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2'])('%s is no range and returns the whole object', async Range => {
    const response = await get('digits', { Range })
    expect([response.$metadata.httpStatusCode, response.text]).toEqual([200, '0123456789'])
  })
})

describe('a condition', () => {
  test('If-None-Match: * lets exactly one of 20 concurrent writers succeed', async () => {
    const writers = Array.from({ length: 20 }, (_, writer) => put('race', `writer ${writer}`, { IfNoneMatch: '*' }))
    const outcomes = await Promise.allSettled(writers)
    const winners = outcomes.flatMap(({ status }, writer) => (status === 'fulfilled' ? [writer] : []))
    const losers = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason.name] : []))
    expect(winners).toHaveLength(1)
    expect(losers).toEqual(Array(19).fill('PreconditionFailed'))
    expect((await get('race')).text).toBe(`writer ${winners[0]}`)
  })

  test('If-Match replaces only the version that was read', async () => {
    const { ETag } = await put('versioned', 'one')
    await put('versioned', 'two', { IfMatch: ETag })
    expect(await failure(put('versioned', 'three', { IfMatch: ETag }))).toEqual({
      name: 'PreconditionFailed',
      status: 412,
    })
    expect(await failure(put('never written', 'x', { IfMatch: ETag }))).toEqual({ name: 'NoSuchKey', status: 404 })
    expect((await get('versioned')).text).toBe('two')
  })

  test('keeps the metadata that it was written with, and not those of a replaced one', async () => {
    await put('described', 'one', { Metadata: { wine: '12', head: '{"seen":[3]}' } })
    const head = () => client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'described' }))
    expect([(await head()).Metadata, (await get('described')).Metadata]).toEqual(
      Array(2).fill({ wine: '12', head: '{"seen":[3]}' }),
    )
    await put('described', 'two', { Metadata: { other: 'x' } })
    expect((await head()).Metadata).toEqual({ other: 'x' })
  })

  test('on a read returns 304 if the reader has the object', async () => {
    const { ETag } = await put('cached', 'x')
    const LastModified = (await get('cached')).LastModified ?? new Date(0)
    const earlier = new Date(LastModified.getTime() - 1000)
    expect((await failure(get('cached', { IfNoneMatch: ETag }))).status).toBe(304)
    expect((await failure(get('cached', { IfModifiedSince: LastModified }))).status).toBe(304)
    expect((await get('cached', { IfModifiedSince: earlier })).text).toBe('x')
    expect((await get('cached', { IfNoneMatch: '"other"', IfModifiedSince: LastModified })).text).toBe('x')
  })
})

describe('a bucket', () => {
  test('that is unknown contains no objects and accepts none', async () => {
    const Bucket = 'another-bucket'
    expect(await failure(put('x', 'x', { Bucket }))).toEqual({ name: 'NoSuchBucket', status: 404 })
    expect(await failure(get('x', { Bucket }))).toEqual({ name: 'NoSuchBucket', status: 404 })
  })
})

describe('an operation that the service does not use', () => {
  test('is refused as not implemented, never ignored', async () => {
    await put('plain', 'x')
    const outcomes = [
      get('plain', { VersionId: 'abc' }),
      get('plain', { PartNumber: 1 }),
      get('plain', { IfMatch: '"other"' }),
      get('plain', { IfUnmodifiedSince: new Date() }),
      put('plain', 'x', { Tagging: 'a=b' }),
      put('plain', 'x', { ACL: 'public-read' }),
      put('plain', 'x', { CacheControl: 'no-store' }),
      put('plain', 'x', { ContentDisposition: 'inline' }),
      put('plain', 'x', { ContentEncoding: 'gzip' }),
      put('plain', 'x', { ContentMD5: createHash('md5').update('x').digest('base64') }),
      put('plain', 'x', { ServerSideEncryption: 'aws:kms' }),
      put('plain', 'x', { ChecksumAlgorithm: 'SHA256' }),
      put('plain', 'x', { ChecksumAlgorithm: 'CRC64NVME', ChecksumCRC64NVME: 'AAAAAAAAAAA=' }),
      client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'plain', IfMatch: '"other"' })),
      client.send(new ListObjectsV2Command({ Bucket: bucket })),
    ]
    const failures = await Promise.all(outcomes.map(failure))
    expect(failures).toEqual(outcomes.map(() => ({ name: 'NotImplemented', status: 501 })))
    expect(await failure(client.send(new HeadBucketCommand({ Bucket: bucket })))).toMatchObject({ status: 501 })
    expect(await get('plain')).toMatchObject({ text: 'x' })
  })
})

test('a deleted object is missing, and may be deleted again', async () => {
  await put('gone', 'x')
  for (let time = 0; time < 2; time++) {
    const { $metadata } = await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'gone' }))
    expect($metadata.httpStatusCode).toBe(204)
    expect(await failure(get('gone'))).toEqual({ name: 'NoSuchKey', status: 404 })
  }
  await put('gone', 'y')
  expect(await get('gone')).toMatchObject({ text: 'y' })
})
