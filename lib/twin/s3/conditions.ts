import { S3Error } from './errors.ts'
import type { ObjectMeta, Precondition } from './object-store.ts'
import type { Headers } from './request.ts'

/** A span of bytes, both ends included, as Range headers count. */
export type ByteRange = { start: number; end: number }

const preconditionFailed = (condition: string): S3Error =>
  new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    Condition: condition,
  })

const bare = (etag: string): string => etag.trim().replace(/^W\//, '').replace(/^"|"$/g, '')

const names = (list: string, etag: string): boolean =>
  list.split(',').some(entry => entry.trim() === '*' || bare(entry) === bare(etag))

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

const laterThan = (meta: ObjectMeta, date: string): boolean | undefined => {
  const limit = Date.parse(date)
  return Number.isNaN(limit) ? undefined : seconds(meta.modified) > seconds(limit)
}

/** Whether a read may answer 304 without a body; throws PreconditionFailed when a condition of the request fails. */
export const isUnmodified = (meta: ObjectMeta, headers: Headers): boolean => {
  const { 'if-match': match, 'if-unmodified-since': unmodifiedSince } = headers
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = headers
  if (match !== undefined && !names(match, meta.etag)) throw preconditionFailed('If-Match')
  if (match === undefined && unmodifiedSince !== undefined && laterThan(meta, unmodifiedSince)) {
    throw preconditionFailed('If-Unmodified-Since')
  }
  if (noneMatch !== undefined) return names(noneMatch, meta.etag)
  return modifiedSince !== undefined && laterThan(meta, modifiedSince) === false
}

/** The condition a write or delete puts on the present object: `If-None-Match: *` and `If-Match`. */
export const writeCondition = (headers: Headers): Precondition => {
  const { 'if-none-match': noneMatch, 'if-match': match } = headers
  if (noneMatch !== undefined && noneMatch.trim() !== '*') {
    throw new S3Error('NotImplemented', 'A write takes no If-None-Match but *', { Header: 'If-None-Match' })
  }
  return present => {
    if (noneMatch !== undefined && present) throw preconditionFailed('If-None-Match')
    if (match === undefined) return
    if (!present) throw new S3Error('NoSuchKey', 'The specified key does not exist.')
    if (!names(match, present.etag)) throw preconditionFailed('If-Match')
  }
}

/** The one range a Range header asks for, undefined for the whole object; throws InvalidRange when no byte is in it. */
export const parseRange = (header: string | undefined, size: number): ByteRange | undefined => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end) return { start, end }
  throw new S3Error('InvalidRange', 'The requested range is not satisfiable', {
    RangeRequested: header ?? '',
    ActualObjectSize: String(size),
  })
}
