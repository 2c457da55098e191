import { clients } from '../../lib/tool/imports/clients.ts'
import { importRecords } from '../../lib/tool/imports/run.ts'
import { storeRegistration } from '../../shared/clients/accounts.ts'
import { addAddress } from '../../shared/clients/addresses.ts'
import { addBasket, addItem, replaceItems } from '../../shared/orders/baskets/store.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem } from '../../shared/platform/table/table.ts'
import { timeOrderedId } from '../../shared/values/time.ts'
import { pinRandomInt, useFakeClock } from '../support/fake-clock.ts'
import { guest, newQueueShop } from '../support/queue-shop.ts'

// Time is stopped and the random source gives one value, so a process draws ids as close as it ever can, and the test
// knows the next id: another process may have drawn it in the same millisecond.

useFakeClock(Date.UTC(2026, 4, 1, 12))
pinRandomInt(7)

const shop = await newQueueShop()
const { merchant } = shop

const home = {
  type: 'shipping',
  last_name: 'Krug',
  address: 'Weg 1',
  zip: '1',
  city: 'Jena',
  countrycode: 'de',
} as const
const toAddress = { ...guest(), billing_type: 'address' }

/** The next ids that this process draws; an address and a client of another process have the first of them. */
const nextIds = async (): Promise<[number, number]> => {
  const id = timeOrderedId() + 1
  await putItem(key('address', { merchant, id }), { id } as never)
  await putItem(key('client', { merchant, id }), { id } as never)
  return [id, id + 1]
}

test('an order gives two typed addresses two ids', async () => {
  const { data } = await shop.place(toAddress)
  expect(data.delivery_id).toBe(data.billing_id + 1)
  expect(data).toMatchObject({ billing: { last_name: 'Gast' }, delivery: { last_name: 'Nachbar' } })
})

test.each([
  ['client', guest()],
  ['address', toAddress],
])('an order draws a new id for its %s if another process has it', async (billing_type, data) => {
  const [taken] = await nextIds()
  const { data: order } = await shop.place(data)
  expect(order.billing_type).toBe(billing_type)
  expect(Math.min(order.billing_id, order.delivery_id ?? 0)).toBeGreaterThan(taken)
})

test.each([
  ['of nobody', null],
  ['of a client', 1],
])('an address %s draws a new id if another process has it', async (_, client_id) => {
  const [taken, next] = await nextIds()
  expect(await addAddress(merchant, 1, { ...home, client_id } as never)).toMatchObject({ id: next, last_name: 'Krug' })
  expect(await getItem(key('address', { merchant, id: taken }))).toEqual({ id: taken })
})

test('a registration draws a new id for its client if another process has it', async () => {
  const [taken] = await nextIds()
  const { id } = await storeRegistration(
    merchant,
    { mail: 'ida@example.org' },
    { hash: '', salt: '', n: 1, r: 1, p: 1 },
  )
  expect(id).toBeGreaterThan(taken)
})

test('items of baskets have different ids, and draw new ids if another process has them', async () => {
  const [one, other] = [await addBasket(merchant), await addBasket(merchant)]
  const goods = (item_id: number) => ({ item_type: 'product', item_id, quantity: 1 }) as const
  const { items } = await replaceItems(merchant, one.uuid, [goods(1), goods(2), goods(3)])
  expect(new Set(items.map(({ id }) => id)).size).toBe(3)
  const taken = timeOrderedId() + 1
  await putItem(key('basketItem', { merchant, id: taken }), { uuid: one.uuid, expires: 2 ** 40 })
  const changed = await addItem(merchant, other.uuid, goods(1))
  expect(changed.items[0]?.id).toBeGreaterThan(taken)
})

test('an import gives each row an id, and draws a new id if another process has it', async () => {
  const [taken] = await nextIds()
  await importRecords(
    merchant,
    clients,
    ['A', 'B', 'C'].map(number => ({ number, last_name: 'Krug' })),
  )
  const ids = (await clients.read(merchant)).clients.flatMap(({ id, number }) => (number ? [id] : []))
  expect(new Set(ids).size).toBe(ids.length)
  expect(await getItem(key('client', { merchant, id: taken }))).toEqual({ id: taken })
})
