import { createHash } from 'node:crypto'
import type { CountedStock } from '../../shared/catalogue/goods/held.ts'
import { prepare } from '../../shared/orders/placing/draft.ts'
import type { PreparedOrder } from '../../shared/orders/placing/place-actions.ts'
import { layDown, ordersAlong, takeBack } from '../../shared/orders/placing/waiting.ts'
import { pack, unpack } from '../../shared/orders/record.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { documents, getItem, updateItem } from '../../shared/platform/table/table.ts'
import { counted } from '../support/partitions.ts'
import { guest, newQueueShop, productsOf } from '../support/queue-shop.ts'
import { stopTime } from '../support/still-time.ts'

// Which of the orders that wait are placed along with one whose turn it is.

const now = Date.UTC(2026, 4, 1, 12)
const later = now + 10_000
stopTime(now)

let keys: string[] = []
documents.middlewareStack.add(
  next => args => {
    const { RequestItems = {} } = args.input as {
      RequestItems?: Record<string, { Keys?: { pk: string; sk: string }[] }>
    }
    keys.push(...Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys.map(({ pk, sk }) => `${pk} ${sk}`)))
    return next(args)
  },
  { step: 'initialize', name: 'keys' },
)
beforeEach(() => {
  keys = []
})

describe('the orders that are placed along', () => {
  test('are those with the fifteen tickets behind, but for whom was in the way before', async () => {
    const { draft, along, merchant } = await newQueueShop()
    const waiting = await draft()
    for (const ticket of counted(19)) await layDown({ ...waiting, uuid: `uuid-${ticket}` }, ticket, later)
    const first = await draft()
    const behind = counted(15).map(n => 3 + n)
    expect(await along(first, 3)).toEqual(behind)
    expect(await along(first, 3, [4, 7])).toEqual(behind.filter(ticket => ticket !== 4 && ticket !== 7))
    expect([await takeBack(merchant, 5), await takeBack(merchant, 5)]).toEqual([true, false])
    expect(await along(first, 3, [4, 7])).toEqual(behind.filter(ticket => ![4, 5, 7].includes(ticket)))
  })

  test('are those whose time is not over, of what this code wrote', async () => {
    const { draft, along, lay, merchant } = await newQueueShop()
    await lay(2, [{}], now)
    await lay(3, [{}], now + 1)
    await lay(4, [{}, {}], later)
    const [place, item] = [key('waitingOrder', { merchant, ticket: 4 }), key('waitingOrder', { merchant, ticket: 5 })]
    const { doc } = (await getItem(place)) ?? { doc: pack({}) }
    await updateItem(place, { set: { doc: pack({ ...unpack(doc), form: 1 }) } })
    expect(await along(await draft())).toEqual([3, 5])
    // What nobody took back goes by itself.
    expect((await getItem(item))?.expires).toBe(now / 1000 + 3600)
  })

  test('are those for whom enough is left, of what the first has read and of what it does not sell', async () => {
    const { setStock, lay, draft, along } = await newQueueShop()
    await setStock(1, 5)
    await setStock(2, 2)
    const first = await draft({ items: productsOf({ 1: 2 }) })
    const wanted: Record<number, number>[] = [{ 1: 4 }, { 1: 3, 2: 1 }, { 2: 2 }, { 1: 1 }, { 2: 1 }, { 3: 9 }]
    await lay(
      2,
      wanted.map(one => ({ items: productsOf(one) })),
      later,
    )
    keys = []
    expect(await along(first)).toEqual([3, 6, 7])
    // Nor is stock read twice.
    expect(keys.filter(one => one.includes('stock')).map(one => one.split(' ')[0]?.slice(-7))).toHaveLength(2)
  })
})

test('an order is laid down unless it takes more than 60 000 bytes', async () => {
  const { draft, merchant } = await newQueueShop()
  const one = await draft()
  const noise = counted(1000)
    .map(n => createHash('sha512').update(`${n}`).digest('hex'))
    .join('')
  const lay = async (ticket: number, length: number) => {
    const data = { ...one.request.data, note: noise.slice(0, length) }
    const isLaid = await layDown({ ...one, request: { ...one.request, data } }, ticket, later)
    return [isLaid, (await getItem(key('waitingOrder', { merchant, ticket })))?.doc.length]
  }
  // Two digits of such noise take a byte and a little more.
  const [isLaid, bytes] = await lay(1, 112_000)
  expect(isLaid).toBe(true)
  expect(bytes).toBeGreaterThan(57_000)
  expect(await lay(2, 119_000)).toEqual([false, undefined])
})

describe('one transaction holds', () => {
  const bytesOf = ({ order, parts, newParties }: PreparedOrder): number =>
    JSON.stringify([order, newParties.map(({ request }) => request())]).length +
    parts.reduce((sum, { length }) => sum + length, 0)

  test('orders of 3 500 000 bytes together', async () => {
    const { draft, along, lay } = await newQueueShop()
    await lay(2, [guest('a@example.com'), guest('b@example.com')], later)
    const first = await draft(guest('c@example.com'))
    const prepared = prepare(first)
    const [second, third] = await ordersAlong(first, prepared, 1, new Set())
    if (!second || !third) throw new Error('they are not placed along')
    const [one, two] = [bytesOf(second.prepared), bytesOf(third.prepared)]
    const left = 3_500_000 - bytesOf(prepared)
    const large = (bytes: number) =>
      along(first, 1, [], { ...prepared, parts: [...prepared.parts, Buffer.alloc(bytes)] })
    // The own order writes one item more then, which is no matter.
    expect(await large(left - one - two)).toEqual([2, 3])
    expect(await large(left - one - two + 1)).toEqual([2])
    expect(await large(left - one)).toEqual([2])
    expect(await large(left - one + 1)).toEqual([])
  })

  test('ninety actions: each order, what it sold, its uuid, its event and its waiting, and each stock once', async () => {
    const { draft, along, lay, setStock } = await newQueueShop()
    for (const id of [1, 2, 3]) await setStock(id, 100)
    await lay(2, [{ items: productsOf({ 1: 1, 2: 1 }) }, { items: productsOf({ 1: 1, 3: 1 }) }], later)
    const first = await draft()
    const prepared = prepare(first)
    const selling = (goods: number) => {
      const more = counted(goods - 1).map((n): CountedStock => ({ type: 'wine', id: n, quantity: 0 }))
      const order = { ...prepared.order, counted: [...prepared.order.counted, ...more] }
      return along(first, 1, [], { ...prepared, order })
    }
    // Four items of each order, two goods more, and what the second waited under.
    expect(await selling(90 - 12 - 2 - 1)).toEqual([2, 3])
    expect(await selling(90 - 12 - 2)).toEqual([2])
    // Four items of each order, and one good more.
    expect(await selling(90 - 8 - 1)).toEqual([2])
    expect(await selling(90 - 8)).toEqual([])
  })
})
