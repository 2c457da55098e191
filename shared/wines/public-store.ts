import { Problem } from '../contract/errors.ts'
import type { PublicWine } from '../contract/records/wine.ts'
import type { ExpertiseFile } from '../table/items.ts'
import { key, lastNumber, partition, sortKeyPrefix } from '../table/keys.ts'
import { getItem, queryEntries } from '../table/table.ts'
import { shardOf } from './public.ts'
import { isPathSegment } from './store.ts'
import { publicWineOf } from './stored.ts'

/** What names a publicly visible wine. */
export type PublicName = {
  id?: number | null | undefined
  hash?: string | null | undefined
  path_segment?: string | null | undefined
}

const notFound = () => new Problem('wine_not_found')

/** A publicly visible wine, its version where that is known, and the file of its PDF, if there is one yet. */
export type FoundPublic = { wine: PublicWine; version: number | undefined; expertise: ExpertiseFile | undefined }

/** Reads a publicly visible wine; undefined when there is none that everybody may see. */
export const readPublic = async (id: number): Promise<FoundPublic | undefined> => {
  const item = await getItem(key('publicWine', { shard: shardOf(id), id }))
  if (!item || 'removed' in item) return undefined
  return { wine: publicWineOf(item), version: item.version, expertise: item.expertise }
}

const idOfHash = async (hash: string): Promise<number | undefined> => {
  if (!/^[0-9a-f]{32}$/.test(hash)) return undefined
  const pointer = await getItem(key('publicHash', { hash }))
  return pointer?.id
}

// Several merchants may show a wine of one path_segment; then it names none.
const idOfSlug = async (slug: string): Promise<number | undefined> => {
  if (!isPathSegment(slug)) return undefined
  const prefix = sortKeyPrefix('publicSlug', { slug })
  const [pointer, ...others] = await queryEntries({ pk: partition('publicSlug', {}), prefix, limit: 2 })
  return pointer && others.length === 0 ? lastNumber(pointer.sk) : undefined
}

const idsOf = ({ id, hash, path_segment }: PublicName): Promise<(number | undefined)[]> =>
  Promise.all([
    ...(id ? [id] : []),
    ...(hash ? [idOfHash(hash)] : []),
    ...(path_segment ? [idOfSlug(path_segment)] : []),
  ])

/** Reads one publicly visible wine. Throws missing_identifier, identifier_conflict or wine_not_found. */
export const findPublic = async (name: PublicName): Promise<PublicWine> => {
  const ids = await idsOf(name)
  if (ids.length === 0) throw new Problem('missing_identifier', { details: 'id, hash or path_segment is required' })
  // Each of them must be visible, so that a conflict tells nothing of a hidden wine.
  const found = await Promise.all([...new Set(ids)].map(one => one && readPublic(one)))
  const [first, ...others] = found
  if (!first || others.some(other => !other)) throw notFound()
  if (others.length > 0) throw new Problem('identifier_conflict', { details: 'the identifiers name different wines' })
  return first.wine
}
