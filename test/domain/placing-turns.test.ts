import { changeLimits } from '../../lib/tool/quotas.ts'
import { amountsTaken } from '../../shared/catalogue/recount.ts'
import { mailKey } from '../../shared/clients/mails.ts'
import { addBasket, addItem } from '../../shared/orders/baskets/store.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { documents, putItem } from '../../shared/platform/table/table.ts'
import { guest, newQueueShop, productsOf } from '../support/queue-shop.ts'
import { stopTime } from '../support/still-time.ts'

// What an order's way is worth in requests, what it keeps of the first look, and what becomes of its room in quotas.

const clock = stopTime(Date.UTC(2026, 4, 1, 12))
process.env.SANDBOX_URL = 'https://sandbox.example'

/** What was asked of the table: the command, and all of it as text. */
let asked: { name: string; text: string }[] = []
/** What happens before the next write of an order, in its place, once; true lets it go on. */
let atWrite: ((act: () => Promise<unknown>, actions: number) => Promise<unknown>) | undefined
/** What happens once an order is laid down. */
let atWaiting: (() => Promise<unknown>) | undefined
/** How long it takes, in milliseconds, to lay an order down: whoever is before is usually taken for gone after that. */
let waiting = 5000
/** How long it takes to read the numbers. */
let reading = 0
/** How many looks for an order by its uuid find nothing. */
let hidden = 0

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
      const result = await next(args)
      if (name === 'GetItemCommand' && call.text.includes('order-uuids') && hidden > 0) {
        hidden--
        return { ...result, output: { $metadata: {} } }
      }
      if (name === 'BatchGetItemCommand' && call.text.includes('#numbers')) clock.now += reading
      if (isLaying(call)) {
        clock.now += waiting
        const laid = atWaiting
        atWaiting = undefined
        await laid?.()
      }
      return result
    },
  { step: 'initialize', priority: 'high', name: 'asked' },
)
beforeEach(() => {
  asked = []
  atWrite = undefined
  atWaiting = undefined
  waiting = 5000
  reading = 0
  hidden = 0
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
const last = (actions: number) =>
  canceled(Array.from({ length: actions }, (_, n) => (n === actions - 1 ? 'ConditionalCheckFailed' : 'None')))

const writes = () => asked.filter(isWrite).length
const isTakenBack = () => asked.some(({ name }) => name === 'DeleteItemCommand')
const later = () => clock.now + 100_000

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
    await lay(1, [{}, {}], later())
    expect((await place()).replayed).toBe(false)
    expect(await orders()).toHaveLength(1)
  })
})

describe('an order that waits', () => {
  test('takes those behind along when it is due, and looks for them only then', async () => {
    const { place, lay, queued, orders } = await newQueueShop()
    await lay(4, [{ note: 'behind' }], later())
    await queued()
    await queued()
    asked = []
    waiting = 0
    reading = 500
    await place({ note: 'first' })
    expect(
      asked.filter(({ name, text }) => name === 'BatchGetItemCommand' && text.includes('waiting-orders')),
    ).toHaveLength(1)
    expect(writes()).toBe(1)
    expect((await orders()).map(({ header }) => header.note)).toEqual(['first', 'behind'])
  })

  test('is answered as it is where another one placed it along, and has no turn to give up', async () => {
    const { place, queued, placeAlong, turn } = await newQueueShop()
    await queued()
    atWaiting = () => placeAlong({ note: 'first' })
    expect(await place({ note: 'along' })).toMatchObject({ replayed: false, data: { id: 2, note: 'along' } })
    expect(await turn()).toBe(2)
    expect(asked.filter(({ name, text }) => name === 'UpdateItemCommand' && text.includes('#numbers'))).toHaveLength(1)
  })

  test('costs what it did when it was asked for', async () => {
    const { place, queued, setProduct } = await newQueueShop()
    await queued()
    atWaiting = () => setProduct(1, '20.00', '3.80', '23.80')
    expect((await place()).data.gross).toBe('11.90')
    expect((await place()).data.gross).toBe('23.80')
  })

  test('lets those behind go on where an equal request was faster', async () => {
    const { place, queued, placeAlong, turn, orders } = await newQueueShop()
    await queued()
    atWaiting = async () => {
      // The one whose turn it is could not take it along.
      await placeAlong({}, 'key')
    }
    expect(await place({}, 'key')).toMatchObject({ replayed: true, data: { id: 1 } })
    expect([await turn(), (await orders()).length]).toEqual([2, 1])
  })

  test('is not placed twice where its write was taken for refused', async () => {
    const { place, queued, orders } = await newQueueShop()
    await queued()
    atWrite = async (act, actions) => {
      await act()
      throw last(actions)
    }
    expect(await place({ note: 'once' })).toMatchObject({ replayed: false, data: { id: 1, note: 'once' } })
    expect([(await orders()).length, writes(), isTakenBack()]).toEqual([1, 1, false])
  })

  test('is no repeat of itself', async () => {
    const { place, queued, orders } = await newQueueShop()
    await queued()
    atWrite = async (act, actions) => {
      await act()
      hidden = 1
      throw last(actions)
    }
    expect(await place({}, 'key')).toMatchObject({ replayed: false, data: { id: 1 } })
    expect([hidden, (await orders()).length, isTakenBack()]).toEqual([0, 1, false])
  })

  test('is alone once more than a number was in its way', async () => {
    const { place, queued, lay, orders } = await newQueueShop()
    await lay(3, [{}], later())
    await queued()
    atWrite = async (_, actions) => {
      throw last(actions)
    }
    await place()
    expect([(await orders()).length, writes()]).toEqual([1, 2])
  })

  test('is not laid down once more than a number was in its way', async () => {
    const { place, tickets, turn } = await newQueueShop()
    atWrite = async (_, actions) => {
      throw all(actions)
    }
    expect((await place()).data.id).toBe(1)
    expect([await tickets(), await turn(), asked.some(isLaying)]).toEqual([1, 1, false])
  })
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
    const { place, placeAlong } = await newSmallShop()
    atWrite = async (_, actions) => {
      await placeAlong(guest(), 'key')
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
