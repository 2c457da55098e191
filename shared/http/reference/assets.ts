import { readFileSync } from 'node:fs'
import type { APIGatewayProxyStructuredResultV2 as Reply } from 'aws-lambda'
import { Problem } from '../../contract/errors.ts'
import { encodingFor, isNamed } from '../../platform/cache.ts'

/** The folder beside a bundle where the files of the reference page are. */
export const servedFolder = 'served'

/** The page itself, as a file. */
export const pageFile = 'index.html'

/** The file that lists the files of the page: a digest of each one's content by its name. */
export const digestsFile = 'digests.json'

/** The encodings in which each file of the page is stored beside its plain form: the file's ending by the name of the encoding. */
export const encodings = { br: '.br', gzip: '.gz' } as const
type Encoding = keyof typeof encodings

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** For how many seconds a caller may use what it got without asking. */
export const seconds = 300

// The stack's build puts the files beside the bundle.
const read = (file: string): Buffer => readFileSync(new URL(`./${servedFolder}/${file}`, import.meta.url))

/** The text of a file beside the bundle. */
export const textOf = (file: string): string => read(file).toString()

let digests: ReadonlyMap<string, string> | undefined

/** The digest of a file that the page asks for; undefined where there is none of the name. */
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

const fileReply = (file: string, digest: string, headers: Headers, more: Record<string, string>): Reply => {
  const encoding = encodingFor(headers['accept-encoding'], Object.keys(encodings) as Encoding[])
  // Each encoding has other bytes, so another ETag.
  const etag = `"${digest}${encoding ? `-${encoding}` : ''}"`
  const always = { etag, vary: 'accept-encoding', ...more }
  if (isNamed(etag, headers['if-none-match'])) return { statusCode: 304, headers: always }
  return {
    statusCode: 200,
    headers: {
      ...always,
      'content-type': types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      ...(encoding && { 'content-encoding': encoding }),
    },
    body: bodyOf(file + (encoding ? encodings[encoding] : '')),
    isBase64Encoded: true,
  }
}

/**
 * A file of the page; 304 when the caller has it by its ETag. Under the digest of its content as `v`, as the page asks for
 * it, it may be kept for good. Throws asset_not_found.
 */
export const assetReply = ({ file, v }: { file: string; v?: string | undefined }, headers: Headers): Reply => {
  const digest = digestOf(file)
  if (!digest) throw new Problem('asset_not_found')
  return fileReply(file, digest, headers, {
    'cache-control': v === digest ? 'public, max-age=31536000, immutable' : `public, max-age=${seconds}`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  })
}
