import { changeLimits } from '../../lib/tool/quotas.ts'
import { amountsTaken } from '../../shared/catalogue/recount.ts'
import { mailKey } from '../../shared/clients/store.ts'
import { addBasket, addItem } from '../../shared/orders/baskets/store.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { documents, putItem } from '../../shared/platform/table/table.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { guest, newQueueShop, productsOf } from '../support/queue-shop.ts'

// What an order costs in requests, what it shows of stock, and what becomes of its room in quotas.

useFakeClock(Date.UTC(2026, 4, 1, 12))
process.env.SANDBOX_URL = 'https://sandbox.example'

/** What was asked of the table: the command, and all of it as text. */
let asked: { name: string; text: string }[] = []
/** What happens before the next write of an order, in its place, once; true lets it go on. */
let atWrite: ((act: () => Promise<unknown>, actions: number) => Promise<unknown>) | undefined
const isWrite = ({ name, text }: { name: string; text: string }) =>
  name.startsWith('TransactWrite') && text.includes('order-uuids')
const isLaying = ({ name, text }: { name: string; text: string }) =>
  name === 'PutItemCommand' && text.includes('waiting-orders')

documents.middlewareStack.add(
  (next, { commandName: name = '' }) =>
    async args => {
      const { TransactItems = [] } = args.input as { TransactItems?: object[] }
      const call = { name, text: JSON.stringify(args.input) }
      asked.push(call)
      const write = atWrite
      if (write && isWrite(call)) {
        atWrite = undefined
        return (await write(() => next(args), TransactItems.length)) as Awaited<ReturnType<typeof next>>
      }
      return next(args)
    },
  { step: 'initialize', priority: 'high', name: 'asked' },
)
beforeEach(() => {
  asked = []
  atWrite = undefined
})

const noAnswer = () => Object.assign(new Error('no answer'), { name: 'TimeoutError' })
const canceled = (codes: readonly string[]) =>
  Object.assign(new Error('no'), {
    name: 'TransactionCanceledException',
    CancellationReasons: codes.map(Code => ({ Code })),
  })
const all = (actions: number) => canceled(Array(actions).fill('ConditionalCheckFailed'))
/** The first action takes the order's number. */
const number = (actions: number) =>
  canceled(Array.from({ length: actions }, (_, n) => (n ? 'None' : 'ConditionalCheckFailed')))
describe('an order that need not wait', () => {
  test('is one read and one transaction, and one that is refused a read alone', async () => {
    const { place, setStock } = await newQueueShop()
    asked = []
    await place()
    const one = ['BatchGetItemCommand', 'TransactWriteItemsCommand']
    expect(asked.map(({ name }) => name)).toEqual(one)
    await setStock(1, 0)
    asked = []
    await expect(place()).rejects.toMatchObject({ word: 'insufficient_stock' })
    expect(asked.map(({ name }) => name)).toEqual(one.slice(0, 1))
  })

  test('looks for nobody else', async () => {
    const { place, lay, orders } = await newQueueShop()
    await lay({}, {})
    expect((await place()).replayed).toBe(false)
    expect(await orders()).toHaveLength(1)
  })
})

test('an order that finds another one’s key, basket or mail in its way does not wait in line', async () => {
  const { place } = await newQueueShop()
  atWrite = async (_, actions) => {
    throw all(actions)
  }
  expect((await place()).data.id).toBe(1)
  expect(asked.some(isLaying)).toBe(false)
})

test('an order that sees a leader writes nothing but itself into the line', async () => {
  const { place, led } = await newQueueShop()
  await led()
  let requests: string[] = []
  atWrite = act => {
    requests = asked.map(({ name }) => name)
    return act()
  }
  asked = []
  await place()
  expect(requests.slice(0, 2)).toEqual(['BatchGetItemCommand', 'PutItemCommand'])
  expect(requests.filter(name => name.startsWith('TransactWrite'))).toHaveLength(1)
})

describe('an order that lost its number', () => {
  const losing = (act: () => Promise<unknown>) => {
    atWrite = async (_, actions) => {
      await act()
      throw number(actions)
    }
  }

  test('takes stock that is counted only since', async () => {
    const { place, setStock, stockOf } = await newQueueShop()
    losing(() => setStock(1, 10))
    await place()
    expect(await stockOf(1)).toBe(9)
  })

  test('shows all stock as it is then', async () => {
    const { place, setStock } = await newQueueShop()
    await setStock(1, 10)
    await setStock(2, 10)
    losing(() => setStock(2, 5))
    const { data } = await place({ items: productsOf({ 1: 1, 2: 1 }) })
    expect(data.positions?.map(({ item }) => item.quantity)).toEqual([9, 4])
  })
})

describe('room for the client and the address of a guest', () => {
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

  test('is free again after a refusal', async () => {
    const { place, setStock } = await newSmallShop()
    await setStock(1, 1)
    atWrite = async (_, actions) => {
      await setStock(1, 0)
      throw number(actions)
    }
    await expect(place(guest())).rejects.toMatchObject({ word: 'insufficient_stock' })
    await setStock(1, 9)
    await place(guest())
    await expect(place(guest())).rejects.toMatchObject(full)
  })

  test('is free again where an equal request was faster', async () => {
    const { place, draft, layDraft, lead } = await newSmallShop()
    atWrite = async (_, actions) => {
      await layDraft(await draft(guest(), 'key'))
      await lead()
      throw all(actions)
    }
    expect((await place(guest(), 'key')).replayed).toBe(true)
    await place(guest())
  })

  test('is free again where the mail turned out to be of a client', async () => {
    const { place, merchant, taken } = await newSmallShop()
    atWrite = async (_, actions) => {
      await putItem(mailKey(merchant, 'krug@example.com'), { id: 1 })
      throw all(actions)
    }
    const { data } = await place(guest('krug@example.com'))
    expect([data.billing_type, data.client_id, (await taken())[0]]).toEqual(['address', 1, 1])
    await place(guest())
  })

  test('stays taken where nobody knows whether the order is there', async () => {
    const { place } = await newSmallShop()
    atWrite = () => Promise.reject(noAnswer())
    await expect(place(guest())).rejects.toBeInstanceOf(Unavailable)
    await expect(place(guest())).rejects.toMatchObject(full)
  })
})

test('an order that would replace one that waits for its payment is shown with the stock of that one', async () => {
  const { place, preview, setStock, merchant } = await newQueueShop()
  await setStock(1, 1)
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, { item_type: 'product', item_id: 1, quantity: 1 })
  const urls = { return_url: 'https://shop.example/finish', cancel_url: 'https://shop.example/cancel' }
  const basket = { items: undefined, basket_uuid: uuid, payment_type: 'paypal', ...urls }
  await place(basket)
  expect((await preview({ ...basket, note: 'other' })).data).toMatchObject({ id: 2, note: 'other', gross: '11.90' })
})
