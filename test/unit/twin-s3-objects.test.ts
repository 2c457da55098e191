import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { BUCKET, clientOf, s3Fixture } from '../support/twin-s3-harness.ts'

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
  client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...more }))

const get = async (Key: string, more: Partial<GetObjectCommandInput> = {}) => {
  const answer = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key, ...more }))
  return { ...answer, text: await answer.Body?.transformToString() }
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
  test('comes back with its bytes, headers and metadata', async () => {
    const sent = await put('round/trip.pdf', 'a sheet', {
      ContentType: 'application/pdf',
      CacheControl: 'max-age=60',
      ContentDisposition: 'inline',
      ContentEncoding: 'identity',
      Metadata: { wine: '12' },
    })
    const answer = await get('round/trip.pdf')
    expect(answer).toMatchObject({
      text: 'a sheet',
      ETag: `"${createHash('md5').update('a sheet').digest('hex')}"`,
      ContentType: 'application/pdf',
      CacheControl: 'max-age=60',
      ContentDisposition: 'inline',
      ContentEncoding: 'identity',
      ContentLength: 7,
      AcceptRanges: 'bytes',
      Metadata: { wine: '12' },
      ChecksumCRC32: sent.ChecksumCRC32,
    })
    expect(answer.$metadata.requestId).toMatch(/^[0-9A-F]{16}$/)
    expect(sent.ETag).toBe(answer.ETag)
  })

  test('is described by a head request without its body', async () => {
    await put('head', 'four', { ContentType: 'text/plain' })
    const head = await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'head', ChecksumMode: 'ENABLED' }))
    expect(head).toMatchObject({ ContentLength: 4, ContentType: 'text/plain', ChecksumType: 'FULL_OBJECT' })
    expect(head.LastModified).toBeInstanceOf(Date)
  })

  test('may be empty', async () => {
    await put('empty', '')
    expect(await get('empty')).toMatchObject({ text: '', ContentLength: 0 })
  })

  test('is replaced as a whole, with its metadata', async () => {
    await put('replaced', 'old and long', { Metadata: { old: 'yes' } })
    await put('replaced', 'new')
    expect(await get('replaced')).toMatchObject({ text: 'new', Metadata: {} })
  })

  test('sent as a stream keeps no trace of the chunk framing', async () => {
    const parts = [Buffer.alloc(70_000, 'a'), Buffer.alloc(30_000, 'b')]
    await put('streamed', Readable.from(parts), { ContentLength: 100_000, ContentEncoding: 'gzip' })
    const { text, ContentEncoding, ChecksumCRC32 } = await get('streamed')
    expect(text).toBe(Buffer.concat(parts).toString())
    expect(ContentEncoding).toBe('gzip')
    expect(ChecksumCRC32).toBeDefined()
  })

  test.each(['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const)('keeps a %s checksum its reader can verify', async name => {
    await put(`checksum/${name}`, Readable.from([Buffer.from('checked')]), {
      ChecksumAlgorithm: name,
      ContentLength: 7,
    })
    const answer = await get(`checksum/${name}`, { ChecksumMode: 'ENABLED' })
    expect(answer[`Checksum${name}`]).toMatch(/^[\w+/]+=*$/)
    expect(answer.text).toBe('checked')
  })

  test('is not stored when its checksum or MD5 is wrong', async () => {
    const wrong = { ChecksumSHA256: createHash('sha256').update('other').digest('base64') }
    const wrongMd5 = { ContentMD5: createHash('md5').update('other').digest('base64') }
    expect(await failure(put('wrong', 'this', wrong))).toEqual({ name: 'BadDigest', status: 400 })
    expect(await failure(put('wrong', 'this', wrongMd5))).toEqual({ name: 'BadDigest', status: 400 })
    expect(await failure(get('wrong'))).toEqual({ name: 'NoSuchKey', status: 404 })
  })

  test('of more than 100 MB is refused before it is read', async () => {
    const body = Readable.from([Buffer.from('x')])
    const outcome = failure(put('large', body, { ContentLength: 100 * 1024 * 1024 + 1 }))
    expect(await outcome).toEqual({ name: 'EntityTooLarge', status: 400 })
  })

  test('is gone after its deletion, and deleting it again is no error', async () => {
    await put('gone', 'x')
    const remove = () => client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'gone' }))
    expect((await remove()).$metadata.httpStatusCode).toBe(204)
    expect((await remove()).$metadata.httpStatusCode).toBe(204)
    expect(await failure(get('gone'))).toEqual({ name: 'NoSuchKey', status: 404 })
    const head = client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'gone' }))
    expect(await failure(head)).toEqual({ name: 'NotFound', status: 404 })
  })

  test('can be deleted together with others, present or not', async () => {
    await put('bulk/<1> & "co"', 'x')
    const Objects = [{ Key: 'bulk/<1> & "co"' }, { Key: 'bulk/never' }]
    const answer = await client.send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }))
    expect(answer.Deleted?.map(({ Key }) => Key)).toEqual(['bulk/<1> & "co"', 'bulk/never'])
    expect(await failure(get('bulk/<1> & "co"'))).toMatchObject({ name: 'NoSuchKey' })
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
    const answer = await get('digits', { Range })
    expect(answer).toMatchObject({ text, ContentRange, ContentLength: text.length })
    expect(answer.$metadata.httpStatusCode).toBe(206)
  })

  test.each(['bytes=10-', 'bytes=-0'])('%s holds no byte and is refused', async Range => {
    expect(await failure(get('digits', { Range }))).toEqual({ name: 'InvalidRange', status: 416 })
  })

  test.each(['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2'])('%s is no range and gives the whole object', async Range => {
    const answer = await get('digits', { Range })
    expect([answer.$metadata.httpStatusCode, answer.text]).toEqual([200, '0123456789'])
  })
})

