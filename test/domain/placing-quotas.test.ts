import { changeLimits } from '../../lib/tool/quotas.ts'
import { amountsTaken } from '../../shared/catalogue/recount.ts'
import { mailKey } from '../../shared/clients/store.ts'
import { addBasket, addItem } from '../../shared/orders/baskets/store.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { putItem } from '../../shared/platform/table/table.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { guest, newQueueShop } from '../support/queue-shop.ts'
import { noAnswer, refusal, type TableCall, tableCalls } from '../support/table-calls.ts'

// The requests that an order costs, and the quota that it takes.

useFakeClock(Date.UTC(2026, 4, 1, 12))
process.env.SANDBOX_URL = 'https://sandbox.example'

const table = tableCalls()
const isQueueing = ({ name, text }: TableCall) => name === 'PutItemCommand' && text.includes('queued-orders')
const names = () => table.calls.map(({ name }) => name)
const losesAll = (call: TableCall) => refusal(call, () => true)
const losesNumber = (call: TableCall) => refusal(call, n => n === 0)

describe('an order without competition', () => {
  test('is one read and one transaction; a refused one is one read', async () => {
    const { place, setStock } = await newQueueShop()
    table.calls = []
    await place()
    const one = ['BatchGetItemCommand', 'TransactWriteItemsCommand']
    expect(names()).toEqual(one)
    await setStock(1, 0)
    table.calls = []
    await expect(place()).rejects.toMatchObject({ word: 'insufficient_stock' })
    expect(names()).toEqual(one.slice(0, 1))
  })

  test('does not lead the queue', async () => {
    const { place, lay, orders } = await newQueueShop()
    await lay({}, {})
    expect((await place()).replayed).toBe(false)
    expect(await orders()).toHaveLength(1)
  })
})

test('an order whose key, basket or mail was used meanwhile is not queued', async () => {
  const { place } = await newQueueShop()
  table.atWrite = call => Promise.reject(losesAll(call))
  expect((await place()).data.id).toBe(1)
  expect(table.calls.some(isQueueing)).toBe(false)
})

test('an order that sees a leader writes only its draft', async () => {
  const { place, led } = await newQueueShop()
  await led()
  let requests: string[] = []
  table.atWrite = (_, act) => {
    requests = names()
    return act()
  }
  table.calls = []
  await place()
  expect(requests.slice(0, 2)).toEqual(['BatchGetItemCommand', 'PutItemCommand'])
  expect(requests.filter(name => name.startsWith('TransactWrite'))).toHaveLength(1)
})

describe('the quota for the client and the address of a guest', () => {
  const newSmallShop = async () => {
    const shop = await newQueueShop()
    await changeLimits(shop.merchant, { clients: 1, addresses: 9 })
    const taken = async () => {
      const { clients, addresses } = await amountsTaken(shop.merchant)
      return [clients.taken, addresses.taken]
    }
    return { ...shop, taken }
  }
  const full = { word: 'quota_exceeded' }

  test('is taken by an order', async () => {
    const { place, taken } = await newSmallShop()
    await place(guest())
    expect(await taken()).toEqual([1, 1])
    await expect(place(guest())).rejects.toMatchObject(full)
  })

  test('is released after a refusal', async () => {
    const { place, setStock } = await newSmallShop()
    await setStock(1, 1)
    table.atWrite = async call => {
      await setStock(1, 0)
      throw losesNumber(call)
    }
    await expect(place(guest())).rejects.toMatchObject({ word: 'insufficient_stock' })
    await setStock(1, 9)
    await place(guest())
    await expect(place(guest())).rejects.toMatchObject(full)
  })

  test('is released if an equal request was faster', async () => {
    const { place, draft, layDraft, lead } = await newSmallShop()
    table.atWrite = async call => {
      await layDraft(await draft(guest(), 'key'))
      await lead()
      throw losesAll(call)
    }
    expect((await place(guest(), 'key')).replayed).toBe(true)
    await place(guest())
  })

  test('is released if the mail belongs to a client', async () => {
    const { place, merchant, taken } = await newSmallShop()
    table.atWrite = async call => {
      await putItem(mailKey(merchant, 'krug@example.com'), { id: 1 })
      throw losesAll(call)
    }
    const { data } = await place(guest('krug@example.com'))
    expect([data.billing_type, data.client_id, (await taken())[0]]).toEqual(['address', 1, 1])
    await place(guest())
  })

  test('is not released if the order may exist', async () => {
    const { place } = await newSmallShop()
    table.atWrite = () => Promise.reject(noAnswer())
    await expect(place(guest())).rejects.toBeInstanceOf(Unavailable)
    await expect(place(guest())).rejects.toMatchObject(full)
  })
})

test('the preview of an order that replaces one that waits for its payment includes the stock of that one', async () => {
  const { place, preview, setStock, merchant } = await newQueueShop()
  await setStock(1, 1)
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, { item_type: 'product', item_id: 1, quantity: 1 })
  const urls = { return_url: 'https://shop.example/finish', cancel_url: 'https://shop.example/cancel' }
  const basket = { items: undefined, basket_uuid: uuid, payment_type: 'paypal', ...urls }
  await place(basket)
  expect((await preview({ ...basket, note: 'other' })).data).toMatchObject({ id: 2, note: 'other', gross: '11.90' })
})
