import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Head, headElements } from './head.ts'

const folder = join(import.meta.dirname, 'pages')

const vendor: Readonly<Record<string, string>> = {
  '/shop/vendor/preact.js': fileURLToPath(import.meta.resolve('htm/preact/standalone')),
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'", "font-src 'self'"],
  ...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
].join('; ')

/** The headers of every response of the shop. */
export const safeHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

const compress = promisify(gzip)

/** The file at a path below /shop/pages/ or /shop/vendor/; undefined for any other path. */
const fileAt = (path: string): string | undefined => {
  const [, name] = /^\/shop\/pages\/((?:[a-z0-9-]+\/)*[a-z0-9-]+\.(?:js|css|svg|woff2))$/.exec(path) ?? []
  return name ? join(folder, name) : Object.hasOwn(vendor, path) ? vendor[path] : undefined
}

/** `type` is a file extension. */
type Content = { body: string | Buffer; type: string; status?: number }

const respond = async (request: Request, { body, type, status = 200 }: Content): Promise<Response> => {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = new Headers({
    'content-type': types[type] ?? 'application/octet-stream',
    // Pages are revalidated at each visit, so that a change shows at the next reload; a font's name has a number.
    'cache-control': type === '.woff2' ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary: 'accept-encoding, accept-language',
  })
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  // Fonts are compressed already.
  const isPlain = type === '.woff2' || !/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (isPlain) return new Response(Buffer.from(body), { status, headers })
  headers.set('content-encoding', 'gzip')
  return new Response(await compress(body), { status, headers })
}

/** Serves a file of the pages, or the page that `pageAt` returns for a path without a file. */
export const serveFile = async (request: Request, path: string, pageAt: () => Promise<Content>): Promise<Response> => {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, HEAD' } })
  const file = fileAt(path)
  if (!file) return respond(request, await pageAt())
  const body = await readFile(file).catch(() => undefined)
  if (!body) return new Response('Not found', { status: 404 })
  return respond(request, { body, type: extname(file) })
}

/** The HTML of every page: its scripts show the view of its path. */
export const pageWith = async (head: Head): Promise<Content> => {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const body = html.replace('<!-- head -->', () => headElements(head)).replace('lang="de"', `lang="${head.language}"`)
  return { body, type: '.html', status: head.status }
}
