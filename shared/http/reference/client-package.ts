import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { isNamed } from '../../platform/cache.ts'
import { seconds, servedFolder } from './assets.ts'

/** The typed client as a file beside the bundle, and in the URL. */
export const packageFile = 'weinkontor-client.tgz'

let served: { body: string; etag: string } | undefined

const read = (): { body: string; etag: string } => {
  // The stack's build puts the file beside the bundle.
  const bytes = readFileSync(new URL(`./${servedFolder}/${packageFile}`, import.meta.url))
  return { body: bytes.toString('base64'), etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** The typed client as npm installs it; 304 when the caller has it by its ETag. */
export const clientPackageReply = (ifNoneMatch: string | undefined): Reply => {
  served ??= read()
  const { body, etag } = served
  const headers = { etag, 'cache-control': `public, max-age=${seconds}` }
  if (isNamed(etag, ifNoneMatch)) return { statusCode: 304, headers }
  return { statusCode: 200, headers: { ...headers, 'content-type': 'application/gzip' }, body, isBase64Encoded: true }
}
