import { type Category, categoryFields, completeCategory } from '../../../shared/contract/records/category.ts'
import { givenOnly, pick, type RowOf, storedColumns } from '../../../shared/contract/records/fields.ts'
import { absent } from '../../../shared/platform/table/expressions.ts'
import { key, type MerchantId, partition } from '../../../shared/platform/table/keys.ts'
import { query } from '../../../shared/platform/table/table.ts'
import { put } from '../../../shared/platform/table/transact.ts'
import { segmentOnce, segmentPicker } from './new-records.ts'
import { planRows } from './plan.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind, readVersion } from './run.ts'

/** A row of a category file. `path_segment` follows from the name if it is missing. */
export type CategoryRow = RowOf<typeof categoryFields, 'name'>

type State = { version: number; categories: Category[] }

/** Reads a merchant's categories, ordered by id. */
export const readCategories = async (merchant: MerchantId): Promise<Category[]> =>
  (await query({ pk: partition('category', { merchant }) })).map(completeCategory)

const own = storedColumns(categoryFields)

const added = (present: readonly Category[], rows: readonly CategoryRow[]): Category[] => {
  const pickSegment = segmentPicker([...present, ...rows])
  const last = Math.max(0, ...present.map(({ id }) => id))
  return rows.map((row, n) =>
    completeCategory({ ...givenOnly(row), id: last + n + 1, name: row.name, path_segment: pickSegment(row) }),
  )
}

const keyOf = (merchant: MerchantId, { id }: Category) => key('category', { merchant, id })

/** Categories in files. */
export const categories: Kind<CategoryRow, Category, State> = {
  name: 'categories',
  keyed: 'a category is identified by its name',
  isWholeList: false,
  format: formatOf(categoryFields, ['name']),
  titleOf: ({ name }) => name,
  read: async merchant => {
    const version = await readVersion(merchant, 'categories')
    return { version, categories: await readCategories(merchant) }
  },
  plan: (state, rows, lines) =>
    planRows(
      state.categories,
      rows,
      {
        column: 'name',
        single: 'that of a single category',
        rowOf: category => pick(category, own),
        check: segmentOnce('name', state.categories, 'that of no other category'),
        recordOf: (whole, category) => ({ ...category, ...whole }),
      },
      lines,
    ),
  writes: (merchant, { state, plan: { additions, changes } }) => {
    const changed = changes.map(({ record, row }) => completeCategory({ ...record, ...givenOnly(row) }))
    const fresh = added(state.categories, additions)
    return inVersions(merchant, 'categories', state.version, [
      ...changed.map(one => [put(`category ${one.id}`, keyOf(merchant, one), one)]),
      ...fresh.map(one => [put(`category ${one.id}`, keyOf(merchant, one), one, { when: [absent] })]),
    ])
  },
  exported: state => ({ rows: state.categories.map(category => pick(category, own)), unnamed: 0 }),
}
