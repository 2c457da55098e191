import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { Unavailable } from '../table/failures.ts'

const client = new S3Client({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000, throwOnRequestTimeout: true },
})

// Read at each use, for tools learn it after they loaded this module.
const bucket = (): string => process.env.BUCKET_NAME ?? ''

/** An object's bytes and its ETag, with quotes as HTTP has it. */
export type StoredFile = { body: Buffer; etag: string }

type S3Failure = Error & {
  $metadata?: { httpStatusCode?: number }
  $response?: { headers: Record<string, string> }
}

const statusOf = (error: S3Failure): number => error.$metadata?.httpStatusCode ?? 0

const unavailable = (error: S3Failure): never => {
  const status = statusOf(error)
  if (status === 0 || status >= 500) throw new Unavailable(error.name, { cause: error })
  throw error
}

/** Reads an object; undefined when there is none. */
export const readFile = async (key: string): Promise<StoredFile | undefined> => {
  try {
    const { Body, ETag = '' } = await client.send(new GetObjectCommand({ Bucket: bucket(), Key: key }))
    return { body: Buffer.from((await Body?.transformToByteArray()) ?? []), etag: ETag }
  } catch (error) {
    // A role that may not list the bucket is told 403, not 404, of a missing object.
    if ([403, 404].includes(statusOf(error as S3Failure))) return undefined
    return unavailable(error as S3Failure)
  }
}

/** Whether there is an object. */
export const fileExists = async (key: string): Promise<boolean> => {
  try {
    await client.send(new HeadObjectCommand({ Bucket: bucket(), Key: key }))
    return true
  } catch (error) {
    if ([403, 404].includes(statusOf(error as S3Failure))) return false
    return unavailable(error as S3Failure)
  }
}

/** What HTTP answers for an object or a range of it: status, headers, and the bytes where the status has any. */
export type Part = { status: 200 | 206 | 304 | 416; headers: Record<string, string>; body?: Buffer }

/** Reads an object as HTTP's Range and If-None-Match ask for it; undefined when there is none. */
export const readPart = async (
  key: string,
  { range, ifNoneMatch }: { range?: string | undefined; ifNoneMatch?: string | undefined },
): Promise<Part | undefined> => {
  try {
    const command = new GetObjectCommand({ Bucket: bucket(), Key: key, Range: range, IfNoneMatch: ifNoneMatch })
    const { Body, ETag = '', ContentRange, LastModified } = await client.send(command)
    const body = Buffer.from((await Body?.transformToByteArray()) ?? [])
    const headers = {
      etag: ETag,
      ...(LastModified && { 'last-modified': LastModified.toUTCString() }),
      ...(ContentRange && { 'content-range': ContentRange }),
    }
    return { status: ContentRange ? 206 : 200, headers, body }
  } catch (error) {
    const status = statusOf(error as S3Failure)
    if (status === 304) return { status, headers: { etag: (error as S3Failure).$response?.headers.etag ?? '' } }
    if (status === 416) return { status, headers: {} }
    if ([403, 404].includes(status)) return undefined
    return unavailable(error as S3Failure)
  }
}

/** What an object replaces: nothing may be there, or just the version that was read. */
export type Replacing = { etag: string } | 'nothing'

/** Writes an object; false when something else than `replacing` says is there by now. */
export const writeFile = async (
  key: string,
  body: Buffer,
  contentType: string,
  replacing: Replacing,
): Promise<boolean> => {
  const condition = replacing === 'nothing' ? { IfNoneMatch: '*' } : { IfMatch: replacing.etag }
  const input = { Bucket: bucket(), Key: key, Body: body, ContentType: contentType, ...condition }
  try {
    await client.send(new PutObjectCommand(input))
    return true
  } catch (error) {
    // 409: another conditional write of the same object was under way.
    if ([409, 412].includes(statusOf(error as S3Failure))) return false
    return unavailable(error as S3Failure)
  }
}

/** A link that reads one object, for as many seconds, under the file name and content type given. */
export const presignedLink = (
  key: string,
  seconds: number,
  contentType: string,
  disposition: string,
): Promise<string> =>
  getSignedUrl(
    client,
    new GetObjectCommand({
      Bucket: bucket(),
      Key: key,
      ResponseContentType: contentType,
      ResponseContentDisposition: disposition,
    }),
    { expiresIn: seconds },
  )
