import { demand, same } from '../compare.ts'
import { type Step, step } from '../step.ts'
import type { Walk } from '../walk.ts'

const nowhere = 2 ** 52 + 1

type Category = { id: number; path_segment?: string | null }

/** The first category of the merchant; undefined where there is none. */
const firstCategory = async (walk: Walk): Promise<Category | undefined> =>
  (await walk.ask('/service/categories/getAll', {})).data[0]

/** What a merchant tells of itself and keeps beside its wines. It is read only: no route writes it. */
export const merchantSteps: readonly Step[] = [
  step('/service/customers/getMy', 'shows the merchant', async walk => {
    const { data } = await walk.ask('/service/customers/getMy', {})
    same(data.id, walk.need('customer'), 'data.id')
    walk.things.merchant = data
  }),
  step('/service/customers/availablePayments', 'tells how orders are paid', async walk => {
    const { data, payments } = await walk.ask('/service/customers/availablePayments', {})
    same(payments, data, 'payments')
    walk.things.payments = data
    return data.join(', ')
  }),
  step('/service/packaging/getAll', 'lists the packages', async walk => {
    const { totalCount } = await walk.ask('/service/packaging/getAll', {})
    return `${totalCount} packages`
  }),
  step('/service/packaging/find', 'tells what sending costs', async walk => {
    const found = await walk.askUnless('/service/packaging/find', { bottles: 2, gross: '19.00' }, ['package_not_found'])
    return typeof found === 'string' ? 'no package fits: package_not_found' : undefined
  }),
  step('/service/categories/getAll', 'lists the categories', async walk => {
    const { data, categories } = await walk.ask('/service/categories/getAll', {})
    same(categories, data, 'categories')
  }),
  step('/service/categories/get', 'reads a category', async walk => {
    const category = await firstCategory(walk)
    if (category) {
      const { data } = await walk.ask('/service/categories/get', { id: category.id })
      return same(data, category)
    }
    await walk.refused('/service/categories/get', { id: nowhere }, 'category_not_found')
    return 'the merchant has none: category_not_found'
  }),
  step('/service/categories/getWines', 'lists the wines of a category', async walk => {
    const { id = nowhere } = (await firstCategory(walk)) ?? {}
    const { data } = await walk.ask('/service/categories/getWines', { id, pageSize: 1 })
    demand(
      data.every(({ categoryIds }) => categoryIds.includes(id)),
      'a wine is of another category',
    )
  }),
  step('/service/categories/getWithWines', 'lists the wines with their category', async walk => {
    const category = await firstCategory(walk)
    if (category) {
      const answer = await walk.ask('/service/categories/getWithWines', { id: category.id, pageSize: 1 })
      return same(answer.category, category, 'category')
    }
    await walk.refused('/service/categories/getWithWines', { id: nowhere }, 'category_not_found')
    return 'the merchant has none: category_not_found'
  }),
  step('/service/wines/getByCategory', 'lists the wines of a category', async walk => {
    const { id = nowhere } = (await firstCategory(walk)) ?? {}
    const { headers } = await walk.succeed('/service/wines/getByCategory', { id, pageSize: 1 })
    demand(headers.get('deprecation') !== null, 'the header Deprecation is missing')
  }),
  step('/service/wineries/getAll', 'lists the wineries', async walk => {
    await walk.ask('/service/wineries/getAll', { pageSize: 1 })
  }),
  step('/service/wineries/get', 'reads a winery', async walk => {
    const [winery] = (await walk.ask('/service/wineries/getAll', { pageSize: 1 })).data
    if (winery) return same((await walk.ask('/service/wineries/get', { id: winery.id })).data, winery)
    await walk.refused('/service/wineries/get', { id: nowhere }, 'winery_not_found')
    return 'the merchant has none: winery_not_found'
  }),
  step('/service/products/getAll', 'lists the products', async walk => {
    await walk.ask('/service/products/getAll', { pageSize: 1 })
  }),
  step('/service/products/get', 'reads a product', async walk => {
    const [product] = (await walk.ask('/service/products/getAll', { pageSize: 1 })).data
    if (product) return same((await walk.ask('/service/products/get', { id: product.id })).data, product)
    await walk.refused('/service/products/get', { id: nowhere }, 'product_not_found')
    return 'the merchant has none: product_not_found'
  }),
]
