import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import type { LocalServer } from '../../lib/twin/loopback.ts'
import { type S3Options, startS3 } from '../../lib/twin/s3/server.ts'

/** The one bucket of the tests. */
export const bucket = 'expertise-test'

/** The access key that S3 knows in the tests. */
export const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a-secret-of-the-tests' }

/** An answer over plain HTTP, without a client library. */
export type RawReply = { status: number; headers: IncomingHttpHeaders; body: string }

type Fixture = { folder: string; start(options?: Partial<S3Options>): Promise<LocalServer>; end(): Promise<void> }

/** A folder of its own and a way to start S3 on it; `end` closes what was started and removes the folder. */
export const s3Fixture = async (): Promise<Fixture> => {
  const folder = await mkdtemp(join(tmpdir(), 'twin-s3-'))
  const running: LocalServer[] = []
  const start: Fixture['start'] = async (options = {}) => {
    const s3 = await startS3({
      folder,
      buckets: [bucket],
      secretOf: id => (id === credentials.accessKeyId ? credentials.secretAccessKey : undefined),
      allows: () => true,
      ...options,
    })
    running.push(s3)
    return s3
  }
  const end = async () => {
    for (const s3 of running) await s3.close()
    await rm(folder, { recursive: true })
  }
  return { folder, start, end }
}

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/** The real S3 client, pointed at the twin's; it does not repeat failed requests. */
export const clientOf = (url: string, config: S3ClientConfig = {}): S3Client =>
  new S3Client({
    endpoint: url,
    region: 'eu-central-1',
    forcePathStyle: true,
    credentials,
    maxAttempts: 1,
    logger: silent,
    ...config,
  })

/** Sends one request exactly as given: the path is not normalised as `fetch` would. */
export const send = (
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const [, host = '', port = '', path = ''] = /^http:\/\/([^:/]+):(\d+)(\/.*)$/s.exec(url) ?? []
    const outgoing = request({ host, port, path, method: options.method ?? 'GET', headers: options.headers ?? {} })
    outgoing.on('error', reject)
    outgoing.on('response', incoming => {
      const parts: Buffer[] = []
      incoming.on('data', part => parts.push(part))
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(parts).toString(),
        }),
      )
    })
    outgoing.end(options.body)
  })

/** The error code of a raw reply's XML. */
export const codeOf = (reply: RawReply): string | undefined => /<Code>(.*?)<\/Code>/.exec(reply.body)?.[1]
