import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { type Kept, kept, keptReply } from '../../platform/cache.ts'
import { digestOf, pageFile, seconds, textOf } from './assets.ts'
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

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const titles = (): string =>
  guides.map(({ title }) => `<li>${title.replaceAll(/[&<>]/g, sign => entities[sign] ?? '')}</li>`).join('\n')

// A name that comes with its digest may be kept for good.
const withDigest = (path: string, file: string): string => `${path}?v=${digestOf(file) ?? ''}`

const text = (): string =>
  textOf(pageFile)
    .replace('<!-- guides -->', titles)
    .replaceAll(/\/docs-assets\/([\w.-]+)/g, withDigest)

let page: Kept | undefined

/** The page itself, for browsers without JavaScript with the guides' titles; 304 when the caller has it by its ETag. */
export const pageReply = (ifNoneMatch: string | undefined): Reply => {
  page ??= kept(text(), 'text/html; charset=utf-8', seconds)
  const { headers, ...reply } = keptReply(page, ifNoneMatch)
  return { ...reply, headers: { ...headers, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' } }
}
