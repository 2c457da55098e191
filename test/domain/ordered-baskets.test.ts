import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { addBasket, addItem } from '../../shared/orders/baskets/store.ts'
import { readOrderedBasket } from '../../shared/orders/placing/ordered-basket.ts'
import { placeOrder, previewOrder } from '../../shared/orders/placing/place.ts'
import { readOrderVersion } from '../../shared/orders/store.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import { itemsOf } from '../support/cellar.ts'
import { returning, setStock } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import { newPayer } from '../support/payer.ts'
import { noAnswer, tableCalls } from '../support/table-calls.ts'

// Requests whose basket or Idempotency-Key was used before.

useFakeClock(Date.UTC(2026, 4, 1, 12))
const { shop, billing_id, approved } = await newPayer('Kellerei Nochmal')
const merchant = shop.id
const placer = { merchant, user: { id: 1, name: 'test' } }
const wine = shop.wine.secco as number
const secco = { item_type: 'wine', item_id: wine, quantity: 1 } as const

const newBasket = async (): Promise<string> => {
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, secco)
  return uuid
}

const request = (data: object, idempotencyKey: string | null = null) => ({
  idempotencyKey,
  data: v.parse(NewOrder, { billing_id, source: 'shop', payment_type: 'paypal', ...returning, ...data }),
})
const place = (data: object, key?: string) => placeOrder(placer, request(data, key))
const onAccount = (basket: string, more: object = {}) => ({ basket, payment_type: 'invoice', ...more })
const statusOf = async (id: number) => (await readOrderVersion(merchant, id)).order.header.status

const table = tableCalls()
/** Calls a function once, in place of the next read of everything that an order refers to. */
const atRead = (instead: (act: () => Promise<unknown>) => Promise<unknown>) => {
  table.around = ({ name, text }, act) => {
    if (!name.startsWith('BatchGet') || !text.includes('#packages')) return act()
    table.around = undefined
    return instead(act)
  }
}

describe('the basket of an order', () => {
  const other = '00000000-0000-4000-8000-000000000000'
  const read = (data: object) => readOrderedBasket(placer, request({ items: [secco], ...data }))

  test('is named by either name, or by both', async () => {
    const uuid = await newBasket()
    for (const data of [{ basket: uuid }, { basket_uuid: uuid }, { basket: uuid, basket_uuid: uuid }])
      expect(await read(data)).toMatchObject({ uuid })
    expect(await read({})).toBe(null)
  })

  test('is one: names of different baskets are refused', async () => {
    const uuid = await newBasket()
    await expect(read({ basket: uuid, basket_uuid: other })).rejects.toMatchObject({
      word: 'identifier_conflict',
      message: '`data.basket` and `data.basket_uuid` identify different baskets.',
    })
  })

  test('must exist', async () => {
    await expect(read({ basket: other })).rejects.toMatchObject({ word: 'basket_not_found' })
  })
})

describe('a basket that was ordered', () => {
  test('returns the same order to an equal request', async () => {
    for (const asking of [(basket: string) => ({ basket }), onAccount]) {
      const basket = await newBasket()
      const { data } = await place(asking(basket))
      expect(await place(asking(basket))).toMatchObject({ replayed: true, data: { id: data.id } })
    }
  })

  test('is another order if it was changed since, which replaces the one that waits for its payment', async () => {
    const basket = await newBasket()
    const { data } = await place({ basket })
    await addItem(merchant, basket, secco)
    const second = await place({ basket })
    expect(second).toMatchObject({ replayed: false, data: { positions: [{ quantity: 2 }] } })
    expect(await statusOf(data.id)).toBe('cancelled')
  })

  test.each(['nobody has paid', 'was paid by hand'])('is not ordered again on account: %s', async case_ => {
    const basket = await newBasket()
    const { data } = await place(onAccount(basket))
    if (case_ === 'was paid by hand') await advanceOrder(merchant, data.id, 'money_received', 'test')
    const refused = { word: 'basket_already_ordered' }
    await expect(place(onAccount(basket, { note: 'anders' }))).rejects.toMatchObject(refused)
    await expect(previewOrder(placer, request(onAccount(basket)))).rejects.toMatchObject(refused)
    expect(await statusOf(data.id)).toBe('need_package')
  })

  test('is not ordered again while its payment is pending', async () => {
    const basket = await newBasket()
    const { data, finish } = await approved('pending', { basket, items: null })
    await finish()
    await expect(place({ basket, note: 'anders' })).rejects.toMatchObject({ word: 'basket_already_ordered' })
    expect(await statusOf(data.id)).toBe('need_payment')
  })

  test('keeps its order if the replacing one is refused', async () => {
    const basket = await newBasket()
    const { data } = await place({ basket })
    await expect(place({ basket, payment_type: 'cash' })).rejects.toMatchObject({ word: 'payment_type_not_allowed' })
    await expect(place({ basket, gross: '0.01' })).rejects.toMatchObject({ word: 'price_mismatch' })
    expect(await statusOf(data.id)).toBe('new')
  })

  test('may be ordered again with the bottles of its own order', async () => {
    const basket = await newBasket()
    await setStock(shop, 'wine', wine, 1)
    await place({ basket })
    expect((await previewOrder(placer, request({ basket }))).data.gross).toBe('12.00')
    expect((await place({ basket, note: 'anders' })).data).toMatchObject({ status: 'new', note: 'anders' })
    await setStock(shop, 'wine', wine, 1000)
  })
})

describe('an Idempotency-Key that was used', () => {
  const items = itemsOf(shop, { secco: 1 })

  test('with other data is refused, also if the basket was ordered', async () => {
    const basket = await newBasket()
    await place({ basket })
    await place({ items, payment_type: 'invoice' }, 'used')
    const refused = { word: 'idempotency_key_reused' }
    await expect(place({ items }, 'used')).rejects.toMatchObject(refused)
    await expect(place({ basket }, 'used')).rejects.toMatchObject(refused)
  })

  test('by a concurrent equal request returns its order, even if the last bottle is sold', async () => {
    const last = { items, payment_type: 'invoice' }
    await setStock(shop, 'wine', wine, 0)
    let first = 0
    atRead(async act => {
      const read = await act()
      await setStock(shop, 'wine', wine, 1)
      first = (await place(last, 'last')).data.id
      return read
    })
    expect(await place(last, 'last')).toMatchObject({ replayed: true, data: { id: first } })
    await setStock(shop, 'wine', wine, 1000)
  })
})

test('a table that does not answer is an error, even if the basket was ordered meanwhile', async () => {
  const basket = await newBasket()
  atRead(async () => {
    await place(onAccount(basket))
    throw noAnswer()
  })
  await expect(place(onAccount(basket))).rejects.toBeInstanceOf(Unavailable)
})
