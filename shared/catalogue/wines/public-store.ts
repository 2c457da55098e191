import { Problem } from '../../contract/errors.ts'
import type { PublicWine } from '../../contract/records/wine.ts'
import { key, lastNumber, merchantIdOf, partition, sortKeyPrefix } from '../../platform/table/keys.ts'
import { getItem, queryEntries } from '../../platform/table/table.ts'
import { isPathSegment } from './store.ts'
import { publicWineOf, type StoredWine, shardOf, showsSheet, wineOf } from './stored.ts'

/** What names a publicly visible wine. */
export type PublicName = {
  id?: number | null | undefined
  hash?: string | null | undefined
  path_segment?: string | null | undefined
}

const notFound = () => new Problem('wine_not_found')

const readPublic = async (id: number): Promise<PublicWine | undefined> => {
  const item = await getItem(key('publicWine', { shard: shardOf(id), id }), { eventual: true })
  return item && 'doc' in item ? publicWineOf(item) : undefined
}

// Wines from before owners were written are told by what is public of them.
const ownerOf = async (id: number): Promise<number | undefined> =>
  ((await getItem(key('wineOwner', { id }))) ?? (await readPublic(id)))?.customers_id

/** A wine whose sheet anybody may have, as its merchant has it at this moment; undefined when there is none of the id. */
export const readShown = async (id: number): Promise<StoredWine | undefined> => {
  const owner = await ownerOf(id)
  const item = owner === undefined ? undefined : await getItem(key('wine', { merchant: merchantIdOf(owner), id }))
  const wine = item && wineOf(item)
  return wine && showsSheet(wine) ? wine : undefined
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
  return first
}
