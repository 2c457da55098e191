import { Problem } from '../../contract/errors.ts'
import { type ConsumerInformation, informationOf } from '../../contract/records/consumer-information.ts'
import type { Wine } from '../../contract/records/wine.ts'
import type { Page } from '../../contract/schema/lists.ts'
import { key, type MerchantId } from '../../platform/table/keys.ts'
import { getItem, getItems } from '../../platform/table/table.ts'
import { asSoldBy } from '../../values/money.ts'
import { isInShop } from '../goods.ts'
import { cachedRecords } from '../records.ts'
import { isPathSegment, type StoredWine, wineOf, wireWine } from './stored.ts'

type Named = { id: number; name: string }

// Names are of minor importance: slightly old names are better than a read with each page.
const namesLagMs = 5000

/** The names of categories by id; read again if a wine has a category that is not cached yet. */
const namesOf = async (merchant: MerchantId, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Named>> => {
  if (ids.size === 0) return new Map()
  let names = new Map<number, Named>()
  for (const lag of [namesLagMs, 0]) {
    const records = await cachedRecords('category', merchant, lag)
    names = new Map(records.map(({ id, name }) => [id, { id, name }]))
    if ([...ids].every(id => names.has(id))) break
  }
  return names
}

/** Returns a function that adds, to any of some wines, its categories by name, as existing clients read them. */
export const categorizer = async (
  merchant: MerchantId,
  wines: readonly (Pick<Wine, 'categoryIds'> | undefined)[],
): Promise<<W extends Pick<Wine, 'categoryIds'>>(wine: W) => W & { categories: Named[] }> => {
  const names = await namesOf(merchant, new Set(wines.flatMap(wine => wine?.categoryIds ?? [])))
  return wine => ({ ...wine, categories: wine.categoryIds.flatMap(id => names.get(id) ?? []) })
}

type Priced = Pick<Wine, 'gross' | 'bottlesize' | 'type' | 'expertisePdf'>
type Added = ConsumerInformation & { price: string; expertiseStatus: 'OK' | null }

/** A wine as shops read it, with the further names by which existing clients read its fields. */
export const withAliases = <W extends Priced>(wine: W): W & Added => ({
  ...wine,
  ...informationOf(wine),
  price: wine.gross,
  expertiseStatus: wine.expertisePdf === null ? null : 'OK',
})

export const pageWithAliases = <W extends Priced, More>(
  page: Page<W> & More,
): Omit<Page<W> & More, 'data'> & { data: (W & Added)[] } => ({
  ...page,
  data: page.data.map(wine => withAliases(wine)),
})

/** The identifiers of a wine; `inshop` restricts to wines that the shop sells. */
export type WineName = { id?: number | null; path_segment?: string | null; inshop?: 0 | 1 | null | undefined }

const notFound = () => new Problem('wine_not_found')

const wineIdByName = async (merchant: MerchantId, { id, path_segment }: WineName): Promise<number> => {
  if (!path_segment) {
    if (!id) throw new Problem('missing_identifier', { details: '`id` or `path_segment` is required.' })
    return id
  }
  const slug = isPathSegment(path_segment) ? await getItem(key('slug', { merchant, slug: path_segment })) : undefined
  if (!slug) throw notFound()
  if (id && id !== slug.id)
    throw new Problem('identifier_conflict', { details: '`id` and `path_segment` identify different wines.' })
  return slug.id
}

/** Reads a wine as it is stored. Throws wine_not_found. */
export const readWine = async (merchant: MerchantId, id: number): Promise<StoredWine> => {
  const item = await getItem(key('wine', { merchant, id }))
  if (!item) throw notFound()
  return wineOf(item)
}

/** Reads a wine, with its categories by name. Throws missing_identifier, identifier_conflict or wine_not_found. */
export const findWine = async (merchant: MerchantId, name: WineName) => {
  const id = await wineIdByName(merchant, name)
  const [item, seller] = await getItems([key('wine', { merchant, id }), key('merchant', { merchant })])
  if (!item) throw notFound()
  const stored = wineOf(item)
  if (name.inshop && !isInShop(stored)) throw notFound()
  const wine = asSoldBy(seller ?? {}, wireWine(stored))
  const withCategories = await categorizer(merchant, [wine])
  return withCategories(wine)
}
