import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { finishing, newBasket, newCheckout, visit } from '../support/checkout.ts'
import { useFakeClock } from '../support/fake-clock.ts'
import type { Answer } from '../support/harness.ts'
import { hiddenItems } from '../support/hidden-items.ts'

// Reads see a transaction item by item: a reference may become visible before its record.

useFakeClock(Date.UTC(2026, 4, 1, 12))
const hide = hiddenItems()
const { shop, add } = await newCheckout('Kellerei Halb')
const secco = shop.wine.secco as number

const invoice = { payment_type: 'invoice' }
const header = (name: string) => ({ 'idempotency-key': name })
const paid = async () => {
  const added = await add()
  return { added, body: finishing(added, await visit(added.json.targetUrl)) }
}

type Case = () => Promise<{ hidden: string; ask: () => Promise<Answer> }>

/** An order by key, whose repeat misses the items of a partition. */
const repeated =
  (name: string, hidden: string, data: object): Case =>
  async () => {
    const ask = () => add(data, header(name))
    await ask()
    return { hidden, ask }
  }

const byUuid =
  (route: string): Case =>
  async () => {
    const { uuid } = (await add(invoice)).json.data
    return { hidden: 'orders', ask: () => shop.call(route, { uuid, include: 'items' }) }
  }

const ofBasket = (basket_uuid: string, data: object = {}) => ({ basket_uuid, items: undefined, ...data })

const ofKnownGuest: Case = async () => {
  const home = { address: 'Weg 1', zip: '1', city: 'Jena', countrycode: 'de' }
  const billing = { ...home, last_name: 'Gast', mail: 'gast@example.org' }
  const ask = () => add({ ...invoice, billing_id: undefined, billing })
  await ask()
  return { hidden: 'clients', ask }
}

const cases: Record<string, Case> = {
  'orders/get': byUuid('orders/get'),
  'orders/touch': byUuid('orders/touch'),
  'orders/checkout/cancel': byUuid('orders/checkout/cancel'),
  'what an order sold': async () => ({ ...(await byUuid('orders/get')()), hidden: 'order-items' }),
  'a repeat by key, its order': repeated('a', 'orders', invoice),
  'a repeat by key, its uuid': repeated('b', 'order-uuids', invoice),
  'a repeat by key, what it sold': repeated('c', 'order-items', invoice),
  'a repeat by key, its payment': repeated('d', 'payments', {}),
  'a repeat of a basket': async () => {
    const ask = async () => add(ofBasket(basket, invoice))
    const basket = await newBasket(shop, secco, 1)
    await ask()
    return { hidden: 'orders', ask }
  },
  'another order of a basket': async () => {
    const basket = await newBasket(shop, secco, 1)
    await add(ofBasket(basket))
    return { hidden: 'orders', ask: () => add(ofBasket(basket, { note: 'other' })) }
  },
  'a basket whose order waits': async () => {
    const uuid = await newBasket(shop, secco, 1)
    await add(ofBasket(uuid))
    return { hidden: 'orders', ask: () => shop.call('baskets/get', { uuid }) }
  },
  'the payment of an order that is cancelled': async () => {
    const { uuid } = (await add()).json.data
    return { hidden: 'payments', ask: () => shop.call('orders/checkout/cancel', { uuid }) }
  },
  finish: async () => {
    const { body } = await paid()
    return { hidden: 'orders', ask: () => shop.call('orders/checkout/finish', body) }
  },
  'finish once more': async () => {
    const { body } = await paid()
    await shop.call('orders/checkout/finish', body)
    return { hidden: 'orders', ask: () => shop.call('orders/checkout/finish', body) }
  },
  'a payment by its external id': async () => {
    const { body } = await paid()
    return { hidden: 'payments', ask: () => shop.call('payments/execute', { uuid: body.external_id }) }
  },
  'the client of a mail': () => ofKnownGuest(),
  'clients/exists': async () => {
    await ofKnownGuest()
    return { hidden: 'clients', ask: () => shop.call('clients/exists', { mail: 'gast@example.org' }) }
  },
}

test.each(Object.entries(cases))('%s: a record that becomes visible late is read again', async (_, prepare) => {
  const { hidden, ask } = await prepare()
  hide(hidden, 3)
  const { status, json } = await ask()
  expect([status, json.error]).toEqual([200, undefined])
})

test.each(
  Object.entries(cases),
)('%s: a record that is not visible within half a second is a 503', async (_, prepare) => {
  const { hidden, ask } = await prepare()
  hide(hidden, Number.POSITIVE_INFINITY)
  const { status, headers, json } = await ask()
  expect([status, json.error, headers.get('retry-after')]).toEqual([503, 'temporarily_unavailable', '1'])
})

test('an order whose capture is not visible yet is read again, then 503', async () => {
  const { body } = await paid()
  await updateItem(key('payment', { merchant: shop.id, uuid: body.payment_id }), { set: { status: 'captured' } })
  const { status, json } = await shop.call('orders/checkout/finish', body)
  expect([status, json.error]).toEqual([503, 'temporarily_unavailable'])
  // The return page is never a dead one.
  const executed = await shop.call('payments/execute', { uuid: body.payment_id })
  expect([executed.status, executed.json.data.status]).toEqual([200, 'payed'])
})

test('a guest whose client becomes visible late belongs to that client', async () => {
  const { hidden, ask } = await ofKnownGuest()
  hide(hidden, 3)
  const { json } = await ask()
  expect(json.data).toMatchObject({ billing_type: 'address', client: { number: expect.any(String) } })
})
