import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/orders.ts'
import { addBasket, addItem } from '../../shared/orders/baskets/store.ts'
import { type Draft, draftOf, type PlaceRequest, prepare, readSource } from '../../shared/orders/placing/draft.ts'
import { placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import { actionsOf, placeActions } from '../../shared/orders/placing/place-actions.ts'
import { layDown, ordersAlong, takeBack } from '../../shared/orders/placing/waiting.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { documents, getItem, putItem, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { newCellar } from '../support/cellar.ts'
import { newProduct, returning, setStock } from '../support/checkout.ts'
import { newClient } from '../support/harness.ts'
import { violations } from '../support/invariants.ts'
import { counted } from '../support/partitions.ts'

// Orders that wait for their numbers are written along by whoever has the turn.

const newPlace = async () => {
  const shop = await newCellar('Kellerei Andrang', ['invoice', 'prepaid', 'paypal'])
  const merchant = shop.id
  const { id: billing_id } = await newClient(shop)
  const placer = { merchant, user: { id: 1, name: 'test' } }
  const { secco = 0, riesling = 0 } = shop.wine
  const request = (data: object = {}, idempotencyKey: string | null = null): PlaceRequest => ({
    data: v.parse(NewOrder, {
      billing_id,
      payment_type: 'invoice',
      items: [{ item_type: 'wine', item_id: secco, quantity: 1 }],
      ...data,
    }),
    idempotencyKey,
  })
  const place = (data: object = {}, idempotencyKey: string | null = null) =>
    placeOrder(placer, request(data, idempotencyKey))
  const draft = async (data: object = {}): Promise<Draft> =>
    draftOf(await readSource(placer, request(data), null), randomUUID())
  /** From now on, who places an order queues behind one who is gone. */
  const queued = async () => {
    await updateItem(key('numbers', { merchant, counter: 'orders' }), { set: { at: Date.now() } })
    await updateItem(key('queue', { merchant, counter: 'orders' }), { add: { tickets: 1 } })
  }
  return { shop, merchant, placer, secco, riesling, request, place, draft, queued }
}

let transactions = 0
documents.middlewareStack.add(
  (next, { commandName }) =>
    args => {
      const isWriting = commandName === 'TransactWriteItemsCommand' || commandName === 'TransactWriteCommand'
      // A payment that is opened has a transaction of its own, after its order.
      if (isWriting && !JSON.stringify(args.input).includes('external-payments')) transactions++
      return next(args)
    },
  { step: 'initialize', name: 'count' },
)
beforeEach(() => {
  transactions = 0
})

const laidDown = async (merchant: Draft['placer']['merchant']) =>
  (await queryEntries({ pk: `m#${merchant}#waiting-orders` })).length

const home = { address: 'Hof 3', zip: '01067', city: 'Dresden', countrycode: 'de' }

test('of forty orders at once each request gets its own, in fewer transactions than orders', async () => {
  const { shop, merchant, secco, riesling, place, queued } = await newPlace()
  await setStock(shop, 'wine', secco, 1000)
  await queued()
  const kinds: Record<string, string>[] = [
    { payment_type: 'invoice' },
    { payment_type: 'prepaid', delivery_type: 'none' },
    { payment_type: 'paypal', ...returning },
  ]
  const datas = counted(40).map(n => ({
    ...kinds[n % 3],
    client_remark: `Wunsch ${n}`,
    items: [
      { item_type: 'wine', item_id: secco, quantity: n },
      ...(n % 2 ? [{ item_type: 'wine', item_id: riesling, quantity: 2 }] : []),
    ],
    ...(n % 4 === 0 && { billing_id: undefined, billing: { ...home, last_name: `Gast ${n}` } }),
  }))
  const placed = await Promise.all(datas.map(data => place(data)))
  expect(transactions).toBeLessThan(30)
  expect(placed.map(({ data }) => data.id).toSorted((a, b) => a - b)).toEqual(counted(40))
  for (const [n, { data, payment, targetUrl, replayed }] of placed.entries()) {
    const asked = datas[n]
    const shown = data.positions?.map(({ item_type, item_id, quantity }) => ({ item_type, item_id, quantity }))
    expect([data.client_remark, data.payment_type, shown]).toEqual([
      asked?.client_remark,
      kinds[(n + 1) % 3]?.payment_type,
      asked?.items,
    ])
    if (asked?.billing) expect(data.billing).toMatchObject(asked.billing)
    expect([Boolean(targetUrl), payment?.status]).toEqual(
      data.payment_type === 'paypal' ? [true, 'open'] : [false, undefined],
    )
    expect(replayed).toBe(false)
  }
  expect(await laidDown(merchant)).toBe(0)
  expect(await violations(merchant, { [`wine#${secco}`]: 1000 })).toEqual([])
})

test('an order that is placed along is as it would be alone', async () => {
  const { shop, merchant, placer, secco, request, draft } = await newPlace()
  await setStock(shop, 'wine', secco, 100)
  const carafe = await newProduct(shop, { name: 'Karaffe' })
  const data = {
    billing_id: undefined,
    billing: { ...home, last_name: 'Gast' },
    delivery: { ...home, last_name: 'Nachbar' },
    client_remark: 'bitte klingeln',
    items: [
      { item_type: 'wine', item_id: secco, quantity: 6 },
      { item_type: 'product', item_id: carafe.id, quantity: 1 },
      { item_type: 'rebate', name: 'Treue', net: '-1.00', tax: '-0.19', gross: '-1.19' },
    ],
  }
  const alone = await previewOrder(placer, request(data))
  const waiting = await draft(data)
  expect(await layDown(waiting, 8, Date.now() + 60_000)).toBe(true)
  const first = await draft({ items: [{ item_type: 'product', item_id: carafe.id, quantity: 1 }] })
  const [along] = await ordersAlong(first, prepare(first), 7, new Set())
  const { order, sold, ...rest } = along?.prepared ?? prepare(first)
  const again = prepare(waiting)
  const moments = { crstamp: expect.any(String), chstamp: expect.any(String) }
  expect(order).toEqual({
    ...again.order,
    header: { ...again.order.header, ...moments, id: 2, number: '2' },
    billing: again.order.billing,
    documents: expect.anything(),
    history: expect.anything(),
  })
  expect(order.documents.invoices[0]?.number).toBe('2')
  expect(sold).toEqual(again.sold)
  expect(rest).toMatchObject({ basketVersion: null, payment: null, requestHash: again.requestHash })
  expect(
    actionsOf(merchant, along?.prepared ?? again).map(({ name, request: asked }) => [name, Object.keys(asked())]),
  ).toEqual(actionsOf(merchant, again).map(({ name, request: asked }) => [name, Object.keys(asked())]))
  expect(order.header.gross).toBe(alone.data.gross)
})

describe('is not placed along', () => {
  const alongOf = async (place: Awaited<ReturnType<typeof newPlace>>, left: ReadonlySet<number> = new Set()) => {
    const first = await place.draft()
    return (await ordersAlong(first, prepare(first), 1, left)).map(({ ticket }) => ticket)
  }
  const until = () => Date.now() + 60_000

  test('an order that was taken back, whose time is over, or that another code wrote', async () => {
    const place = await newPlace()
    const { merchant, draft } = place
    for (const ticket of [2, 3, 4, 5]) expect(await layDown(await draft(), ticket, until())).toBe(true)
    expect(await alongOf(place)).toEqual([2, 3, 4, 5])
    expect([await takeBack(merchant, 2), await takeBack(merchant, 2)]).toEqual([true, false])
    await updateItem(key('waitingOrder', { merchant, ticket: 3 }), { set: { until: Date.now() - 1 } })
    const { doc } = (await getItem(key('waitingOrder', { merchant, ticket: 4 }))) ?? { doc: Buffer.of() }
    const { pack, unpack } = await import('../../shared/orders/record.ts')
    await putItem(key('waitingOrder', { merchant, ticket: 4 }), {
      doc: pack({ ...unpack(doc), form: 0 }),
      until: until(),
      expires: 2 ** 40,
    })
    expect(await alongOf(place)).toEqual([5])
    expect(await alongOf(place, new Set([5]))).toEqual([])
  })

  test('what would be too large for a transaction: in bytes, or together with the others', async () => {
    const place = await newPlace()
    const { shop, draft } = place
    const goods = []
    for (const n of counted(50)) goods.push(await newProduct(shop, { name: `Karton ${n}` }))
    await Promise.all(goods.map(({ id }) => setStock(shop, 'product', id, 10)))
    const items = goods.map(({ id }) => ({ item_type: 'product', item_id: id, quantity: 1 }))
    const wide = await Promise.all([draft({ items }), draft({ items }), draft({ items: items.slice(0, 1) })])
    for (const [n, one] of wide.entries()) expect(await layDown(one, 2 + n, until())).toBe(true)
    expect(await alongOf(place)).toEqual([2, 3, 4])
    const first = await draft()
    const along = await ordersAlong(first, prepare(first), 1, new Set())
    const group = { first: prepare(first), waiting: 1, along }
    const turn = {
      counter: 'orders',
      ticket: 1,
      through: null,
      abandoned: 0,
      isDue: true,
      used: false,
      see: () => {},
    } as const
    expect(placeActions(place.merchant, group, { ...turn }).length).toBeLessThanOrEqual(100)
    const noise = Array.from({ length: 8000 }, () => randomUUID()).join('')
    const request = { ...first.request, data: { ...first.request.data, note: noise } }
    expect(await layDown({ ...first, request }, 9, until())).toBe(false)
    expect(await alongOf(place)).toEqual([2, 3, 4])
  })

  test('a second order for a basket, or what is sold out by those before', async () => {
    const place = await newPlace()
    const { shop, merchant, placer, secco, request } = place
    await setStock(shop, 'wine', secco, 4)
    const { uuid } = await addBasket(merchant)
    const basket = await addItem(merchant, uuid, { item_type: 'wine', item_id: secco, quantity: 1 })
    const ordering = async () =>
      draftOf(await readSource(placer, request({ items: undefined, basket_uuid: uuid }), basket), randomUUID())
    const many = { items: [{ item_type: 'wine', item_id: secco, quantity: 3 }] }
    const drafts = [await ordering(), await ordering(), await place.draft(many), await place.draft()]
    for (const [n, one] of drafts.entries()) await layDown(one, 2 + n, until())
    expect(await alongOf(place)).toEqual([2, 5])
  })
})

test('an order that cannot be placed gets its own refusal and keeps nobody', async () => {
  const { shop, merchant, riesling, secco, place, queued } = await newPlace()
  await setStock(shop, 'wine', riesling, 5)
  await setStock(shop, 'wine', secco, 100)
  await queued()
  const few = { items: [{ item_type: 'wine', item_id: riesling, quantity: 1 }] }
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, { item_type: 'wine', item_id: secco, quantity: 1 })
  const basket = { items: undefined, basket_uuid: uuid }
  const one = randomUUID()
  const outcomes = await Promise.all(
    [
      ...counted(10).map(() => place(few)),
      ...counted(4).map(n => place({ ...basket, client_remark: `Korb ${n}` })),
      ...counted(4).map(() => place({}, one)),
      ...counted(6).map(() => place()),
    ].map(act =>
      act.then(
        ({ data }) => `order ${data.id}`,
        error => error.word ?? error,
      ),
    ),
  )
  const words = (from: number, to: number) => outcomes.slice(from, to).filter(word => !`${word}`.startsWith('order'))
  expect(words(0, 10)).toEqual(Array(5).fill('insufficient_stock'))
  expect(words(10, 14)).toEqual(Array(3).fill('basket_already_ordered'))
  expect(new Set(outcomes.slice(14, 18)).size).toBe(1)
  expect(words(14, 24)).toEqual([])
  expect((await getItem(key('numbers', { merchant, counter: 'orders' })))?.last).toBe(5 + 1 + 1 + 6)
  expect(await laidDown(merchant)).toBe(0)
  expect(await violations(merchant, { [`wine#${secco}`]: 100, [`wine#${riesling}`]: 5 })).toEqual([])
})
