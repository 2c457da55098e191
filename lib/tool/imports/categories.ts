import { type Category, categoryFields, completeCategory } from '../../../shared/contract/records/category.ts'
import { givenOnly, pick, type RowOf, storedColumns } from '../../../shared/contract/records/fields.ts'
import { freeSlug } from '../../../shared/slug.ts'
import { absent } from '../../../shared/table/expressions.ts'
import { key, type MerchantId } from '../../../shared/table/keys.ts'
import { put } from '../../../shared/table/transact.ts'
import { planRows, type Refuse } from './plan.ts'
import { formatOf } from './rows.ts'
import { inVersions, type Kind, readVersion } from './run.ts'
import { readCategories } from './wine-references.ts'

/** One category as a file gives it, known by its name; `path_segment` follows from the name where it is left out. */
export type CategoryRow = RowOf<typeof categoryFields, 'name'>

type State = { version: number; categories: Category[] }

const own = storedColumns(categoryFields)

/** Refuses a path_segment that another category has, be it of the file or of those that are there. */
const checking = (present: readonly Category[]) => {
  const owners = new Map(present.map(({ path_segment, name }) => [path_segment, name]))
  return ({ name, path_segment }: CategoryRow, refuse: Refuse): void => {
    if (path_segment === undefined) return
    if ((owners.get(path_segment) ?? name) !== name) refuse('path_segment', 'unique', 'that of no other category')
    owners.set(path_segment, name)
  }
}

const added = (present: readonly Category[], rows: readonly CategoryRow[]): Category[] => {
  const taken = new Set([...present, ...rows].map(({ path_segment }) => path_segment))
  const last = Math.max(0, ...present.map(({ id }) => id))
  return rows.map((row, n) => {
    const path_segment = row.path_segment ?? freeSlug(row.name, segment => taken.has(segment))
    taken.add(path_segment)
    return completeCategory({ ...givenOnly(row), id: last + n + 1, name: row.name, path_segment })
  })
}

const keyOf = (merchant: MerchantId, { id }: Category) => key('category', { merchant, id })

/** Categories as files bring them. */
export const categories: Kind<CategoryRow, Category, State> = {
  name: 'categories',
  keyed: 'a category is known by its name',
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
        check: checking(state.categories),
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
