import { S3Error } from './errors.ts'
import type { ObjectMeta } from './object-store.ts'
import type { Operation } from './operation.ts'
import type { S3Request } from './request.ts'
import { uriEncode, uriEncodePath } from './uri.ts'
import { nest, text, xmlDocument } from './xml.ts'

type Entry = { name: string; object?: ObjectMeta }
type Page = { entries: Entry[]; truncated: boolean }
type Token = { kind: 'key' | 'prefix'; name: string }
type Question = { prefix: string; delimiter: string; limit: number; token: Token | undefined; startAfter: string }

const MAX_KEYS = 1000
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
const PARAMETERS = [
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
  'fetch-owner',
]

/** ListObjectsV2: keys in the order of their UTF-8 bytes, at most 1000 a page, rolled up at the delimiter. */
export const listObjects: Operation = {
  action: 's3:ListBucket',
  parameters: ['list-type', ...PARAMETERS],
  run: async ({ request, store }) => {
    const question = readQuestion(request)
    const page = pageOf(await store.list(request.bucket), question)
    const body = listDocument(request, question, page)
    return { status: 200, headers: { 'content-type': 'application/xml' }, body }
  },
}

const readQuestion = ({ query }: S3Request): Question => {
  const limit = query.get('max-keys') ?? String(MAX_KEYS)
  if (!/^\d{1,9}$/.test(limit)) {
    throw new S3Error('InvalidArgument', 'Provided max-keys not an integer or within integer range')
  }
  const encoding = query.get('encoding-type') ?? 'url'
  if (encoding !== 'url') throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request')
  const token = query.get('continuation-token')
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    limit: Math.min(Number(limit), MAX_KEYS),
    token: token === undefined ? undefined : readToken(token),
    startAfter: query.get('start-after') ?? '',
  }
}

const writeToken = ({ name, object }: Entry): string =>
  Buffer.from(`${object ? 'key' : 'prefix'} ${name}`).toString('base64')

const readToken = (token: string): Token => {
  const [, kind, name] = /^(key|prefix) (.+)$/s.exec(Buffer.from(token, 'base64').toString()) ?? []
  if (kind && name) return { kind: kind === 'key' ? 'key' : 'prefix', name }
  throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect')
}

const byBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))

const pageOf = (objects: ObjectMeta[], question: Question): Page => {
  const { prefix, delimiter, limit, token, startAfter } = question
  const matching = objects
    .filter(({ key }) => key.startsWith(prefix) && isLater(key, token, startAfter))
    .sort((left, right) => byBytes(left.key, right.key))
  const entries = new Map<string, Entry>()
  for (const object of matching) {
    const cut = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length)
    const name = cut < 0 ? object.key : object.key.slice(0, cut + delimiter.length)
    entries.set(name, cut < 0 ? { name, object } : { name })
    if (entries.size > limit) break
  }
  return { entries: [...entries.values()].slice(0, limit), truncated: limit > 0 && entries.size > limit }
}

const isLater = (key: string, token: Token | undefined, startAfter: string): boolean => {
  if (token === undefined) return startAfter === '' || byBytes(key, startAfter) > 0
  // A page that ended with a common prefix has told of every key below it.
  if (token.kind === 'prefix' && key.startsWith(token.name)) return false
  return byBytes(key, token.name) > 0
}

const listDocument = (request: S3Request, question: Question, { entries, truncated }: Page): string => {
  const { query } = request
  const spell = query.has('encoding-type') ? uriEncodePath : (name: string) => name
  const echo = (element: string, parameter: string, write = (value: string) => value) => {
    const value = query.get(parameter)
    return value === undefined ? undefined : text(element, write(value))
  }
  const last = entries.at(-1)
  const result = nest(
    'ListBucketResult',
    text('Name', request.bucket),
    text('Prefix', spell(question.prefix)),
    echo('Delimiter', 'delimiter', query.has('encoding-type') ? uriEncode : undefined),
    echo('StartAfter', 'start-after', spell),
    echo('ContinuationToken', 'continuation-token'),
    echo('EncodingType', 'encoding-type'),
    text('KeyCount', entries.length),
    text('MaxKeys', question.limit),
    text('IsTruncated', truncated),
    truncated && last ? text('NextContinuationToken', writeToken(last)) : undefined,
    ...entries.map(({ object }) => object && contents(object, spell)),
    ...entries.map(({ name, object }) => (object ? undefined : nest('CommonPrefixes', text('Prefix', spell(name))))),
  )
  return xmlDocument(result.replace('<ListBucketResult>', `<ListBucketResult xmlns="${NAMESPACE}">`))
}

const contents = (object: ObjectMeta, spell: (name: string) => string): string =>
  nest(
    'Contents',
    text('Key', spell(object.key)),
    text('LastModified', new Date(object.modified).toISOString()),
    text('ETag', object.etag),
    ...Object.keys(object.checksums).map(name => text('ChecksumAlgorithm', name.replace(/.*-/, '').toUpperCase())),
    text('Size', object.size),
    text('StorageClass', 'STANDARD'),
  )
