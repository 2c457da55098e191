import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/orders.ts'
import { leaderKey } from '../../shared/orders/numbering/queue.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { orderOf } from '../../shared/orders/record.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { documents, putItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { newProduct, returning, setStock } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayer } from '../support/payer.ts'

// One request's way to its order, quickly; place.test.ts has the rest.

const clock = useFakeClock(Date.UTC(2026, 4, 1, 12))

type Write = { TransactItems: { Put?: { Item: { pk: string } } }[] }
/** What happens at a transaction that places orders, in its place; once. */
let hook: ((act: () => Promise<unknown>, input: Write) => Promise<unknown>) | undefined
documents.middlewareStack.add(
  (next, { commandName = '' }) =>
    async args => {
      const text = JSON.stringify(args.input)
      const now = commandName.startsWith('TransactWrite') && text.includes('order-uuids') ? hook : undefined
      if (now) hook = undefined
      const act = () => next(args)
      return (now ? now(act, args.input as never) : act()) as ReturnType<typeof next>
    },
  { step: 'initialize', priority: 'high', name: 'hook' },
)
afterEach(() => {
  hook = undefined
})

/** A refusal of a transaction for some of its actions: its first takes the number, its last the stock. */
const refused = ({ TransactItems }: Write, of: (n: number, last: number) => boolean) =>
  Object.assign(new Error('no'), {
    name: 'TransactionCanceledException',
    CancellationReasons: TransactItems.map((_, n) => ({
      Code: of(n, TransactItems.length - 1) ? 'ConditionalCheckFailed' : 'None',
    })),
  })

const newPlace = async () => {
  const { shop, billing_id } = await newPayer('Kellerei Weg')
  const merchant = shop.id
  const placer = { merchant, user: { id: 1, name: 'test' } }
  const request = (data: object, idempotencyKey: string | null) => ({
    idempotencyKey,
    data: v.parse(NewOrder, { billing_id, payment_type: 'invoice', items: itemsOf(shop, { secco: 1 }), ...data }),
  })
  const place = (data: object = {}, name: string | null = null) => placeOrder(placer, request(data, name))
  return {
    shop,
    merchant,
    place,
    orders: async () => (await query({ pk: partition('order', { merchant }) })).map(orderOf),
    /** From now on somebody leads, who died. */
    led: () => putItem(leaderKey(merchant), { owner: 'dead', until: clock.now + 1500 }),
  }
}
const usual = await newPlace()

describe('the repeat of an order by PayPal', () => {
  const paypal = { payment_type: 'paypal', ...returning }

  test('asks the provider nothing once the payment is open', async () => {
    const provider = await providerOf({ id: usual.merchant })
    const { open } = provider
    let asked = 0
    provider.open = request => {
      asked++
      return open(request)
    }
    const first = await usual.place(paypal, 'open')
    expect(first.replayed).toBe(false)
    expect(await usual.place(paypal, 'open')).toEqual({ ...first, replayed: true })
    expect(asked).toBe(1)
    provider.open = open
  })

  test.each([
    'captured',
    // Its order is not cancelled yet. It did reach the provider.
    'cancelled',
  ] as const)('leads nowhere once the payment is %s', async status => {
    const { payment } = await usual.place(paypal, status)
    await updateItem(key('payment', { merchant: usual.merchant, uuid: payment?.uuid ?? '' }), { set: { status } })
    const answer = await usual.place(paypal, status)
    expect([Object.keys(answer).sort(), answer.payment?.status]).toEqual([['data', 'payment', 'replayed'], status])
  })
})

test('an Idempotency-Key is for one order', async () => {
  const first = await usual.place({ note: 'one' }, 'one')
  expect(await usual.place({ note: 'one' }, 'one')).toMatchObject({ replayed: true, data: { id: first.data.id } })
  await expect(usual.place({ note: 'two' }, 'one')).rejects.toMatchObject({ word: 'idempotency_key_reused' })
})

