import { readFileSync } from 'node:fs'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { Problem } from '../contract/errors.ts'
import { matchesEtag, preferredEncoding } from '../platform/cache.ts'

/** The folder next to a bundle with the files of the reference page. */
export const servedFolder = 'served'

/** The file of the page itself. */
export const pageFile = 'index.html'

/** The file with the digests of the page's files, by name. */
export const digestsFile = 'digests.json'

/** The encodings in which each file of the page is also stored, with the file's ending. */
export const encodings = { br: '.br', gzip: '.gz' } as const
type Encoding = keyof typeof encodings

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** `max-age` of the reference, in seconds. */
export const maxAge = 300

// The stack's build copies the files next to the bundle.
const read = (file: string): Buffer => readFileSync(new URL(`./${servedFolder}/${file}`, import.meta.url))

/** Returns the text of a file of the page. */
export const textOf = (file: string): string => read(file).toString()

let digests: ReadonlyMap<string, string> | undefined

/** Returns the digest of a file of the page; undefined if there is no such file. */
export const digestOf = (file: string): string | undefined => {
  digests ??= new Map(Object.entries(JSON.parse(textOf(digestsFile))))
  return digests.get(file)
}

const bodies = new Map<string, string>()

const bodyOf = (file: string): string => {
  const body = bodies.get(file) ?? read(file).toString('base64')
  bodies.set(file, body)
  return body
}

type Headers = Readonly<Record<string, string | undefined>>

const fileReply = (file: string, digest: string, headers: Headers, cacheHeaders: Record<string, string>): Reply => {
  const encoding = preferredEncoding(headers['accept-encoding'], Object.keys(encodings) as Encoding[])
  // A strong ETag: each encoding has its own.
  const etag = `"${digest}${encoding ? `-${encoding}` : ''}"`
  const common = { etag, vary: 'accept-encoding', ...cacheHeaders }
  if (matchesEtag(etag, headers['if-none-match'])) return { statusCode: 304, headers: common }
  return {
    statusCode: 200,
    headers: {
      ...common,
      'content-type': types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      ...(encoding && { 'content-encoding': encoding }),
    },
    body: bodyOf(file + (encoding ? encodings[encoding] : '')),
    isBase64Encoded: true,
  }
}

/**
 * Returns a file of the page, or 304 if If-None-Match has its ETag. The response is immutable if `v` is the digest of the
 * file, as in the page's links. Throws asset_not_found.
 */
export const assetReply = ({ file, v }: { file: string; v?: string | undefined }, headers: Headers): Reply => {
  const digest = digestOf(file)
  if (!digest) throw new Problem('asset_not_found')
  return fileReply(file, digest, headers, {
    'cache-control': v === digest ? 'public, max-age=31536000, immutable' : `public, max-age=${maxAge}`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  })
}
