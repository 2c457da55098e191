import { Problem } from '../contract/errors.ts'
import { type Category, type CategoryChange, completeCategory, type NewCategory } from '../contract/records/category.ts'
import { givenOnly } from '../contract/schema/fields.ts'
import type { Keyed } from '../merchants/idempotency.ts'
import { checkRoom } from '../merchants/quotas.ts'
import { absent } from '../platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../platform/table/keys.ts'
import { query } from '../platform/table/table.ts'
import { type Action, put } from '../platform/table/transact.ts'
import { findCategory } from './categories.ts'
import { type Added, addRecord, changeRecords } from './record-versions.ts'
import { checkName, checkSegment, segmentPicker } from './segments.ts'

/** Reads a merchant's categories, ordered by id. */
export const readCategories = async (merchant: MerchantId): Promise<Category[]> =>
  (await query({ pk: partition('category', { merchant }) })).map(completeCategory)

type Data = CategoryChange & { name: string }

/** New categories after the present categories; a path_segment that is not given is made from the name. */
export const newCategories = (present: readonly Category[], all: readonly Data[]): Category[] => {
  const pickSegment = segmentPicker([...present, ...all])
  const last = Math.max(0, ...present.map(({ id }) => id))
  return all.map((data, n) =>
    completeCategory({ ...givenOnly(data), id: last + n + 1, name: data.name, path_segment: pickSegment(data) }),
  )
}

/** Writes a category, in a transaction that raises the version of the kind. */
export const categoryAction = (merchant: MerchantId, category: Category, isNew = false): Action =>
  put(`category ${category.id}`, key('category', { merchant, id: category.id }), category, {
    when: isNew ? [absent] : [],
  })

const checkUnique = (data: CategoryChange, others: readonly Category[]): void => {
  checkName('category', data, others)
  checkSegment('category', data, others)
}

/** Adds a category, once by its Idempotency-Key. Throws name_taken, slug_taken, quota_exceeded or idempotency_key_reused. */
export const addCategory = (merchant: MerchantId, keyed: Keyed<NewCategory>): Promise<Added<Category>> =>
  addRecord(merchant, 'categories', keyed, {
    read: id => findCategory(merchant, { id }),
    add: async () => {
      const present = await readCategories(merchant)
      checkUnique(keyed.change, present)
      await checkRoom(merchant, 'categories', present)
      const [result] = newCategories(present, [keyed.change]) as [Category]
      return { actions: [categoryAction(merchant, result, true)], result }
    },
  })

/** Changes the given fields of a category. Throws category_not_found, nothing_to_change, name_taken or slug_taken. */
export const editCategory = (merchant: MerchantId, id: number, data: CategoryChange): Promise<Category> => {
  if (Object.keys(data).length === 0) throw new Problem('nothing_to_change')
  return changeRecords(merchant, 'categories', async () => {
    const present = await readCategories(merchant)
    const category = present.find(one => one.id === id)
    if (!category) throw new Problem('category_not_found')
    checkUnique(
      data,
      present.filter(one => one !== category),
    )
    const result = completeCategory({ ...category, ...givenOnly(data) })
    return { actions: [categoryAction(merchant, result)], result }
  })
}
