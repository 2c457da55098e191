import { readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import fc from 'fast-check'
import { bucket, clientOf, codeOf, s3Fixture, send } from '../support/twin-s3-harness.ts'

const hostile = [
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

const put = (Key: string, Body: string) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))

const read = async (Key: string, from = client) => {
  const response = await from.send(new GetObjectCommand({ Bucket: bucket, Key }))
  return response.Body?.transformToString()
}

/** Sends a PutObject whose body breaks off after the first bytes. */
const breakOff = async (key: string): Promise<void> => {
  const headers = await signedHeaders(key)
  await new Promise<void>(resolve => {
    const upload = request(`${url}/${bucket}/${key}`, {
      method: 'PUT',
      headers: { ...headers, expect: '100-continue' },
    })
    upload.on('continue', () => upload.write('the first bytes', () => upload.destroy()))
    upload.on('error', () => resolve())
    upload.on('close', () => resolve())
  })
}

/** The headers of a signed PutObject with a body of a thousand bytes. */
const signedHeaders = async (Key: string): Promise<Record<string, string>> => {
  let headers: Record<string, string> = {}
  const signer = clientOf(url, {
    requestHandler: {
      handle: async (sent: { headers: Record<string, string> }) => {
        headers = sent.headers
        throw new Error('nothing is sent')
      },
    },
  })
  await signer.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x'.repeat(1000) })).catch(() => {})
  return headers
}

const stored = async (): Promise<string[]> => readdir(join(fixture.folder, bucket))

describe('a key', () => {
  test('may contain any characters: each has its own object, and none leaves the folder', async () => {
    for (const key of hostile) await put(key, `content of ${key}`)
    for (const key of hostile) expect(await read(key)).toBe(`content of ${key}`)
    const files = await readdir(join(fixture.folder, bucket))
    expect(files).toHaveLength(hostile.length)
    expect(files.every(name => /^[0-9a-f]{64}$/.test(name))).toBe(true)
    expect((await readdir(fixture.folder)).sort()).toEqual(['.unfinished', bucket])
  })

  test('may contain any characters in a presigned URL', async () => {
    for (const key of hostile) {
      await put(key, key)
      const signed = await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }))
      expect(await send(signed)).toMatchObject({ status: 200, body: key })
    }
  })

  test('is returned by the store unchanged, whatever its characters', async () => {
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
    const reply = await send(`${url}/${bucket}/%zz`)
    expect([reply.status, codeOf(reply)]).toEqual([400, 'InvalidURI'])
  })
})

describe('the folder', () => {
  test('contains every object for the next start', async () => {
    for (const key of hostile) await put(key, `content of ${key}`)
    const next = clientOf((await fixture.start()).url)
    for (const key of hostile) expect(await read(key, next)).toBe(`content of ${key}`)
    next.destroy()
  })

  test('loses the unfinished files of a killed process at the next start', async () => {
    await put('kept', 'x')
    await writeFile(join(fixture.folder, '.unfinished', 'half'), 'half an obj')
    await fixture.start()
    expect(await readdir(join(fixture.folder, '.unfinished'))).toEqual([])
    expect(await stored()).toHaveLength(1)
    expect(await read('kept')).toBe('x')
  })

  test('contains nothing of a write that was refused or broken off', async () => {
    await put('taken', 'x')
    const again = new PutObjectCommand({ Bucket: bucket, Key: 'taken', Body: 'y', IfNoneMatch: '*' })
    await expect(client.send(again)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await breakOff('broken-off')
    expect(await stored()).toHaveLength(1)
    expect(await read('taken')).toBe('x')
    expect(await readdir(join(fixture.folder, '.unfinished'))).toEqual([])
  })

  test('contains buckets with valid names only', async () => {
    await expect(fixture.start({ buckets: ['../outside'] })).rejects.toThrow('is no bucket name')
  })
})
