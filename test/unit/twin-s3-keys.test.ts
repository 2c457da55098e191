import { readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import {
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import fc from 'fast-check'
import { BUCKET, clientOf, codeOf, s3Fixture, send } from '../support/twin-s3-harness.ts'

const HOSTILE = [
  '../../../etc/passwd',
  '..',
  '.',
  '/',
  '//double//slash/',
  'a/../b',
  'percent %2F %2e%2e %',
  'plus + and & = ? # ;',
  'quotes \' " ` < > ()!*~',
  'ünï/çødé 🍷 \u0300',
  'back\\slash:drive|pipe',
  'CON',
  '__proto__',
  'tab\tnewline\nreturn\r',
  'k'.repeat(1024),
]

let fixture: Awaited<ReturnType<typeof s3Fixture>>
let url: string
let client: S3Client

beforeEach(async () => {
  fixture = await s3Fixture()
  url = (await fixture.start()).url
  client = clientOf(url)
})

afterEach(async () => {
  client.destroy()
  await fixture.end()
})

const put = (Key: string, Body: string) => client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }))

const read = async (Key: string, from = client) => {
  const answer = await from.send(new GetObjectCommand({ Bucket: BUCKET, Key }))
  return answer.Body?.transformToString()
}

const quiet = () => clientOf(url, { requestChecksumCalculation: 'WHEN_REQUIRED' })

const breakOff = (target: string): Promise<void> =>
  new Promise(resolve => {
    const upload = request(target, { method: 'PUT', headers: { 'content-length': 1000, expect: '100-continue' } })
    upload.on('continue', () => upload.write('the first bytes', () => upload.destroy()))
    upload.on('error', () => resolve())
    upload.on('close', () => resolve())
  })

const list = async (more: Partial<ListObjectsV2CommandInput> = {}) => {
  const answer = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, ...more }))
  const keys = (answer.Contents ?? []).map(({ Key }) => Key)
  const prefixes = (answer.CommonPrefixes ?? []).map(({ Prefix }) => Prefix)
  return { ...answer, keys, prefixes }
}

const allPages = async (more: Partial<ListObjectsV2CommandInput>): Promise<(string | undefined)[]> => {
  const found: (string | undefined)[] = []
  let ContinuationToken: string | undefined
  do {
    const page = await list({ ...more, ...(ContinuationToken !== undefined && { ContinuationToken }) })
    found.push(...page.keys, ...page.prefixes)
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined)
  return found
}

describe('a key', () => {
  test('may hold anything: each keeps its own object, and none leaves the folder', async () => {
    for (const key of HOSTILE) await put(key, `content of ${key}`)
    for (const key of HOSTILE) expect(await read(key)).toBe(`content of ${key}`)
    const files = await readdir(join(fixture.dir, BUCKET))
    expect(files).toHaveLength(HOSTILE.length)
    expect(files.every(name => /^[0-9a-f]{64}$/.test(name))).toBe(true)
    expect((await readdir(fixture.dir)).sort()).toEqual(['.unfinished', BUCKET])
  })

  test('may hold anything in a presigned URL', async () => {
    for (const key of HOSTILE) {
      await put(key, key)
      const signed = await getSignedUrl(client, new GetObjectCommand({ Bucket: BUCKET, Key: key }))
      expect(await send(signed)).toMatchObject({ status: 200, body: key })
    }
  })

  test('comes back from the store whatever its characters', async () => {
    const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(key, async name => {
        await put(name, name)
        expect(await read(name)).toBe(name)
      }),
      { numRuns: 25 },
    )
  })

  test('is at most 1024 bytes long', async () => {
    await expect(put('ü'.repeat(513), 'x')).rejects.toMatchObject({ name: 'KeyTooLongError' })
  })

  test('with broken percent encoding is refused before anything else', async () => {
    const reply = await send(`${url}/${BUCKET}/%zz`)
    expect([reply.status, codeOf(reply)]).toEqual([400, 'InvalidURI'])
  })
})

