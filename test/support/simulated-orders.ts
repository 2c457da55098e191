import * as v from 'valibot'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { completeClient } from '../../shared/contract/records/client.ts'
import { completeProduct } from '../../shared/contract/records/product.ts'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { counted } from './partitions.ts'
import type { simulateTable } from './simulated-table.ts'

type Table = ReturnType<typeof simulateTable>

const newShop = async () => {
  const { id } = await createMerchant({ name: 'Messkellerei', paymentTypes: ['prepaid'] })
  const merchant = id as MerchantId
  const prices = { net: '10.00', tax: '1.90', gross: '11.90', taxrate: 19 }
  const home = { address: 'Am Maß 1', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Maß' }
  await putItem(key('client', { merchant, id: 1 }), completeClient({ ...home, id: 1, customers_id: merchant }))
  for (const product of [1, 2]) {
    const record = completeProduct({ id: product, name: 'Karton', ...prices, active: 1, nostock: 0 } as never)
    await putItem(key('product', { merchant, id: product }), { doc: JSON.stringify(record), version: 1 })
    await putItem(key('stock', { merchant, type: 'product', id: product }), {
      quantity: product === 1 ? 1_000_000 : 10,
    })
  }
  const place = (item_id: number) => {
    const items = [{ item_type: 'product', item_id, quantity: 1 }]
    const data = v.parse(NewOrder, { billing_id: 1, payment_type: 'prepaid', delivery_type: 'none', items })
    return placeOrder({ merchant, user: { id: 1, name: 'bench' } }, { data, idempotencyKey: null })
  }
  return { merchant, place }
}

/** The outcome of an order, after so many milliseconds. */
export type Outcome = { id?: number; error?: string; ms: number }

/**
 * So many orders at times within a span of milliseconds, in a shop of its own on a simulated table; every second order
 * is for one of ten boxes where these sell out.
 */
export const rush = async (table: Table, orders: number, span: number, sellsOut = false) => {
  const { merchant, place } = await table.until(newShop())
  const all = counted(orders).map(n =>
    table.at(Math.random() * span, async (): Promise<Outcome> => {
      const began = table.now()
      const outcome = await place(sellsOut && n % 2 ? 2 : 1).then(
        ({ data: { id } }) => ({ id }),
        error => ({ error: String(error.word ?? error) }),
      )
      return { ...outcome, ms: table.now() - began }
    }),
  )
  return { merchant, all }
}
