import type { Page } from '../../contract/page.ts'
import type { Wine } from '../../contract/records/wine.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { rememberedRecords } from '../records/remembered.ts'

type Named = { id: number; name: string }

// The names of categories are beside the wine: an older one for a moment is better than asking with each page.
const namesMayLag = 5000

/** The names of categories by id; of wines that name one which is not known yet, read anew. */
const namesOf = async (merchant: MerchantId, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Named>> => {
  if (ids.size === 0) return new Map()
  let names = new Map<number, Named>()
  for (const lag of [namesMayLag, 0]) {
    const records = await rememberedRecords('category', merchant, lag)
    names = new Map(records.map(({ id, name }) => [id, { id, name }]))
    if ([...ids].every(id => names.has(id))) break
  }
  return names
}

/** What gives any of some wines its categories by name, as existing clients read them. */
export const categorizer = async (
  merchant: MerchantId,
  wines: readonly (Pick<Wine, 'categoryIds'> | undefined)[],
): Promise<<W extends Pick<Wine, 'categoryIds'>>(wine: W) => W & { categories: Named[] }> => {
  const names = await namesOf(merchant, new Set(wines.flatMap(wine => wine?.categoryIds ?? [])))
  return wine => ({ ...wine, categories: wine.categoryIds.flatMap(id => names.get(id) ?? []) })
}

type Priced = Pick<Wine, 'gross' | 'expertisePdf'>
type Aliases = { price: string; expertiseStatus: 'OK' | null }

/** A wine with what follows from its fields, under the names by which existing clients read it. */
export const withAliases = <W extends Priced>(wine: W): W & Aliases => ({
  ...wine,
  price: wine.gross,
  expertiseStatus: wine.expertisePdf === null ? null : 'OK',
})

/** The same of a page of wines. */
export const pageWithAliases = <W extends Priced, More>(
  page: Page<W> & More,
): Omit<Page<W> & More, 'data'> & { data: (W & Aliases)[] } => ({
  ...page,
  data: page.data.map(wine => withAliases(wine)),
})
