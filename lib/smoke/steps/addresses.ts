import { same } from '../compare.ts'
import { type Step, step, type Walk } from '../walk.ts'

const home = { address: 'Lange Straße 2', zip: '01796', city: 'Pirna', countrycode: 'de', company: 'Zum Krug' } as const

const inList = (walk: Walk, { data, totalCount }: { data: readonly unknown[]; totalCount: number }): void => {
  same(totalCount, 1, 'totalCount')
  same(data[0], walk.need('address'), 'data.0')
}

/** Adds, changes and lists the client's delivery address. */
export const addressSteps: readonly Step[] = [
  step('/service/addresses/add', 'adds an address of the client', async walk => {
    const data = { ...home, last_name: walk.mark, client_id: walk.need('client').id }
    walk.writes('address')
    const answer = await walk.ask('/service/addresses/add', { data })
    walk.things.address = answer.data
    same(answer.data, { ...data, type: 'shipping', customers_id: walk.need('customer') })
  }),
  step('/service/addresses/edit', 'changes the address', async walk => {
    const { id, version } = walk.need('address')
    const { data } = await walk.ask('/service/addresses/edit', { id, data: { city: 'Meißen', version } })
    same(data, { id, ...home, city: 'Meißen' })
    walk.things.address = data
  }),
  step('/service/addresses/get', 'reads the address', async walk => {
    const address = walk.need('address')
    same((await walk.ask('/service/addresses/get', { id: address.id })).data, address)
  }),
  step('/service/addresses/getAll', 'lists the address', async walk => {
    const { client_id } = walk.need('address')
    inList(walk, await walk.ask('/service/addresses/getAll', { client_id, type: 'shipping' }))
  }),
  step('/service/addresses/getByClient', 'lists the addresses of the client', async walk => {
    inList(walk, await walk.ask('/service/addresses/getByClient', { client_id: walk.need('client').id }))
  }),
]

/** Deletes the address; the order has its own copy. */
export const goneAddressSteps: readonly Step[] = [
  step('/service/addresses/delete', 'deletes the address', async walk => {
    const address = walk.need('address')
    same((await walk.ask('/service/addresses/delete', { id: address.id })).data, address)
    await walk.refused('/service/addresses/get', { id: address.id }, 'address_not_found')
  }),
]
