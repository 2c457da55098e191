/* The S3 client behind files.ts, which documents these functions. */

import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { Unavailable } from '../table/failures.ts'
import { signedFields, type Upload, type UploadForm } from './upload-form.ts'

let made: S3Client | undefined

// Made when it is first needed, as it takes its time.
const client = (): S3Client => {
  made ??= new S3Client({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  })
  return made
}

// Read at each use, because tools learn it after they loaded this module.
// The commands are made before they are tried, so that this error is not taken for an error of S3.
const bucket = (): string => {
  const name = process.env.BUCKET_NAME
  if (!name) throw new Error('BUCKET_NAME is not set: it names the bucket of the files')
  return name
}

/** An object's bytes and its ETag, with quotes as HTTP has it. */
export type StoredFile = { body: Buffer; etag: string }

type S3Failure = Error & {
  $metadata?: { httpStatusCode?: number }
  $response?: { headers: Record<string, string> }
}

const isS3Failure = (error: unknown): error is S3Failure => error instanceof Error

const statusOf = (error: unknown): number => (isS3Failure(error) ? (error.$metadata?.httpStatusCode ?? 0) : 0)

const etagOf = (error: unknown): string => (isS3Failure(error) ? (error.$response?.headers.etag ?? '') : '')

const unavailable = (error: unknown): never => {
  const status = statusOf(error)
  if (isS3Failure(error) && (status === 0 || status >= 500)) throw new Unavailable(error.name, { cause: error })
  throw error
}

/** Returns the response of S3; undefined for 404. Functions that may read may also list, so 403 is an error (lib/stack/rights.ts). */
const whereThereIsOne = async <Result>(ask: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await ask()
  } catch (error) {
    if (statusOf(error) === 404) return undefined
    return unavailable(error)
  }
}

type Content = Pick<GetObjectCommandOutput, 'Body' | 'ContentLength'>

/** The bytes of a response; undefined if there are more than `most`. */
const bytesOf = async ({ Body, ContentLength = 0 }: Content, most = Number.POSITIVE_INFINITY) => {
  if (ContentLength <= most) return Buffer.from((await Body?.transformToByteArray()) ?? [])
  // Nothing more of it comes over the wire.
  if (Body instanceof Readable) Body.destroy()
  return undefined
}

export const readFile = (key: string, most?: number): Promise<StoredFile | undefined> => {
  const command = new GetObjectCommand({ Bucket: bucket(), Key: key })
  return whereThereIsOne(async () => {
    const { ETag = '', ...content } = await client().send(command)
    return { body: (await bytesOf(content, most)) ?? Buffer.alloc(0), etag: ETag }
  })
}

export const fileExists = async (key: string): Promise<boolean> => {
  const command = new HeadObjectCommand({ Bucket: bucket(), Key: key })
  return (await whereThereIsOne(() => client().send(command))) !== undefined
}

/** An object without its bytes; `checksum` is their CRC-32 as S3 and checksum.ts write it. */
export type FileHead = { etag: string; metadata: Record<string, string>; checksum: string | undefined }

export const readHead = (key: string): Promise<FileHead | undefined> => {
  const command = new HeadObjectCommand({ Bucket: bucket(), Key: key, ChecksumMode: 'ENABLED' })
  return whereThereIsOne(async () => {
    const { ETag = '', Metadata = {}, ChecksumCRC32 } = await client().send(command)
    return { etag: ETag, metadata: Metadata, checksum: ChecksumCRC32 }
  })
}

/** An object or a range of it as an HTTP response. */
export type Part = { status: 200 | 206 | 304 | 416; headers: Record<string, string>; body?: Buffer }

type Wanted = { range?: string | undefined; ifNoneMatch?: string | undefined; most?: number }

export const readPart = (key: string, { range, ifNoneMatch, most }: Wanted): Promise<Part | undefined> => {
  const command = new GetObjectCommand({ Bucket: bucket(), Key: key, Range: range, IfNoneMatch: ifNoneMatch })
  return whereThereIsOne(async (): Promise<Part> => {
    try {
      const { ETag = '', ContentRange, LastModified, ...content } = await client().send(command)
      const body = await bytesOf(content, most)
      const headers = {
        etag: ETag,
        ...(LastModified && { 'last-modified': LastModified.toUTCString() }),
        ...(ContentRange && { 'content-range': ContentRange }),
      }
      return { status: ContentRange ? 206 : 200, headers, ...(body && { body }) }
    } catch (error) {
      const status = statusOf(error)
      if (status === 304) return { status, headers: { etag: etagOf(error) } }
      if (status === 416) return { status, headers: {} }
      throw error
    }
  })
}

export const readRange = async (key: string, from: number, to: number): Promise<Buffer | undefined> =>
  (await readPart(key, { range: `bytes=${from}-${to - 1}` }))?.body

/** A write's condition: the object has this ETag, does not exist, or none. */
export type Replacing = { etag: string } | 'only if absent' | 'anything'

const conditionOf = (replacing: Replacing): { IfMatch?: string; IfNoneMatch?: string } => {
  if (replacing === 'anything') return {}
  return replacing === 'only if absent' ? { IfNoneMatch: '*' } : { IfMatch: replacing.etag }
}

export const writeFile = async (
  key: string,
  body: Buffer,
  contentType: string,
  replacing: Replacing,
  metadata?: Record<string, string>,
): Promise<boolean> => {
  const command = new PutObjectCommand({
    ...{ Bucket: bucket(), Key: key, Body: body, ContentType: contentType, Metadata: metadata },
    ...conditionOf(replacing),
    // Snapshots compare what readHead returns of it.
    ChecksumAlgorithm: 'CRC32',
  })
  try {
    await client().send(command)
    return true
  } catch (error) {
    // 409: another conditional write of the same object was under way.
    if ([409, 412].includes(statusOf(error))) return false
    return unavailable(error)
  }
}

export const removeFile = async (key: string): Promise<void> => {
  const command = new DeleteObjectCommand({ Bucket: bucket(), Key: key })
  try {
    await client().send(command)
  } catch (error) {
    unavailable(error)
  }
}

export const presignedLink = (
  key: string,
  seconds: number,
  contentType: string,
  disposition: string,
): Promise<string> =>
  getSignedUrl(
    client(),
    new GetObjectCommand({
      Bucket: bucket(),
      Key: key,
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition,
    }),
    { expiresIn: seconds },
  )

export const uploadForm = async (upload: Omit<Upload, 'bucket'>, seconds: number): Promise<UploadForm> => {
  const place = { Bucket: bucket(), Key: upload.key }
  const { credentials, region } = client().config
  const [link, signer, inRegion] = await Promise.all([
    getSignedUrl(client(), new PutObjectCommand(place)),
    credentials(),
    region(),
  ])
  const fields = signedFields({ ...upload, bucket: place.Bucket }, signer, {
    region: inRegion,
    now: Date.now(),
    seconds,
  })
  // The bucket's address: that of an object without its key.
  return { url: link.slice(0, link.indexOf(upload.key)), fields }
}
