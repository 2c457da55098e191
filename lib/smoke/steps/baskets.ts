import { demand, same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

const itemOf = (walk: Walk, quantity: number) =>
  ({ item_type: 'wine', item_id: walk.need('wine').id, quantity }) as const

/** Fills, changes and empties a basket. */
export const basketSteps: readonly Step[] = [
  step('/service/baskets/add', 'opens a basket', async walk => {
    walk.writes('basket')
    const { data } = await walk.ask('/service/baskets/add', {})
    same(data, { basketItems: [], order_uuid: null })
    walk.things.basket = data.uuid
  }),
  step('/service/baskets/addItem', 'adds the wine to the basket', async walk => {
    const [uuid, item] = [walk.need('basket'), itemOf(walk, 2)]
    const { data } = await walk.ask('/service/baskets/addItem', { uuid, data: item })
    same(data, { uuid, basketItems: [{ ...item, item: { name: walk.mark } }] })
    walk.things.basketItem = data.basketItems[0]?.id as number
  }),
  step('/service/baskets/editItem', 'changes the quantity of the item', async walk => {
    const id = walk.need('basketItem')
    const { data } = await walk.ask('/service/baskets/editItem', { id, data: { quantity: 3 } })
    same(data.basketItems, [{ id, quantity: 3 }], 'data.basketItems')
  }),
  step('/service/baskets/edit', 'replaces all items', async walk => {
    const [uuid, item] = [walk.need('basket'), itemOf(walk, 1)]
    const { data } = await walk.ask('/service/baskets/edit', { uuid, data: { basketItems: [item] } })
    same(data.basketItems, [item], 'data.basketItems')
    walk.things.basketItem = data.basketItems[0]?.id as number
  }),
  step('/service/campaigns/find', 'finds no discount code', async walk => {
    await walk.refused('/service/campaigns/find', { basket_uuid: walk.need('basket') }, 'campaign_not_found')
  }),
  step('/service/baskets/get', 'reads the basket', async walk => {
    const { data } = await walk.ask('/service/baskets/get', { uuid: walk.need('basket') })
    same(data.basketItems, [{ ...itemOf(walk, 1), id: walk.need('basketItem') }], 'data.basketItems')
  }),
  step('/service/baskets/deleteItem', 'removes the item from the basket', async walk => {
    const { data } = await walk.ask('/service/baskets/deleteItem', { id: walk.need('basketItem') })
    same(data.basketItems, [], 'data.basketItems')
    const read = await walk.ask('/service/baskets/get', { uuid: walk.need('basket') })
    demand(read.data.basketItems.length === 0, 'the item is still there')
  }),
]
