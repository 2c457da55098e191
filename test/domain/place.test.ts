import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { leaderKey } from '../../shared/orders/numbering/queue.ts'
import { opener } from '../../shared/orders/placing/open-payment.ts'
import { placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import { orderOf } from '../../shared/orders/record.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { getItem, putItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { newProduct, returning, setStock } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { violations } from '../support/invariants.ts'
import { newPayer } from '../support/payer.ts'
import { isOrderWrite, noAnswer, refusal, tableCalls } from '../support/table-calls.ts'

const clock = useFakeClock(Date.UTC(2026, 4, 1, 12))
const table = tableCalls()

const newShop = async () => {
  const { shop, billing_id } = await newPayer('Kellerei Tresen')
  const merchant = shop.id
  const placer = { merchant, user: { id: 1, name: 'test' } }
  const request = (data: object = {}, idempotencyKey: string | null = null) => ({
    data: v.parse(NewOrder, { billing_id, payment_type: 'invoice', items: itemsOf(shop, { secco: 1 }), ...data }),
    idempotencyKey,
  })
  return {
    shop,
    merchant,
    place: (data: object = {}, idempotencyKey: string | null = null) =>
      placeOrder(placer, request(data, idempotencyKey)),
    preview: (data: object) => previewOrder(placer, request(data)),
    orders: async () => (await query({ pk: partition('order', { merchant }) })).map(orderOf),
    check: () => violations(merchant, { [`wine#${shop.wine.secco}`]: 1000 }),
  }
}
const usual = await newShop()
const paypal = { payment_type: 'paypal', ...returning }

describe('the repeat of an order by PayPal', () => {
  let last = 0

  /** Places an order, changes its payment, header or history, and repeats the request. */
  const repeated = async (set: Partial<PaymentItem>, header: object = {}, actor?: string) => {
    const { merchant, place } = usual
    const idempotencyKey = `repeat ${++last}`
    const { data, payment } = await place(paypal, idempotencyKey)
    await updateItem(key('payment', { merchant, uuid: payment?.uuid ?? '' }), { set })
    const at = key('order', { merchant, id: data.id })
    const item = await getItem(at)
    if (!item) throw new Error('there is no order')
    const order = orderOf(item)
    const history = actor ? [...order.history, { at: '', event: 'cancel', actor }] : order.history
    const doc = JSON.stringify({ ...order, header: { ...order.header, ...header }, history })
    await updateItem(at, { set: { doc } })
    return place(paypal, idempotencyKey)
  }
  const failed = { status: 'cancelled', external_id: null } as const

  test('does not call the provider once the payment is open', async () => {
    const provider = await providerOf({ id: usual.merchant })
    const { open } = provider
    let calls = 0
    provider.open = request => {
      calls++
      return open(request)
    }
    const first = await usual.place(paypal, 'open')
    expect(await usual.place(paypal, 'open')).toEqual({ ...first, replayed: true })
    expect([first.replayed, calls]).toEqual([false, 1])
    provider.open = open
  })

  test.each(['open', 'declined'] as const)('redirects to the provider while the payment is %s', async status => {
    const { targetUrl, payment, replayed } = await repeated({ status })
    expect([targetUrl, payment?.status, replayed]).toEqual([expect.stringContaining('/sandbox/pay/'), status, true])
  })

  test.each([
    'capturing',
    'captured',
    'pending',
    'review',
    // Its order is not cancelled yet.
    'cancelled',
  ] as const)('does not redirect once the payment is %s', async status => {
    const answer = await repeated({ status })
    expect([Object.keys(answer).sort(), answer.payment?.status]).toEqual([['data', 'payment', 'replayed'], status])
  })

  test.each([
    ['an order that is not cancelled yet', {}, undefined],
    ['an order that was cancelled for it', { status: 'cancelled' }, opener],
  ])('that could not be opened fails: %s', async (_, header, actor) => {
    await expect(repeated(failed, header, actor)).rejects.toMatchObject({ word: 'payment_provider_error' })
  })

  test.each([
    ['before it was opened', failed],
    ['after it was opened', { status: 'cancelled' } as const],
  ])('returns that a user cancelled it %s', async (_, set) => {
    const { data, payment, replayed } = await repeated(set, { status: 'cancelled' }, 'test')
    expect([data.status, payment?.status, replayed]).toEqual(['cancelled', 'cancelled', true])
  })
})

test('an Idempotency-Key belongs to one order', async () => {
  const first = await usual.place({ note: 'one' }, 'one')
  expect(await usual.place({ note: 'one' }, 'one')).toMatchObject({ replayed: true, data: { id: first.data.id } })
  await expect(usual.place({ note: 'two' }, 'one')).rejects.toMatchObject({ word: 'idempotency_key_reused' })
})

describe('an order that was written is answered and exists once', () => {
  test.each([
    ['its write got no answer', noAnswer, null],
    ['its write seemed refused for its number', (call: never) => refusal(call, n => n === 0), null],
    ['its write seemed refused for more', (call: never) => refusal(call, (n, last) => n === last), 'more'],
  ])('though %s', async (_, thrown, idempotencyKey) => {
    const { place, orders, check } = await newShop()
    table.atWrite = async (call, act) => {
      await act()
      throw thrown(call as never)
    }
    expect(await place({ note: 'once' }, idempotencyKey)).toMatchObject({
      replayed: false,
      data: { note: 'once', id: 1 },
    })
    expect([(await orders()).length, await check()]).toEqual([1, []])
  })

  test('though it was queued and its write seemed refused', async () => {
    const { merchant, place, orders } = await newShop()
    await putItem(leaderKey(merchant), { owner: 'dead', until: clock.now + 1500 })
    table.atWrite = async (call, act) => {
      await act()
      throw refusal(call, (n, last) => n === last)
    }
    const before = clock.now
    expect(await place({ note: 'once' })).toMatchObject({ replayed: false, data: { id: 1, note: 'once' } })
    expect(await orders()).toHaveLength(1)
    // It is found before the time for retries is over.
    expect(clock.now).toBeLessThan(before + 15_000)
  })
})

test('an order fails if its write got no answer and did not happen', async () => {
  const { place, orders } = await newShop()
  table.around = (call, act) => (isOrderWrite(call) ? Promise.reject(noAnswer()) : act())
  await expect(place()).rejects.toBeInstanceOf(Unavailable)
  expect(await orders()).toEqual([])
})

test('an order that lost its number and more is tried again', async () => {
  table.atWrite = call => Promise.reject(refusal(call, (n, last) => n === 0 || n === last))
  expect((await usual.place({ note: 'again' })).data.note).toBe('again')
})

describe('an order that lost its number', () => {
  /** Changes the table while the next order is written, which loses its number. */
  const meanwhile = (act: () => Promise<unknown>) => {
    table.atWrite = async call => {
      await act()
      throw refusal(call, n => n === 0)
    }
  }

  test('shows and takes the present stock, also of goods that were not counted before', async () => {
    const { shop, place, merchant } = await newShop()
    const { secco = 0, riesling = 0 } = shop.wine
    const { id } = await newProduct(shop)
    const items = [...itemsOf(shop, { secco: 1, riesling: 1 }), { item_type: 'product', item_id: id, quantity: 1 }]
    const shown = async (act: () => Promise<unknown>) => {
      meanwhile(act)
      return (await place({ items })).data.positions?.map(({ item }) => (item as { quantity: number }).quantity)
    }
    await setStock(shop, 'wine', secco, 1000)
    const count = () => Promise.all([setStock(shop, 'wine', riesling, 50), setStock(shop, 'product', id, 70)])
    expect(await shown(count)).toEqual([999, 49, 69])
    expect(await shown(() => setStock(shop, 'wine', riesling, 40))).toEqual([998, 39, 68])
    expect(await shown(() => setStock(shop, 'product', id, 30))).toEqual([997, 38, 29])
    expect(await getItem(key('stock', { merchant, type: 'product', id }))).toMatchObject({ quantity: 29 })
  })

  test('is refused if the stock does not suffice any more', async () => {
    const { shop, place } = await newShop()
    meanwhile(() => setStock(shop, 'wine', shop.wine.secco as number, 0))
    await expect(place()).rejects.toMatchObject({ word: 'insufficient_stock' })
  })

  test('is the order of an equal request that took the stock', async () => {
    const { shop, place } = await newShop()
    await setStock(shop, 'wine', shop.wine.secco as number, 1)
    let first: unknown
    meanwhile(async () => {
      first = (await place({}, 'key')).data
    })
    expect(await place({}, 'key')).toMatchObject({ replayed: true, data: { id: (first as { id: number }).id } })
  })
})

test('a preview stores no order', async () => {
  const { preview, orders } = await newShop()
  expect(await preview({ note: 'only' })).toMatchObject({
    replayed: false,
    data: { id: 1, note: 'only', gross: '12.00' },
  })
  expect(await orders()).toEqual([])
})
