import { checksumOf } from '../../shared/platform/files/checksum.ts'
import {
  fileExists,
  presignedLink,
  readFile,
  readHead,
  readPart,
  writeFile,
} from '../../shared/platform/files/files.ts'
import { bucket, credentials, s3Fixture } from '../support/twin-s3-harness.ts'

const usual = { ...process.env }
beforeEach(() => {
  const { BUCKET_NAME, ...others } = usual
  process.env = { ...others, AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
})

const fixture = await s3Fixture()
afterAll(async () => {
  process.env = usual
  await fixture.end()
})

// The client is made once, so all tests of this file share its S3.
let mayList = true
const s3 = await fixture.start({ allows: ({ action }) => mayList || action !== 's3:ListBucket' })
const useBucket = () =>
  Object.assign(process.env, {
    ...{ AWS_ENDPOINT_URL_S3: s3.url, AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_REQUIRED', BUCKET_NAME: bucket },
    ...{ AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
  })

test.each<[string, () => Promise<unknown>, unknown]>([
  ['readFile', () => readFile('missing'), undefined],
  ['fileExists', () => fileExists('missing'), false],
  ['readHead', () => readHead('missing'), undefined],
  ['readPart', () => readPart('missing', {}), undefined],
])('%s returns nothing for a missing object, and throws where S3 denies access', async (_, read, nothing) => {
  useBucket()
  mayList = true
  expect(await read()).toBe(nothing)
  mayList = false
  await expect(read()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
})

test('an object has its CRC-32 whatever checksum the client sends by default', async () => {
  useBucket()
  await writeFile('sum', Buffer.from('a'), 'text/plain', 'anything')
  expect((await readHead('sum'))?.checksum).toBe(checksumOf(Buffer.from('a')))
})

test('an object of more bytes than wanted comes without them, and one of just as many with them', async () => {
  useBucket()
  mayList = true
  await writeFile('long', Buffer.from('abc'), 'text/plain', 'anything')
  expect((await readPart('long', { most: 3 }))?.body?.toString()).toBe('abc')
  expect(await readPart('long', { most: 2 })).toMatchObject({ status: 200, headers: { etag: expect.any(String) } })
  expect((await readPart('long', { most: 2 }))?.body).toBeUndefined()
  expect([(await readFile('long', 3))?.body.length, (await readFile('long', 2))?.body.length]).toEqual([3, 0])
})

test.each<[string, () => Promise<unknown>]>([
  ['reading a file', () => readFile('a')],
  ['looking for one', () => fileExists('a')],
  ['reading a part of one', () => readPart('a', {})],
  ['writing one', () => writeFile('a', Buffer.from('a'), 'text/plain', 'only if absent')],
  ['linking to one', () => presignedLink('a', 1, 'text/plain', 'inline')],
])('%s without a bucket names the missing variable, and is not reported as a busy service', async (_, work) => {
  for (const name of [undefined, '']) {
    if (name !== undefined) process.env.BUCKET_NAME = name
    await expect((async () => work())()).rejects.toThrow(/^BUCKET_NAME is not set/)
  }
})
