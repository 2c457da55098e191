import { type Category, completeCategory } from '../contract/records/category.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem } from '../platform/table/table.ts'
import { cachedRecords, findNamed, listRecords, type RecordList, type RecordName } from './records.ts'

const readAll = async (merchant: MerchantId): Promise<Category[]> =>
  (await cachedRecords('category', merchant)).map(completeCategory)

/** Reads a category. Throws missing_identifier, identifier_conflict or category_not_found. */
export const findCategory = (merchant: MerchantId, name: RecordName): Promise<Category> =>
  findNamed(name, {
    missing: 'category_not_found',
    one: async id => {
      const item = await getItem(key('category', { merchant, id }))
      return item && completeCategory(item)
    },
    all: () => readAll(merchant),
  })

export const listCategories = async (merchant: MerchantId, asked: RecordList<Category>) =>
  listRecords(await readAll(merchant), asked, { isRepeated: true })
