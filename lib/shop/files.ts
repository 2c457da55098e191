import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { placeOf } from './pages/router.js'

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
}

const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'", "font-src 'self'"],
  ...["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
].join('; ')

/** The headers of every answer of the shop. */
export const safeHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

const compressed = promisify(gzip)

/** The file at a path below /shop/pages/ or /shop/vendor/. No other file can be asked for. */
const fileAt = (path: string): string | undefined => {
  const [, name] = /^\/shop\/pages\/((?:[a-z0-9-]+\/)*[a-z0-9-]+\.(?:js|css|svg|woff2))$/.exec(path) ?? []
  return name ? join(folder, name) : Object.hasOwn(vendor, path) ? vendor[path] : undefined
}

const served = async (request: Request, file: string, status: number): Promise<Response> => {
  const body = await readFile(file).catch(() => undefined)
  if (!body) return new Response('Not found', { status: 404, headers: safeHeaders })
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = new Headers({
    ...safeHeaders,
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    // A page is asked for again at each visit, so that a change shows at the next reload; a font's name has a number.
    'cache-control': file.endsWith('.woff2') ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary: 'accept-encoding',
  })
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  // A font is compressed already.
  const isPlain = file.endsWith('.woff2') || !/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (isPlain) return new Response(body, { status, headers })
  headers.set('content-encoding', 'gzip')
  return new Response(await compressed(body), { status, headers })
}

/** Serves a file of the pages, or the page itself, which finds out by its address what to show. */
export const serveFile = async (request: Request, path: string): Promise<Response> => {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response('Method not allowed', { status: 405, headers: { ...safeHeaders, allow: 'GET, HEAD' } })
  const file = fileAt(path)
  if (file) return served(request, file, 200)
  return served(request, join(folder, 'index.html'), placeOf(path) ? 200 : 404)
}
