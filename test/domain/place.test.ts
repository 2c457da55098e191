import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/orders.ts'
import type { PlaceRequest } from '../../shared/orders/placing/draft.ts'
import { opener } from '../../shared/orders/placing/open-payment.ts'
import { placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import { orderOf } from '../../shared/orders/record.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { documents, getItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { newCheckout, newProduct, returning, setStock } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { violations } from '../support/invariants.ts'

// What a request answers whose order is there already, by whomever; and what stands in the way of writing one.

useFakeClock(Date.UTC(2026, 4, 1, 12))

type Write = { TransactItems: { Put?: { Item: { pk: string } }; Update?: object; Delete?: object }[] }
/** What happens at a call of the table, in its place. */
let hook: ((name: string, text: string, act: () => Promise<unknown>, input: Write) => Promise<unknown>) | undefined
documents.middlewareStack.add(
  (next, { commandName = '' }) =>
    async args => {
      const act = () => next(args)
      const text = JSON.stringify(args.input)
      const now = hook
      return (now ? now(commandName, text, act, args.input as never) : act()) as ReturnType<typeof next>
    },
  { step: 'initialize', priority: 'high', name: 'hook' },
)
afterEach(() => {
  hook = undefined
})

const isWrite = (name: string, text: string) => name.startsWith('TransactWrite') && text.includes('order-uuids')
const noAnswer = () => Object.assign(new Error('no answer'), { name: 'TimeoutError' })
const canceled = (codes: readonly string[]) =>
  Object.assign(new Error('no'), {
    name: 'TransactionCanceledException',
    CancellationReasons: codes.map(Code => ({ Code })),
  })

const newShop = async () => {
  const { shop, billing_id } = await newCheckout('Kellerei Tresen')
  const merchant = shop.id
  const placer = { merchant, user: { id: 1, name: 'test' } }
  const request = (data: object = {}, idempotencyKey: string | null = null): PlaceRequest => ({
    data: v.parse(NewOrder, { billing_id, payment_type: 'invoice', items: itemsOf(shop, { secco: 1 }), ...data }),
    idempotencyKey,
  })
  const place = (data: object = {}, idempotencyKey: string | null = null) =>
    placeOrder(placer, request(data, idempotencyKey))
  const orders = async () => (await query({ pk: partition('order', { merchant }) })).map(orderOf)
  const check = () => violations(merchant, { [`wine#${shop.wine.secco}`]: 1000 })
  return { shop, merchant, placer, request, place, orders, check }
}

describe('the repeat of an order by PayPal', () => {
  const repeated = async (set: Partial<PaymentItem>, header: object = {}, actor?: string) => {
    const { merchant, place } = await newShop()
    const paypal = { payment_type: 'paypal', ...returning }
    const { data, payment } = await place(paypal, 'key')
    await updateItem(key('payment', { merchant, uuid: payment?.uuid ?? '' }), { set })
    const at = key('order', { merchant, id: data.id })
    const item = await getItem(at)
    if (!item) throw new Error('there is no order')
    const order = orderOf(item)
    const history = actor ? [...order.history, { at: '', event: 'cancel', actor }] : order.history
    const doc = JSON.stringify({ ...order, header: { ...order.header, ...header }, history })
    await updateItem(at, { set: { doc } })
    return place(paypal, 'key')
  }
  const failed = { status: 'cancelled', external_id: null } as const

  test.each(['open', 'declined'] as const)('leads to the provider while the payment is %s', async status => {
    const { targetUrl, payment, replayed } = await repeated({ status })
    expect([targetUrl, payment?.status, replayed]).toEqual([expect.stringContaining('/sandbox/pay/'), status, true])
  })

  test.each([
    'capturing',
    'captured',
    'pending',
    'review',
  ] as const)('leads nowhere once the payment is %s', async status => {
    const answer = await repeated({ status })
    expect([Object.keys(answer).sort(), answer.payment?.status]).toEqual([['data', 'payment', 'replayed'], status])
  })

  test.each([
    ['an order that is not cancelled yet', {}, undefined],
    ['an order that was cancelled for it', { status: 'cancelled' }, opener],
  ])('that could not be opened fails: %s', async (_, header, actor) => {
    await expect(repeated(failed, header, actor)).rejects.toMatchObject({ word: 'payment_provider_error' })
  })

  test('whose payment is over, though it was opened, shows that', async () => {
    const { data, payment, replayed } = await repeated({ status: 'cancelled' })
    expect([data.status, payment?.status, replayed]).toEqual(['new', 'cancelled', true])
  })

  test.each([
    ['before it was opened', failed],
    ['after it was opened', { status: 'cancelled' } as const],
  ])('that somebody cancelled %s shows that', async (_, set) => {
    const { data, payment, replayed } = await repeated(set, { status: 'cancelled' }, 'test')
    expect([data.status, payment?.status, replayed]).toEqual(['cancelled', 'cancelled', true])
  })
})

describe('an order whose write gets no answer', () => {
  test('is answered as it is where it is there all the same', async () => {
    const { place, orders, check } = await newShop()
    hook = async (name, text, act) => {
      if (!isWrite(name, text)) return act()
      hook = undefined
      await act()
      throw noAnswer()
    }
    expect(await place({ note: 'once' })).toMatchObject({ replayed: false, data: { id: 1, note: 'once' } })
    expect(await orders()).toHaveLength(1)
    expect(await check()).toEqual([])
  })

  test('fails where it is not, and where it was refused', async () => {
    const { place, orders } = await newShop()
    hook = async (name, text, act) => (isWrite(name, text) ? Promise.reject(noAnswer()) : act())
    await expect(place()).rejects.toBeInstanceOf(Unavailable)
    expect(await orders()).toEqual([])
  })
})

describe('stock that others took since an order was read', () => {
  const later = (act: () => Promise<unknown>) => {
    hook = async (name, text, go, { TransactItems = [] }) => {
      if (!isWrite(name, text)) return go()
      hook = undefined
      await act()
      throw canceled(TransactItems.map((_, n) => (n === 0 ? 'ConditionalCheckFailed' : 'None')))
    }
  }

  test('is shown as it is then', async () => {
    const { shop, place } = await newShop()
    later(() => setStock(shop, 'wine', shop.wine.secco as number, 50))
    const { data } = await place()
    expect(data.positions?.[0]?.item).toMatchObject({ quantity: 49 })
  })

  /** Two wines and a product. */
  const newGoods = async () => {
    const { shop, place, merchant } = await newShop()
    const { id } = await newProduct(shop)
    const riesling = shop.wine.riesling as number
    const items = [...itemsOf(shop, { secco: 1, riesling: 1 }), { item_type: 'product', item_id: id, quantity: 1 }]
    const setStocks = async (wine: number, product: number) => {
      await setStock(shop, 'wine', riesling, wine)
      await setStock(shop, 'product', id, product)
    }
    const left = async () => (await getItem(key('stock', { merchant, type: 'product', id })))?.quantity
    return { place: () => place({ items }), setStocks, left }
  }

  test('is shown as it is then, though only that of one is another', async () => {
    const { place, setStocks } = await newGoods()
    await setStocks(10, 20)
    later(() => setStocks(5, 20))
    expect((await place()).data.positions?.map(({ item }) => item.quantity)).toEqual([999, 4, 19])
  })

  test('is taken of what is counted only since', async () => {
    const { place, setStocks, left } = await newGoods()
    later(() => setStocks(5, 5))
    await place()
    expect(await left()).toBe(4)
  })

  test('is missing, which is told', async () => {
    const { shop, place } = await newShop()
    later(() => setStock(shop, 'wine', shop.wine.secco as number, 0))
    await expect(place()).rejects.toMatchObject({ word: 'insufficient_stock' })
  })

  test('is not missing where an equal request took it', async () => {
    const { shop, place } = await newShop()
    await setStock(shop, 'wine', shop.wine.secco as number, 1)
    let first: unknown
    later(async () => {
      first = (await place({}, 'key')).data
    })
    expect(await place({}, 'key')).toMatchObject({ replayed: true, data: { id: (first as { id: number }).id } })
  })
})

test('an order that is only shown is none', async () => {
  const { placer, request, orders } = await newShop()
  expect(await previewOrder(placer, request({ note: 'only' }))).toMatchObject({
    replayed: false,
    data: { id: 1, note: 'only', gross: '12.00' },
  })
  expect(await orders()).toEqual([])
})
