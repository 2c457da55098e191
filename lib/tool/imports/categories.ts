import { categoryAction, newCategories, readCategories } from '../../../shared/catalogue/category-edit.ts'
import { readRecordsVersion } from '../../../shared/catalogue/versions.ts'
import { type Category, categoryFields, completeCategory } from '../../../shared/contract/records/category.ts'
import { givenOnly, pick, type RowOf, storedColumns } from '../../../shared/contract/schema/fields.ts'
import { checkRoom } from '../../../shared/merchants/quotas.ts'
import { segmentOnce } from './new-records.ts'
import { planRows } from './plan.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind } from './run.ts'

/** A row of a category file. `path_segment` follows from the name if it is missing. */
export type CategoryRow = RowOf<typeof categoryFields, 'name'>

type State = { version: number; categories: Category[] }

const own = storedColumns(categoryFields)

/** Categories in files. */
export const categories: Kind<CategoryRow, Category, State> = {
  name: 'categories',
  keyed: 'a category is identified by its name',
  format: formatOf(categoryFields, ['name']),
  titleOf: ({ name }) => name,
  read: async merchant => {
    const version = await readRecordsVersion(merchant, 'categories')
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
        check: segmentOnce(state.categories, ({ name }) => name, 'that of no other category'),
        recordOf: (whole, category) => ({ ...category, ...whole }),
      },
      lines,
    ),
  writes: async function* (merchant, { state, plan: { additions, changes } }) {
    await checkRoom(merchant, 'categories', state.categories, additions.length)
    const changed = changes.map(({ record, row }) => completeCategory({ ...record, ...givenOnly(row) }))
    yield* inVersions(merchant, 'categories', state.version, [
      ...changed.map(one => [categoryAction(merchant, one)]),
      ...newCategories(state.categories, additions).map(one => [categoryAction(merchant, one, true)]),
    ])
  },
  exportRows: state => ({ rows: state.categories.map(category => pick(category, own)), leftOut: 0 }),
}
