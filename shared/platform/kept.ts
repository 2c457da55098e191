import { createHash } from 'node:crypto'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'

/** A text that callers may keep: its media type, its ETag, and for how many seconds it may be used unasked. */
export type Kept = { text: string; type: string; etag: string; seconds: number }

/** A text that callers may keep, named by what it says. */
export const kept = (text: string, type: string, seconds: number): Kept => ({
  text,
  type,
  seconds,
  // Weak: compressed it is other bytes, but says the same.
  etag: `W/"${createHash('sha256').update(text).digest('base64url')}"`,
})

const withoutMark = (etag: string): string => etag.trim().replace(/^W\//, '')

/** Whether an If-None-Match names an ETag. RFC 9110, 13.1.2: any one of a list, or `*`; a weak mark does not count. */
export const isNamed = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some(one => ['*', withoutMark(etag)].includes(withoutMark(one))) ?? false

/** The text as a response, or 304 when the caller names it by its ETag. */
export const keptReply = ({ text, type, etag, seconds }: Kept, ifNoneMatch: string | undefined): Reply => {
  const headers = { etag, 'cache-control': `public, max-age=${seconds}` }
  if (isNamed(etag, ifNoneMatch)) return { statusCode: 304, headers }
  return { statusCode: 200, headers: { ...headers, 'content-type': type }, body: text }
}
