import type { Step, Walk } from '../walk.ts'

const step = (route: string, does: string, walk: Step['walk']): Step => ({ route, does, walk })

/** The orders that the walk placed, including those whose response was lost. */
const ordersOf = async (walk: Walk) => {
  const { data } = await walk.ask('/service/orders/getAll', { include: '', pageSize: 100 })
  return data.filter(({ note }) => note === walk.mark)
}

const winesOf = async (walk: Walk) =>
  (await walk.ask('/service/wines/getAll', { query: { articlenumber: walk.mark } })).data

const addressesOf = async (walk: Walk) =>
  (await walk.ask('/service/addresses/getByClient', { client_id: walk.need('client').id })).data

type Act<One> = (one: One) => Promise<string | undefined>

/** Removes each record, continues after failures, and notes what is left of each. Throws the first failure. */
const takeBack = async <One>(walk: Walk, all: readonly One[], name: (one: One) => string, act: Act<One>) => {
  const failures: unknown[] = []
  for (const one of all) {
    try {
      const left = await act(one)
      if (left) walk.left.push(`${name(one)}, ${left}`)
    } catch (error) {
      failures.push(error)
      walk.left.push(`${name(one)}, unchanged: it could not be removed`)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Remove all records of the walk, also after failed steps. They search by name, and so find records whose response was
 * lost; each step also notes what stays.
 */
export const cleanUpSteps: readonly Step[] = [
  step('/service/orders/getAll', 'cancels orders that are left', async walk => {
    if (!walk.walked.has('/service/orders/add')) return
    const name = ({ number }: { number: string }) => `order ${number}`
    await takeBack(walk, await ordersOf(walk), name, async ({ uuid, status, credited }) => {
      if (credited === 'whole') return 'credited: orders are never deleted'
      if (status !== 'cancelled') await walk.ask('/service/orders/checkout/cancel', { uuid })
      return 'cancelled: orders are never deleted'
    })
  }),
  step('/service/addresses/getByClient', 'deletes addresses that are left', async walk => {
    if (!walk.walked.has('/service/addresses/add')) return
    const name = ({ id }: { id: number }) => `address ${id}`
    await takeBack(walk, await addressesOf(walk), name, async ({ id }) => {
      await walk.ask('/service/addresses/delete', { id })
      return undefined
    })
  }),
  step('/service/baskets/get', 'empties the basket', async walk => {
    if (!walk.walked.has('/service/baskets/add')) return
    const { uuid } = walk.need('basket')
    walk.left.push('an empty basket, which is deleted after 90 days')
    const { basketItems } = (await walk.ask('/service/baskets/get', { uuid })).data
    if (basketItems.length > 0) await walk.ask('/service/baskets/edit', { uuid, data: { basketItems: [] } })
  }),
  step('/service/wines/getAll', 'deactivates the wine if it is active', async walk => {
    if (!walk.walked.has('/service/wines/add')) return
    const name = ({ id }: { id: number }) => `wine ${id}, "${walk.mark}"`
    await takeBack(walk, await winesOf(walk), name, async ({ id, active }) => {
      if (active) await walk.ask('/service/wines/edit', { id, data: { active: 0, public: 0, shop: 0 } })
      return 'inactive: no route deletes a wine'
    })
  }),
  step('/service/packages/delete', 'deletes a package that is left', async walk => {
    if (!walk.things.addsPackage) return
    const { data } = await walk.ask('/service/packaging/getAll', {})
    // Only a merchant without packages gets one.
    const name = ({ id }: { id: number }) => `package ${id}`
    await takeBack(walk, data, name, async ({ id }) => {
      await walk.ask('/service/packages/delete', { id })
      return undefined
    })
  }),
  step('/service/clients/exists', 'finds the client, which stays', async walk => {
    if (!walk.walked.has('/service/clients/register')) return
    const mail = walk.need('mail')
    const { data: id } = await walk.ask('/service/clients/exists', { mail })
    if (id !== false) walk.left.push(`client ${id}, ${mail}: no route deletes a client`)
  }),
  step('/service/products/getAll', 'notes the goods', async ({ walked, left }) => {
    // No route deletes these: a merchant gets one of each at its first walk.
    const goods = {
      'categories/add': 'category',
      'products/add': 'inactive product',
      'priceRanges/edit': 'price range',
    }
    for (const [path, kind] of Object.entries(goods))
      if (walked.has(`/service/${path}`)) left.push(`${kind} "Smoke test", which later walks use`)
  }),
]
