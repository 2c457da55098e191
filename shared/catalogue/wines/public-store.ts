import { Problem } from '../../contract/errors.ts'
import { type ConsumerInformation, withInformation } from '../../contract/records/consumer-information.ts'
import type { PublicWine } from '../../contract/records/wine.ts'
import { key, lastNumber, merchantIdOf, partition, sortKeyPrefix } from '../../platform/table/keys.ts'
import { getItem, queryEntries } from '../../platform/table/table.ts'
import { asSoldBy } from '../../values/money.ts'
import type { RecordName } from '../records.ts'
import { isPathSegment, publicWineOf, type StoredWine, shardOf, showsPdf, wineOf } from './stored.ts'

/** The identifiers of a public wine. */
export type PublicName = RecordName & { hash?: string | null | undefined }

const notFound = () => new Problem('wine_not_found')

const readPublic = async (id: number): Promise<PublicWine | undefined> => {
  const item = await getItem(key('publicWine', { shard: shardOf(id), id }), { eventual: true })
  return item && 'doc' in item ? publicWineOf(item) : undefined
}

// Wines of older releases have no owner item; their public record names the merchant.
const ownerOf = async (id: number): Promise<number | undefined> =>
  ((await getItem(key('wineOwner', { id }))) ?? (await readPublic(id)))?.customers_id

/** Reads the current record of a wine whose PDF is public; undefined if the wine does not exist or its PDF is not public. */
export const readWineOfPublicPdf = async (id: number): Promise<StoredWine | undefined> => {
  const owner = await ownerOf(id)
  const item = owner === undefined ? undefined : await getItem(key('wine', { merchant: merchantIdOf(owner), id }))
  const wine = item && wineOf(item)
  return wine && showsPdf(wine) ? wine : undefined
}

const idOfHash = async (hash: string): Promise<number | undefined> =>
  /^[0-9a-f]{32}$/.test(hash) ? (await getItem(key('publicHash', { hash })))?.id : undefined

// A path_segment that several merchants use for public wines identifies none of them.
const idOfSlug = async (slug: string): Promise<number | undefined> => {
  if (!isPathSegment(slug)) return undefined
  const prefix = sortKeyPrefix('publicSlug', { slug })
  const [pointer, ...others] = await queryEntries({ pk: partition('publicSlug', {}), prefix, limit: 2 })
  return pointer && others.length === 0 ? lastNumber(pointer.sk) : undefined
}

/** Reads a public wine. Throws missing_identifier, identifier_conflict or wine_not_found. */
export const findPublic = async ({ id, hash, path_segment }: PublicName): Promise<PublicWine & ConsumerInformation> => {
  const ids = await Promise.all([
    ...(id ? [id] : []),
    ...(hash ? [idOfHash(hash)] : []),
    ...(path_segment ? [idOfSlug(path_segment)] : []),
  ])
  if (ids.length === 0)
    throw new Problem('missing_identifier', { details: '`id`, `hash` or `path_segment` is required.' })
  // Each of them must be public, so that a conflict reveals nothing of a hidden wine.
  const found = await Promise.all([...new Set(ids)].map(one => one && readPublic(one)))
  const [first, ...others] = found
  if (!first || others.some(other => !other)) throw notFound()
  if (others.length > 0)
    throw new Problem('identifier_conflict', { details: 'The identifiers belong to different wines.' })
  const seller = await getItem(key('merchant', { merchant: merchantIdOf(first.customers_id) }), { eventual: true })
  return withInformation(asSoldBy(seller ?? {}, first))
}
