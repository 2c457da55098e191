import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { matchesEtag } from '../platform/cache.ts'
import { maxAge, servedFolder } from './assets.ts'

/** The name of the typed client's package, next to the bundle and in the URL. */
export const packageFile = 'weinkontor-client.tgz'

let file: { body: string; etag: string } | undefined

const read = (): { body: string; etag: string } => {
  // The stack's build copies the file next to the bundle.
  const bytes = readFileSync(new URL(`./${servedFolder}/${packageFile}`, import.meta.url))
  return { body: bytes.toString('base64'), etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** Returns the typed client as an npm package, or 304 if If-None-Match has its ETag. */
export const clientPackageReply = (ifNoneMatch: string | undefined): Reply => {
  file ??= read()
  const { body, etag } = file
  const headers = { etag, 'cache-control': `public, max-age=${maxAge}` }
  if (matchesEtag(etag, ifNoneMatch)) return { statusCode: 304, headers }
  return { statusCode: 200, headers: { ...headers, 'content-type': 'application/gzip' }, body, isBase64Encoded: true }
}
