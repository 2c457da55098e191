import type { ScalarField } from '../../contract/records/wine-fields.ts'
import { pageOf } from '../../contract/schema/lists.ts'
import type { SortOrder } from '../../contract/schema/wine-query.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { findCategory } from '../categories.ts'
import { type RecordName, unlessMissing } from '../records.ts'
import { type OwnList, type OwnPage, ownPage } from './lists.ts'

type InCategory = OwnList &
  RecordName & {
    sortBy?: ScalarField | null | undefined
    sortDirection?: string | null | undefined
    sortDirectition?: string | null | undefined
  }

const orderOf = ({ sortBy, sortDirection, sortDirectition }: InCategory): { orderBy?: SortOrder } => {
  const descending = (sortDirection ?? sortDirectition)?.toUpperCase() === 'DESC'
  return sortBy ? { orderBy: [{ field: sortBy, descending }] } : {}
}

const inCategory = (merchant: MerchantId, id: number, asked: InCategory): Promise<OwnPage> =>
  ownPage(merchant, { ...asked, ...orderOf(asked), isWhole: true }, [{ field: 'categoryIds', keys: [id] }])

/**
 * Lists the wines of a category, whole unless a pageSize or max is given; empty if there is no such category. Throws
 * missing_identifier.
 */
export const listCategory = async (merchant: MerchantId, asked: InCategory): Promise<OwnPage> => {
  // An id alone needs no look at the category.
  if (asked.id && !asked.path_segment) return inCategory(merchant, asked.id, asked)
  const category = await findCategory(merchant, asked).catch(unlessMissing)
  return category ? inCategory(merchant, category.id, asked) : pageOf([], 0, asked.page, asked.pageSize ?? 1)
}

/** Lists the wines of a category, with the category itself. Throws missing_identifier or category_not_found. */
export const listCategoryWith = async (merchant: MerchantId, asked: InCategory) => {
  const category = await findCategory(merchant, asked)
  return { ...(await inCategory(merchant, category.id, asked)), category }
}