describe('an order is answered as it is, and is there once', () => {
  const written = async (place: () => Promise<unknown>, thrown: (input: Write) => object) => {
    hook = async (act, input) => {
      await act()
      throw thrown(input)
    }
    const before = (await usual.orders()).length
    expect(await place()).toMatchObject({ replayed: false, data: { note: 'once', id: before + 1 } })
    expect(await usual.orders()).toHaveLength(before + 1)
  }

  test('where its write got no answer', () =>
    written(
      () => usual.place({ note: 'once' }),
      () => Object.assign(new Error('no answer'), { name: 'TimeoutError' }),
    ))

  test('where its write was taken for refused: for its number', () =>
    written(
      () => usual.place({ note: 'once' }),
      input => refused(input, n => n === 0),
    ))

  test('where its write was taken for refused: for more than that', () =>
    written(
      () => usual.place({ note: 'once' }, 'more'),
      input => refused(input, (n, last) => n === last),
    ))

  test('where it waited, and its write was taken for refused', async () => {
    const { place, led, orders } = await newPlace()
    await led()
    hook = async (act, input) => {
      await act()
      throw refused(input, (n, last) => n === last)
    }
    const before = clock.now
    expect(await place({ note: 'once' })).toMatchObject({ replayed: false, data: { id: 1, note: 'once' } })
    expect(await orders()).toHaveLength(1)
    // Not only once nothing else is left to be tried.
    expect(clock.now).toBeLessThan(before + 15_000)
  })
})

describe('an order', () => {
  test('is tried again when its number and more was lost', async () => {
    hook = (_, input) => Promise.reject(refused(input, (n, last) => n === 0 || n === last))
    expect((await usual.place({ note: 'again' })).data.note).toBe('again')
  })
})

test('stock is shown as others left it since, also where other goods are as they were, or were not counted', async () => {
  const { shop, place } = usual
  const { secco = 0, riesling = 0 } = shop.wine
  const { id } = await newProduct(shop)
  const items = [...itemsOf(shop, { secco: 1, riesling: 1 }), { item_type: 'product', item_id: id, quantity: 1 }]
  const shown = async (act: () => Promise<unknown>) => {
    hook = async (_, input) => {
      await act()
      throw refused(input, n => n === 0)
    }
    return (await place({ items })).data.positions?.map(({ item }) => (item as { quantity: number }).quantity)
  }
  await setStock(shop, 'wine', secco, 1000)
  const count = () => Promise.all([setStock(shop, 'wine', riesling, 50), setStock(shop, 'product', id, 70)])
  expect(await shown(count)).toEqual([999, 49, 69])
  expect(await shown(() => setStock(shop, 'wine', riesling, 40))).toEqual([998, 39, 68])
  expect(await shown(() => setStock(shop, 'product', id, 30))).toEqual([997, 38, 29])
})

describe('of a quota of clients', () => {
  const home = { address: 'Hof 3', zip: '01067', city: 'Dresden', countrycode: 'de', last_name: 'Gast' }
  const full = { word: 'quota_exceeded' }
  const limited = async (limit: number) => {
    const { merchant, shop, place } = await newPlace()
    await putItem(key('quota', { merchant, name: 'clients' }), { limit, taken: 0 } as never)
    const guest = (data: object = {}, name?: string) =>
      place({ billing_id: null, billing: { ...home }, ...data }, name ?? null)
    return { shop, guest }
  }

  test('an order that brings one along takes one', async () => {
    const { guest } = await limited(1)
    await guest()
    await expect(guest()).rejects.toMatchObject(full)
  })

  test('an order that is refused in the end takes none', async () => {
    const { guest, shop } = await limited(1)
    const wine = shop.wine.secco as number
    hook = async (_, input) => {
      await setStock(shop, 'wine', wine, 0)
      throw refused(input, n => n === 0)
    }
    await expect(guest()).rejects.toMatchObject({ word: 'insufficient_stock' })
    await setStock(shop, 'wine', wine, 1000)
    await guest()
    await expect(guest()).rejects.toMatchObject(full)
  })

  test('an order that got no answer takes one: it may be there', async () => {
    const { guest } = await limited(1)
    hook = () => Promise.reject(Object.assign(new Error('no answer'), { name: 'TimeoutError' }))
    await expect(guest()).rejects.toBeInstanceOf(Unavailable)
    await expect(guest()).rejects.toMatchObject(full)
  })

  test('an order that turns out to be a repeat takes none', async () => {
    const { guest } = await limited(3)
    hook = async act => {
      await guest({}, 'key')
      return act()
    }
    expect(await guest({}, 'key')).toMatchObject({ replayed: true })
    await guest()
    await guest()
    await expect(guest()).rejects.toMatchObject(full)
  })

  test('an order whose guest became known meanwhile takes none', async () => {
    const { guest } = await limited(3)
    const known = { billing: { ...home, mail: 'gast@example.org' } }
    hook = async act => {
      await guest(known)
      return act()
    }
    expect(await guest(known)).toMatchObject({ replayed: false })
    await guest()
    await guest()
    await expect(guest()).rejects.toMatchObject(full)
  })
})
