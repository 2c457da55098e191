import { type Page, pageOf } from '../contract/answers.ts'
import { Problem } from '../contract/errors.ts'
import { refusalOf } from '../contract/refusal.ts'
import { key, type MerchantId } from '../table/keys.ts'
import { getItem, getItems } from '../table/table.ts'
import { parseOrder } from './catalogue/order.ts'
import type { Parsed } from './catalogue/problem.ts'
import { catalogueOf } from './catalogues.ts'
import { type WineItem, wineOf } from './item.ts'
import type { Wine } from './record.ts'

/** What names a wine. */
export type NamedWine = { id?: number | null; path_segment?: string | null }

const notFound = () => new Problem('wine_not_found')

const idOf = async (merchant: MerchantId, { id, path_segment }: NamedWine): Promise<number> => {
  if (!id && !path_segment) throw new Problem('missing_identifier', { details: 'id or path_segment is required' })
  if (!path_segment) return id as number
  const slug = await getItem<{ id: number }>(key('slug', { merchant, slug: path_segment }))
  if (!slug) throw notFound()
  if (id && id !== slug.id)
    throw new Problem('identifier_conflict', { details: 'id and path_segment name different wines' })
  return slug.id
}

/** Reads one wine. Throws missing_identifier, identifier_conflict or wine_not_found. */
export const findWine = async (merchant: MerchantId, named: NamedWine): Promise<Wine> => {
  const item = await getItem<WineItem>(key('wine', { merchant, id: await idOf(merchant, named) }))
  if (!item) throw notFound()
  return wineOf(item)
}

/** What a list of wines asks for. */
export type WineSearch = { orderBy: string; page: number; pageSize: number }

/** Lists a merchant's wines: which ones from the catalogue index, their records by one read. */
export const listWines = async (merchant: MerchantId, { orderBy, page, pageSize }: WineSearch): Promise<Page<Wine>> => {
  const order = understood(parseOrder(orderBy))
  const catalogue = await catalogueOf(merchant)
  const { total, ids } = catalogue.search({ order, page, pageSize })
  const items = await getItems<WineItem>(ids.map(id => key('wine', { merchant, id })))
  return pageOf(
    items.flatMap(item => (item ? [wineOf(item)] : [])),
    total,
    page,
    pageSize,
  )
}

const understood = <T>(parsed: Parsed<T>): T => {
  if (parsed.problems) throw refusalOf(parsed.problems)
  return parsed.value
}
