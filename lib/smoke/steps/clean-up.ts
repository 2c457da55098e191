import { type Step, step } from '../step.ts'
import type { Walk } from '../walk.ts'

/** The orders that the walk placed, those included whose answer was lost. */
const ordersOf = async (walk: Walk) => {
  const { data } = await walk.ask('/service/orders/getAll', { include: '', pageSize: 100 })
  return data.filter(({ note }) => note === walk.mark)
}

const winesOf = async (walk: Walk) =>
  (await walk.ask('/service/wines/getAll', { query: { articlenumber: walk.mark } })).data

const addressesOf = async (walk: Walk) =>
  (await walk.ask('/service/addresses/getByClient', { client_id: walk.need('client').id })).data

/**
 * Takes back what was written, whatever became of the steps. It looks for everything by its name, so that it finds what
 * was written by a request whose answer did not arrive; each step also tells what stays.
 */
export const cleanUpSteps: readonly Step[] = [
  step('/service/orders/getAll', 'leaves no order open', async walk => {
    if (!walk.written.has('order')) return
    for (const { uuid, number, status } of await ordersOf(walk)) {
      walk.left.push(`order ${number}, cancelled: an order has a number, and stays`)
      if (status !== 'cancelled') await walk.ask('/service/orders/checkout/cancel', { uuid })
    }
  }),
  step('/service/addresses/getByClient', 'leaves no address', async walk => {
    if (!walk.written.has('address')) return
    for (const { id } of await addressesOf(walk)) await walk.ask('/service/addresses/delete', { id })
  }),
  step('/service/baskets/get', 'leaves the basket empty', async walk => {
    if (!walk.written.has('basket')) return
    const uuid = walk.need('basket')
    walk.left.push('an empty basket, for 90 days')
    const { basketItems } = (await walk.ask('/service/baskets/get', { uuid })).data
    if (basketItems.length > 0) await walk.ask('/service/baskets/edit', { uuid, data: { basketItems: [] } })
  }),
  step('/service/wines/getAll', 'leaves the wine switched off', async walk => {
    if (!walk.written.has('wine')) return
    for (const { id, active } of await winesOf(walk)) {
      walk.left.push(`wine ${id}, "${walk.mark}", switched off: no route deletes a wine`)
      if (active) await walk.ask('/service/wines/edit', { id, data: { active: 0, public: 0, shop: 0 } })
    }
  }),
  step('/service/clients/exists', 'leaves the client', async walk => {
    if (!walk.written.has('client')) return
    const { mail } = walk.need('client')
    const { data: id } = await walk.ask('/service/clients/exists', { mail })
    if (id !== false) walk.left.push(`client ${id}, ${mail}: no route deletes a client`)
  }),
]
