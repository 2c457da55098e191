import type { ErrorWord } from '../../../shared/contract/errors.ts'
import { demand, same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

const nowhere = 2 ** 52 + 1

/** The first category of the merchant; undefined where there is none. */
const firstCategory = async (walk: Walk) => (await walk.ask('/service/categories/getAll', {})).data[0]

/** Reads the first record of a list by its id; if the list is empty, an id that does not exist. */
const readFirst = async (walk: Walk, kind: 'categories' | 'wineries' | 'products', word: ErrorWord) => {
  const [record] = (await walk.ask(`/service/${kind}/getAll`, { pageSize: 1 })).data
  if (record) return same((await walk.ask(`/service/${kind}/get`, { id: record.id })).data, record)
  await walk.refused(`/service/${kind}/get`, { id: nowhere }, word)
  return `the merchant has none: ${word}`
}

/** Reads the merchant's own data, and its other records. */
export const merchantSteps: readonly Step[] = [
  step('/service/customers/getMy', 'reads the merchant', async walk => {
    const { data } = await walk.ask('/service/customers/getMy', {})
    same(data.id, walk.need('customer'), 'data.id')
    walk.things.merchant = data
  }),
  step('/service/customers/edit', 'saves a field of the merchant unchanged', async walk => {
    const { settings, www } = walk.need('merchant')
    const { data } = await walk.ask('/service/customers/edit', { data: { www } })
    same(data, { www, settings: { redirect_hosts: settings.redirect_hosts } })
  }),
  step('/service/customers/availablePayments', 'lists the payment types', async walk => {
    const { data, payments } = await walk.ask('/service/customers/availablePayments', {})
    same(payments, data, 'payments')
    walk.things.payments = data
    return data.join(', ')
  }),
  step('/service/packaging/getAll', 'lists the packages', async walk => {
    const { totalCount } = await walk.ask('/service/packaging/getAll', {})
    return `${totalCount} packages`
  }),
  step('/service/packaging/find', 'calculates the shipping cost', async walk => {
    const found = await walk.askUnless('/service/packaging/find', { bottles: 2, gross: '19.00' }, ['package_not_found'])
    return typeof found === 'string' ? 'no package fits: package_not_found' : undefined
  }),
  step('/service/categories/getAll', 'lists the categories', async walk => {
    const { data, categories } = await walk.ask('/service/categories/getAll', {})
    same(categories, data, 'categories')
  }),
  step('/service/categories/get', 'reads a category', walk => readFirst(walk, 'categories', 'category_not_found')),
  step('/service/categories/getWines', 'lists the wines of a category', async walk => {
    const { id = nowhere } = (await firstCategory(walk)) ?? {}
    const { data } = await walk.ask('/service/categories/getWines', { id, pageSize: 1 })
    demand(
      data.every(({ categoryIds }) => categoryIds.includes(id)),
      'a wine is of another category',
    )
  }),
  step('/service/categories/getWithWines', 'lists the wines of a category, and returns the category', async walk => {
    const category = await firstCategory(walk)
    if (category) {
      const answer = await walk.ask('/service/categories/getWithWines', { id: category.id, pageSize: 1 })
      return same(answer.category, category, 'category')
    }
    await walk.refused('/service/categories/getWithWines', { id: nowhere }, 'category_not_found')
    return 'the merchant has none: category_not_found'
  }),
  step('/service/wines/getByCategory', 'lists the wines of a category (deprecated)', async walk => {
    const { id = nowhere } = (await firstCategory(walk)) ?? {}
    const { headers } = await walk.succeed('/service/wines/getByCategory', { id, pageSize: 1 })
    demand(headers.get('deprecation') !== null, 'the header Deprecation is missing')
  }),
  step('/service/wineries/getAll', 'lists the wineries', async walk => {
    await walk.ask('/service/wineries/getAll', { pageSize: 1 })
  }),
  step('/service/wineries/get', 'reads a winery', walk => readFirst(walk, 'wineries', 'winery_not_found')),
  step('/service/products/getAll', 'lists the products', async walk => {
    await walk.ask('/service/products/getAll', { pageSize: 1 })
  }),
  step('/service/products/get', 'reads a product', walk => readFirst(walk, 'products', 'product_not_found')),
]
