import { Problem } from '../../contract/errors.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem } from '../../platform/table/table.ts'
import { categorizer } from './aliases.ts'
import { type StoredWine, wineOf, wireWine } from './stored.ts'

/** What names a wine; with `inshop` only one that its shop sells is there. */
export type WineName = { id?: number | null; path_segment?: string | null; inshop?: 0 | 1 | null | undefined }

const notFound = () => new Problem('wine_not_found')

/** Whether a wine can have the path_segment; the table refuses to look for much longer ones. */
export const isPathSegment = (text: string): boolean => /^[a-z0-9-]{1,255}$/.test(text)

const idOf = async (merchant: MerchantId, { id, path_segment }: WineName): Promise<number> => {
  if (!path_segment) {
    if (!id) throw new Problem('missing_identifier', { details: 'id or path_segment is required' })
    return id
  }
  const slug = isPathSegment(path_segment) ? await getItem(key('slug', { merchant, slug: path_segment })) : undefined
  if (!slug) throw notFound()
  if (id && id !== slug.id)
    throw new Problem('identifier_conflict', { details: 'id and path_segment name different wines' })
  return slug.id
}

/** Reads one wine with what is kept beside the record. Throws wine_not_found. */
export const readWine = async (merchant: MerchantId, id: number): Promise<StoredWine> => {
  const item = await getItem(key('wine', { merchant, id }))
  if (!item) throw notFound()
  return wineOf(item)
}

/** Reads one wine, with its categories by name. Throws missing_identifier, identifier_conflict or wine_not_found. */
export const findWine = async (merchant: MerchantId, name: WineName) => {
  const wine = wireWine(await readWine(merchant, await idOf(merchant, name)))
  if (name.inshop && !(wine.active && wine.shop)) throw notFound()
  const withCategories = await categorizer(merchant, [wine])
  return withCategories(wine)
}