describe('a listing', () => {
  test('is in the order of UTF-8 bytes and describes each object', async () => {
    const keys = ['b', 'a', 'B', 'é', '\ufb01', '🍷', 'a/b']
    for (const key of keys) await put(key, 'four')
    const answer = await list()
    expect(answer.keys).toEqual(['B', 'a', 'a/b', 'b', 'é', '\ufb01', '🍷'])
    expect(answer).toMatchObject({ KeyCount: 7, IsTruncated: false, Name: BUCKET })
    expect(answer.Contents?.[0]).toMatchObject({ Size: 4, StorageClass: 'STANDARD', ChecksumAlgorithm: ['CRC32'] })
    expect(answer.Contents?.[0]?.ETag).toMatch(/^"[0-9a-f]{32}"$/)
  })

  test('spells markup and control characters so that they come back', async () => {
    const keys = ['<a> & "b"', 'line\nbreak', "quote's"]
    for (const key of keys) await put(key, 'x')
    expect((await list()).keys.sort()).toEqual([...keys].sort())
    expect((await list({ EncodingType: 'url' })).keys).toContain('%3Ca%3E%20%26%20%22b%22')
  })

  test('keeps to its prefix and rolls keys up at the delimiter', async () => {
    for (const key of ['m7/1.pdf', 'm7/2.pdf', 'm7/old/1.pdf', 'm7/old/2.pdf', 'm8/1.pdf', 'top']) await put(key, 'x')
    expect((await list({ Prefix: 'm7/' })).keys).toHaveLength(4)
    const root = await list({ Delimiter: '/' })
    expect([root.keys, root.prefixes, root.KeyCount]).toEqual([['top'], ['m7/', 'm8/'], 3])
    const folder = await list({ Delimiter: '/', Prefix: 'm7/' })
    expect([folder.keys, folder.prefixes]).toEqual([['m7/1.pdf', 'm7/2.pdf'], ['m7/old/']])
    expect((await list({ StartAfter: 'm7/old/1.pdf' })).keys).toEqual(['m7/old/2.pdf', 'm8/1.pdf', 'top'])
  })

  test('tells every key and common prefix exactly once over its pages', async () => {
    for (const key of ['a/', 'a/1', 'a/2', 'a/b/1', 'a/b/2', 'b/1', 'c', 'd/1']) await put(key, 'x')
    for (const MaxKeys of [1, 2, 3]) {
      expect(await allPages({ MaxKeys, Delimiter: '/' })).toEqual(expect.arrayContaining(['a/', 'b/', 'c', 'd/']))
      expect(await allPages({ MaxKeys, Delimiter: '/' })).toHaveLength(4)
      expect(await allPages({ MaxKeys })).toEqual(['a/', 'a/1', 'a/2', 'a/b/1', 'a/b/2', 'b/1', 'c', 'd/1'])
      expect(await allPages({ MaxKeys, Delimiter: '/', Prefix: 'a/' })).toEqual(['a/', 'a/1', 'a/2', 'a/b/'])
    }
    expect(await list({ MaxKeys: 0 })).toMatchObject({ keys: [], IsTruncated: false })
    await expect(list({ ContinuationToken: 'made up' })).rejects.toMatchObject({ name: 'InvalidArgument' })
  })
})

describe('the folder', () => {
  test('holds every object for the next start', async () => {
    for (const key of HOSTILE) await put(key, `content of ${key}`)
    const next = clientOf((await fixture.start()).url)
    for (const key of HOSTILE) expect(await read(key, next)).toBe(`content of ${key}`)
    next.destroy()
  })

  test('loses the unfinished files of a killed process at the next start', async () => {
    await put('kept', 'x')
    await writeFile(join(fixture.dir, '.unfinished', 'half'), 'half an obj')
    await fixture.start()
    expect(await readdir(join(fixture.dir, '.unfinished'))).toEqual([])
    expect((await list()).keys).toEqual(['kept'])
  })

  test('holds nothing of a write that was refused or broken off', async () => {
    await put('taken', 'x')
    const again = new PutObjectCommand({ Bucket: BUCKET, Key: 'taken', Body: 'y', IfNoneMatch: '*' })
    await expect(client.send(again)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await breakOff(await getSignedUrl(quiet(), new PutObjectCommand({ Bucket: BUCKET, Key: 'broken off' })))
    expect((await list()).keys).toEqual(['taken'])
    expect(await read('taken')).toBe('x')
    expect(await readdir(join(fixture.dir, '.unfinished'))).toEqual([])
  })

  test('belongs to buckets with proper names only', async () => {
    await expect(fixture.start({ buckets: ['../outside'] })).rejects.toThrow('is no bucket name')
  })
})
