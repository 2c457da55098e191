import { same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

// No route deletes a product, a category or a price range: a merchant gets one of each at its first walk, and later walks find them.
const name = 'Smoke test'

const ownProduct = async (walk: Walk) =>
  (await walk.ask('/service/products/getAll', { filter: { articlenumber: name }, pageSize: 1, inshop: false })).data[0]

const ownCategory = async (walk: Walk) =>
  (await walk.ask('/service/categories/getAll', {})).data.find(one => one.name === name)

/** Adds and changes the product, the category and the price range of all walks. */
export const goodsSteps: readonly Step[] = [
  step('/service/categories/add', 'adds a category, or is refused: it exists', async walk => {
    const data = { name, sorting: 9999 }
    const added = await walk.askUnless('/service/categories/add', { data }, ['name_taken'])
    walk.left.push(`category "${name}", which later walks use`)
    return typeof added === 'string' ? added : same(added.data, data)
  }),
  step('/service/categories/edit', 'describes the category', async walk => {
    const { id = 0 } = (await ownCategory(walk)) ?? {}
    const change = { description: `Written by ${walk.mark}.` }
    const { data } = await walk.ask('/service/categories/edit', { id, data: change })
    same(data, { id, name, ...change })
    same(await ownCategory(walk), data)
  }),
  step('/service/products/add', 'adds a product, or is refused: it exists', async walk => {
    // The slug that an earlier product of this name has.
    const data = { name, path_segment: 'smoke-test', articlenumber: name, gross: '11.90', active: false }
    const how = { headers: { 'idempotency-key': walk.mark } }
    const added = await walk.askUnless('/service/products/add', { data }, ['slug_taken'], how)
    walk.left.push(`product "${name}", inactive, which later walks use`)
    if (typeof added === 'string') return added
    same(added.data, { ...data, active: 0, net: '10.00', tax: '1.90', taxrate: 19 })
    const { json, headers } = await walk.succeed('/service/products/add', { data }, how)
    same(json, { data: added.data }, 'the repeat')
    return same(headers.get('idempotency-replayed'), 'true', 'the header Idempotency-Replayed')
  }),
  step('/service/products/edit', 'changes the price of the product', async walk => {
    const { id = 0 } = (await ownProduct(walk)) ?? {}
    const change = { net: '11.00', description: `Written by ${walk.mark}.` }
    const { data } = await walk.ask('/service/products/edit', { id, data: change })
    same(data, { id, ...change, gross: '13.09', tax: '2.09' })
    same(await ownProduct(walk), data)
  }),
  step('/service/priceRanges/edit', 'adds a price range, or is refused: it exists', async walk => {
    const added = await walk.askUnless('/service/priceRanges/edit', { data: { name } }, ['name_taken'])
    walk.left.push(`price range "${name}", which later walks use`)
    return typeof added === 'string' ? added : same(added.data, { name })
  }),
  step('/service/priceRanges/getAll', 'lists the price ranges', async walk => {
    const { data } = await walk.ask('/service/priceRanges/getAll', {})
    const range = data.find(one => one.name === name)
    same((await walk.ask('/service/priceRanges/edit', { id: range?.id ?? 0, data: { name } })).data, range)
  }),
]
