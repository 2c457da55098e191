import type { Language } from '../../contract/labels/labels.ts'
import type { Wine } from '../../contract/records/wine.ts'
import { pick } from '../../contract/schema/fields.ts'
import { boundedPage, offsetOf, type Page, type PageRequest } from '../../contract/schema/lists.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { getItems } from '../../platform/table/table.ts'
import { withIndex } from '../search/instance-cache.ts'
import { merchantScope } from '../search/scopes.ts'
import { readWineRecords } from '../search/wine-records.ts'
import { factsKey, factsOf } from './facts.ts'
import { type Missing, missingByLaw } from './law.ts'
import { wineOf } from './stored.ts'

type CheckedWine = Pick<Wine, 'id' | 'articlenumber' | 'name' | 'vintage'> & { missing: Missing[] }

/** A page of checked wines; `incomplete` is the number of those on it that lack something. */
export type CheckedPage = Page<CheckedWine> & { incomplete: number }

// Wines that are for sale come first: those of the shop, then those that are only public.
const order = [
  { field: 'shop', descending: true },
  { field: 'public', descending: true },
  { field: 'name', descending: false },
] as const

/** Checks a page of the wines that are for sale: active, and in the shop or public. */
export const checkWines = (merchant: MerchantId, asked: PageRequest, language: Language): Promise<CheckedPage> => {
  const scope = merchantScope(merchant)
  return withIndex(scope, 0, async index => {
    const start = offsetOf(asked)
    const active = index.search({ flags: { active: 1 }, start, max: asked.pageSize, order: [...order] })
    const hidden = index.search({ flags: { active: 1, shop: 0, public: 0 }, start: 0, max: 0 })
    const total = active.total - hidden.total
    const ids = active.ids.slice(0, Math.max(0, total - start))
    const [documents, facts] = await Promise.all([
      readWineRecords(merchant, scope, index, ids),
      getItems(ids.map(id => factsKey(merchant, id))),
    ])
    const checked = documents.flatMap((doc, n): CheckedWine[] => {
      if (doc === undefined) return []
      const wine = wineOf({ doc })
      const named = pick(wine, ['id', 'articlenumber', 'name', 'vintage'])
      return [{ ...named, missing: missingByLaw(wine, factsOf(facts[n]), language) }]
    })
    const page = await boundedPage(asked, total, checked)
    return { ...page, incomplete: page.data.filter(({ missing }) => missing.length > 0).length }
  })
}
