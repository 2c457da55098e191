import { type ErrorWord, Problem } from '../../contract/errors.ts'
import { slug } from '../../values/slug.ts'

/** What names a record of a kind that has names in URLs. */
export type RecordName = { id?: number | null | undefined; path_segment?: string | null | undefined }

type Named = { id: number; path_segment: string | null }

/** A record with its name in URLs. One of an older import got none then; its id keeps this one from being another's. */
export const withSegment = <R extends Named & { name: string }>(record: R): R => ({
  ...record,
  path_segment: record.path_segment ?? `${slug(record.name)}-${record.id}`,
})

/** How the records of a kind are read, and the word for one that is not there. */
export type Reading<R> = {
  missing: ErrorWord
  one(id: number): Promise<R | undefined>
  all(): Promise<readonly R[]>
}

/**
 * The record that a request names, read by one request. Throws missing_identifier, identifier_conflict, or that it is
 * missing.
 */
export const findNamed = async <R extends Named>({ id, path_segment }: RecordName, reading: Reading<R>): Promise<R> => {
  if (!id && !path_segment) throw new Problem('missing_identifier', { details: 'id or path_segment is required' })
  const found = path_segment
    ? (await reading.all()).find(one => one.path_segment === path_segment)
    : await reading.one(id ?? 0)
  if (!found) throw new Problem(reading.missing)
  if (id && id !== found.id)
    throw new Problem('identifier_conflict', { details: 'id and path_segment name different records' })
  return found
}

/** Nothing, for a record that is not there; for `catch`. */
export const unlessMissing = (error: unknown): undefined => {
  if (!(error instanceof Problem) || error.status !== 404) throw error
}
