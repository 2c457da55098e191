import { same } from '../compare.ts'
import { type Step, step } from '../walk.ts'

/** Sets, changes, reads and removes the stock of the walk's own wine. */
export const stockSteps: readonly Step[] = [
  step('/service/stocks/add', 'sets the stock of the wine', async walk => {
    const goods = { item_type: 'wine', item_id: walk.need('wine').id } as const
    const { data } = await walk.ask('/service/stocks/add', { ...goods, stock: 12 })
    same(data, { ...goods, stock: 12 })
    const how = { headers: { 'idempotency-key': walk.mark } }
    await walk.ask('/service/stocks/add', { ...goods, quantity: 6 }, how)
    const { json, headers } = await walk.succeed('/service/stocks/add', { ...goods, quantity: 6 }, how)
    same(json, { data: { stock: 18 } }, 'the repeat')
    same(headers.get('idempotency-replayed'), 'true', 'the header Idempotency-Replayed')
  }),
  step('/service/stocks/get', 'reads the stock of the wine', async walk => {
    const goods = { item_type: 'wine', item_id: walk.need('wine').id } as const
    const { data } = await walk.ask('/service/stocks/get', { items: [goods] })
    same(data, [{ ...goods, stock: 18 }])
    same((await walk.ask('/service/stocks/add', { ...goods, stock: null })).data.stock, null, 'data.stock')
  }),
]
