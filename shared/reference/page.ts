import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { type CacheableText, cacheableReply, cacheableText } from '../platform/cache.ts'
import { escapeMarkup } from '../values/markup.ts'
import { digestOf, maxAge, pageFile, textOf } from './assets.ts'
import { guides } from './guides.ts'

/**
 * The page's content security policy: only its own files and the service. The renderer inserts styles into the page, so
 * inline styles are allowed; inline scripts are not.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const titles = (): string => guides.map(({ title }) => `<li>${escapeMarkup(title)}</li>`).join('\n')

// A URL with the file's digest is immutable.
const withDigest = (path: string, file: string): string => `${path}?v=${digestOf(file) ?? ''}`

const text = (): string =>
  textOf(pageFile)
    .replace('<!-- guides -->', titles)
    .replaceAll(/\/docs-assets\/([\w.-]+)/g, withDigest)

let page: CacheableText | undefined

/** Returns the page, with the guides' titles for browsers without JavaScript, or 304 if If-None-Match has its ETag. */
export const pageReply = (ifNoneMatch: string | undefined): Reply => {
  page ??= cacheableText(text(), 'text/html; charset=utf-8', maxAge)
  const { headers, ...reply } = cacheableReply(page, ifNoneMatch)
  return { ...reply, headers: { ...headers, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' } }
}
