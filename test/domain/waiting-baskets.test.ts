import { AsyncLocalStorage } from 'node:async_hooks'
import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { addBasket, addItem, openBasket } from '../../shared/orders/baskets/store.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, tableClient } from '../../shared/platform/table/table.ts'
import { returning } from '../support/checkout.ts'
import { newPayer } from '../support/payer.ts'

const { shop, billing_id, check } = await newPayer('Kellerei Zwei Fenster')
const merchant = shop.id
const placer = { merchant, user: { id: 1, name: 'test' } }
const secco = { item_type: 'wine', item_id: shop.wine.secco as number, quantity: 1 } as const

afterAll(async () => expect(await check()).toEqual([]))

const provider = await providerOf({ id: merchant })
const { open } = provider
afterEach(() => {
  provider.open = open
})

/** Called once, just before an order or the items of a basket are read, as from another window. */
let besides: (() => Promise<unknown>) | undefined
const inBesides = new AsyncLocalStorage<boolean>()

tableClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    async args => {
      const text = JSON.stringify(args.input)
      const isOrder = commandName === 'GetItemCommand' && text.includes(`m#${merchant}#orders"`)
      const isStock = commandName === 'BatchGetItemCommand' && text.includes(`m#${merchant}#stock"`)
      const act = (isOrder || isStock) && !inBesides.getStore() ? besides : undefined
      if (act) besides = undefined
      if (act) await inBesides.run(true, act)
      return next(args)
    },
  { step: 'initialize', priority: 'high', name: 'besides' },
)

const request = (basket: string, data: object = {}) => ({
  idempotencyKey: null,
  data: v.parse(NewOrder, { billing_id, source: 'shop', payment_type: 'paypal', basket, ...returning, ...data }),
})

/** A basket whose order waits for a payment, and the function that cancels that order in another window. */
const waiting = async () => {
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, secco)
  const { data } = await placeOrder(placer, request(uuid))
  return { uuid, data, cancel: () => cancelById(merchant, data.id, { event: 'cancel', actor: 'test' }) }
}

describe('a basket whose order is cancelled concurrently in another window', () => {
  test('is still open', async () => {
    const { uuid, cancel } = await waiting()
    besides = cancel
    const { basket, held } = await openBasket(merchant, uuid)
    expect([basket.ordered, held]).toEqual([undefined, []])
  })

  test('is still changed', async () => {
    const { uuid, cancel } = await waiting()
    besides = cancel
    expect((await addItem(merchant, uuid, secco)).items).toMatchObject([{ quantity: 2 }])
  })

  test('is ordered again, also if that order is replaced there', async () => {
    const { uuid, data, cancel } = await waiting()
    besides = cancel
    const second = await placeOrder(placer, request(uuid, { note: 'zweites' }))
    expect(second.data).toMatchObject({ status: 'new', note: 'zweites' })
    besides = () => placeOrder(placer, request(uuid, { note: 'drittes' }))
    const fourth = await placeOrder(placer, request(uuid, { note: 'viertes' }))
    expect(fourth.data).toMatchObject({ status: 'new', note: 'viertes' })
    expect(fourth.data.id).toBe(data.id + 3)
    expect((await openBasket(merchant, uuid)).basket.ordered?.uuid).toBe(fourth.data.uuid)
  })

  test('is priced by a dry run', async () => {
    const { uuid, cancel } = await waiting()
    besides = cancel
    expect((await previewOrder(placer, request(uuid, { note: 'trocken' }))).data.gross).toBe('12.00')
  })
})

describe('the last bottles', () => {
  test('of its own concurrent order are not missing to an equal request', async () => {
    const { uuid } = await addBasket(merchant)
    const { quantity } = (await getItem(key('stock', { merchant, type: 'wine', id: secco.item_id }))) ?? { quantity: 0 }
    await addItem(merchant, uuid, { ...secco, quantity })
    let first: { data: { id: number } } | undefined
    besides = async () => {
      first = await placeOrder(placer, request(uuid))
    }
    expect(await placeOrder(placer, request(uuid))).toMatchObject({ replayed: true, data: { id: first?.data.id } })
    // Nor to one with other data, which takes its place.
    await cancelById(merchant, first?.data.id ?? 0, { event: 'cancel', actor: 'test' })
    besides = () => placeOrder(placer, request(uuid, { note: 'zuerst' }))
    const last = await placeOrder(placer, request(uuid, { note: 'zuletzt' }))
    expect(last.data).toMatchObject({ status: 'new', note: 'zuletzt' })
    await cancelById(merchant, last.data.id, { event: 'cancel', actor: 'test' })
  })
})

test('an order that is replaced while its payment is being opened is cancelled: the provider did not fail', async () => {
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, secco)
  provider.open = async asked => {
    provider.open = open
    await placeOrder(placer, request(uuid, { note: 'anders' }))
    return open(asked)
  }
  await expect(placeOrder(placer, request(uuid))).rejects.toMatchObject({ word: 'order_cancelled', status: 409 })
})

test('a dry run of an order that waits prices it, like one with other data', async () => {
  const { uuid, data } = await waiting()
  const dry = await previewOrder(placer, request(uuid))
  expect(dry.data).toMatchObject({ status: 'new', gross: data.gross })
  expect((await openBasket(merchant, uuid)).basket.ordered?.uuid).toBe(data.uuid)
})
