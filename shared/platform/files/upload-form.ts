import { createHmac } from 'node:crypto'

/** A POST form of S3: its address, and the fields to send before the field `file`. */
export type UploadForm = { url: string; fields: Record<string, string> }

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }

/** An object that a form may store: its place, media type and size in bytes. */
export type Upload = { bucket: string; key: string; type: string; bytes: number }

/**
 * Signs a policy document in base64 by Signature Version 4; `scope` is `yyyymmdd/region/s3/aws4_request`. Returns the
 * signature in hex.
 */
export const policySignature = (policy: string, secret: string, scope: string): string => {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const signingKey = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(signingKey, policy).toString('hex')
}

/** Returns the fields of a form that stores an object, signed at `now` (milliseconds) and valid for so many seconds. */
export const signedFields = (
  { bucket, key, type, bytes }: Upload,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  { region, now, seconds }: { region: string; now: number; seconds: number },
): Record<string, string> => {
  const date = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const fields = {
    key,
    'Content-Type': type,
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${accessKeyId}/${scope}`,
    'x-amz-date': date,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  }
  const conditions = [
    { bucket },
    ...Object.entries(fields).map(([name, value]) => ['eq', `$${name}`, value]),
    ['content-length-range', bytes, bytes],
  ]
  const expiration = new Date(now + seconds * 1000).toISOString()
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64')
  return { ...fields, policy, 'x-amz-signature': policySignature(policy, secretAccessKey, scope) }
}