describe('a condition', () => {
  test('If-None-Match: * lets exactly one of 20 parallel writers win', async () => {
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

  test('on a read answers 304 for what the reader has and 412 for what it does not want', async () => {
    const { ETag } = await put('cached', 'x')
    const LastModified = (await get('cached')).LastModified ?? new Date(0)
    const earlier = new Date(LastModified.getTime() - 1000)
    expect((await failure(get('cached', { IfNoneMatch: ETag }))).status).toBe(304)
    expect((await failure(get('cached', { IfModifiedSince: LastModified }))).status).toBe(304)
    expect((await failure(get('cached', { IfMatch: '"other"' }))).status).toBe(412)
    expect((await failure(get('cached', { IfUnmodifiedSince: earlier }))).status).toBe(412)
    const passing = { IfMatch: ETag, IfNoneMatch: '"other"', IfModifiedSince: LastModified, IfUnmodifiedSince: earlier }
    expect((await get('cached', passing)).text).toBe('x')
  })
})

describe('a bucket', () => {
  test('answers a head request when it exists and 404 when it does not', async () => {
    const head = (Bucket: string) => client.send(new HeadBucketCommand({ Bucket }))
    expect((await head(BUCKET)).BucketRegion).toBe('eu-central-1')
    expect(await failure(head('another-bucket'))).toEqual({ name: 'NotFound', status: 404 })
  })

  test('that is unknown holds no objects and takes none', async () => {
    const Bucket = 'another-bucket'
    expect(await failure(put('x', 'x', { Bucket }))).toEqual({ name: 'NoSuchBucket', status: 404 })
    expect(await failure(get('x', { Bucket }))).toEqual({ name: 'NoSuchBucket', status: 404 })
  })
})

describe('what the stand-in does not do', () => {
  test('is refused as not implemented, never ignored', async () => {
    await put('plain', 'x')
    const outcomes = [
      get('plain', { VersionId: 'abc' }),
      get('plain', { PartNumber: 1 }),
      put('plain', 'x', { Tagging: 'a=b' }),
      put('plain', 'x', { ACL: 'public-read' }),
      put('plain', 'x', { ServerSideEncryption: 'aws:kms' }),
      put('plain', 'x', { ChecksumAlgorithm: 'CRC64NVME', ChecksumCRC64NVME: 'AAAAAAAAAAA=' }),
    ]
    const failures = await Promise.all(outcomes.map(failure))
    expect(failures).toEqual(outcomes.map(() => ({ name: 'NotImplemented', status: 501 })))
  })
})
