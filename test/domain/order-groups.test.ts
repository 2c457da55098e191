import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/routes/orders.ts'
import { addBasket, addItem } from '../../shared/orders/baskets/store.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { budget } from '../../shared/orders/numbering/numbers.ts'
import { leaderKey } from '../../shared/orders/numbering/queue.ts'
import { opener } from '../../shared/orders/placing/open-payment.ts'
import { type PlacedOrder, placeOrder } from '../../shared/orders/placing/place.ts'
import { orderOf } from '../../shared/orders/record.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, putItem, query } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { newCheckout, newProduct, returning, setStock } from '../support/checkout.ts'
import { eventually } from '../support/eventually.ts'
import { hiddenItems } from '../support/hidden-items.ts'
import { violations } from '../support/invariants.ts'
import { counted } from '../support/partitions.ts'
import { isOrderWrite, noAnswer, type TableCall, tableCalls } from '../support/table-calls.ts'

// The answers to requests whose orders another request commits.

const table = tableCalls()
const hide = hiddenItems()

const isGroup = ({ name, text }: TableCall) => name === 'TransactWriteItemsCommand' && text.includes('queued-orders')

const newLine = async (name: string) => {
  const { shop, billing_id } = await newCheckout(name)
  const merchant = shop.id
  const place = (data: object = {}, idempotencyKey: string | null = null) =>
    placeOrder(
      { merchant, user: { id: 1, name: 'test' } },
      {
        idempotencyKey,
        data: v.parse(NewOrder, { billing_id, payment_type: 'invoice', items: itemsOf(shop, { secco: 1 }), ...data }),
      },
    )
  const waiting = () => query({ pk: partition('queuedOrder', { merchant }) })
  const lead = (milliseconds: number) =>
    putItem(leaderKey(merchant), { owner: 'another', until: Date.now() + milliseconds })
  /** Queues orders one after another behind a leader, which then ends. */
  const line = async (requests: readonly [object, string?][]) => {
    await lead(60_000)
    const answers: Promise<PromiseSettledResult<PlacedOrder>>[] = []
    for (const [data, idempotencyKey = null] of requests) {
      const before = (await waiting()).length
      let isAnswered = false
      const answer = Promise.allSettled([place(data, idempotencyKey)]).then(([one]) => {
        isAnswered = true
        return one
      })
      answers.push(answer)
      while (!isAnswered && (await waiting()).length === before);
    }
    await deleteItem(leaderKey(merchant))
    return Promise.all(answers)
  }
  const orders = async () => (await query({ pk: partition('order', { merchant }) })).map(orderOf)
  return { shop, merchant, billing_id, place, waiting, lead, line, orders }
}

const outcome = (one: PromiseSettledResult<PlacedOrder>) =>
  one.status === 'fulfilled' ? one.value.data.id : (one.reason.word ?? one.reason.constructor.name)
const ascending = (values: unknown[]) => values.toSorted((a, b) => Number(a) - Number(b))

const home = { address: 'Hof 3', zip: '01067', city: 'Dresden', countrycode: 'de' }

test('forty concurrent requests behind a dead leader each get their own order, in fewer transactions than orders', async () => {
  const { shop, merchant, place, lead, waiting } = await newLine('Kellerei Andrang')
  const { secco = 0, riesling = 0 } = shop.wine
  const kinds: Record<string, string>[] = [
    { payment_type: 'invoice' },
    { payment_type: 'invoice', delivery_type: 'none' },
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
  let transactions = 0
  table.around = (call, act) => {
    if (isOrderWrite(call)) transactions++
    return act()
  }
  await lead(budget.ms)
  const placing = Promise.all(datas.map(data => place(data)))
  await eventually(async () => (await waiting()).length === datas.length)
  await lead(0)
  const placed = await placing
  expect(transactions).toBeLessThan(20)
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
  expect(await waiting()).toEqual([])
  expect(await violations(merchant, { [`wine#${secco}`]: 1000 })).toEqual([])
})

test('an order that cannot be placed gets its own refusal and delays no other', async () => {
  const { shop, merchant, place, lead, waiting } = await newLine('Kellerei Knapp')
  const { secco = 0, riesling = 0 } = shop.wine
  await setStock(shop, 'wine', riesling, 5)
  const few = { items: itemsOf(shop, { riesling: 1 }) }
  const { uuid } = await addBasket(merchant)
  await addItem(merchant, uuid, { item_type: 'wine', item_id: secco, quantity: 1 })
  const basket = { items: undefined, basket_uuid: uuid }
  await lead(1500)
  const answers = await Promise.allSettled([
    ...counted(10).map(() => place(few)),
    ...counted(4).map(n => place({ ...basket, client_remark: `Korb ${n}` })),
    ...counted(4).map(() => place({}, 'one key')),
    ...counted(6).map(() => place()),
  ])
  const words = (from: number, to: number) =>
    answers
      .slice(from, to)
      .map(outcome)
      .filter(word => typeof word === 'string')
  expect(words(0, 10)).toEqual(Array(5).fill('insufficient_stock'))
  expect(words(10, 14)).toEqual(Array(3).fill('basket_already_ordered'))
  expect(new Set(answers.slice(14, 18).map(outcome)).size).toBe(1)
  expect(words(14, 24)).toEqual([])
  expect((await getItem(key('numbers', { merchant, counter: 'orders' })))?.last).toBe(5 + 1 + 1 + 6)
  expect(await waiting()).toEqual([])
  expect(await violations(merchant, { [`wine#${secco}`]: 1000, [`wine#${riesling}`]: 5 })).toEqual([])
})

test('an order with an impossible payment is refused, and no other', async () => {
  const { line, merchant } = await newLine('Kellerei Bezahlt')
  const answers = await line([[{}], [{ payment_type: 'cash' }], [{ payment_type: 'paypal' }], [{}]])
  expect(answers.map(outcome)).toEqual([1, 'payment_type_not_allowed', 'redirect_url_invalid', 2])
  expect(await violations(merchant)).toEqual([])
})

test('an order whose goods sell out is refused with the remaining stock', async () => {
  const { shop, line, merchant } = await newLine('Kellerei Leer')
  const { secco = 0 } = shop.wine
  await setStock(shop, 'wine', secco, 5)
  const of = (quantity: number): [object] => [{ items: itemsOf(shop, { secco: quantity }) }]
  const answers = await line([of(3), of(3), of(2)])
  expect(answers.map(outcome)).toEqual([1, 'insufficient_stock', 2])
  expect(answers[1]?.status === 'rejected' && answers[1].reason.fields).toMatchObject([
    { path: 'data.items.0.quantity', expected: 'at most 0 in this order' },
  ])
  expect(await violations(merchant, { [`wine#${secco}`]: 5 })).toEqual([])
})

test('an order that is rejected though it could be placed is placed by its own request', async () => {
  const { shop, line, merchant } = await newLine('Kellerei Zurück')
  const { secco = 0 } = shop.wine
  await setStock(shop, 'wine', secco, 3)
  const of = (quantity: number): [object] => [{ items: itemsOf(shop, { secco: quantity }) }]
  table.around = async (call, act) => {
    // Meanwhile the merchant found more of it.
    if (call.name === 'UpdateItemCommand' && call.text.includes('queued-orders'))
      await setStock(shop, 'wine', secco, 10)
    return act()
  }
  expect((await line([of(3), of(3)])).map(outcome)).toEqual([1, 2])
  expect(await violations(merchant)).toEqual([])
})

test.each([
  'before',
  'after',
])('an order whose queueing got no answer (%s it was done) is not placed after its request failed', async when => {
  const { line, merchant, orders } = await newLine('Kellerei Verloren')
  let laid = 0
  table.around = async ({ name, text }, act) => {
    if (name === 'PutItemCommand' && text.includes('queued-orders') && ++laid === 2) {
      if (when === 'after') await act()
      throw noAnswer()
    }
    return act()
  }
  const answers = await line([[{}], [{ note: 'lost' }], [{}]])
  expect(answers.map(outcome)).toEqual([1, 'Unavailable', 2])
  expect((await orders()).map(({ header }) => header.note)).toEqual([null, null])
  expect(await violations(merchant)).toEqual([])
})

test('a group whose transaction gets no answer is written once, and each request gets its own order', async () => {
  const { line, merchant, orders } = await newLine('Kellerei Stumm')
  let groups = 0
  table.around = async (call, act) => {
    const result = await act()
    if (isGroup(call) && ++groups === 1) throw noAnswer()
    return result
  }
  expect((await line([[{}], [{}], [{}]])).map(outcome)).toEqual([1, 2, 3])
  expect(await orders()).toHaveLength(3)
  expect(await violations(merchant)).toEqual([])
})

test('orders that become visible late are waited for', async () => {
  const { line, merchant } = await newLine('Kellerei Halb')
  table.around = async (call, act) => {
    const result = await act()
    if (isGroup(call)) hide('order-uuids', 3)
    return result
  }
  const answers = await line([
    [{}, 'one'],
    [{}, 'two'],
  ])
  expect(answers.map(outcome)).toEqual([1, 2])
  expect(answers.map(one => one.status === 'fulfilled' && one.value.replayed)).toEqual([false, false])
  expect(await violations(merchant)).toEqual([])
})

test('a committed order whose payment ended since is answered as such', async () => {
  const { line, merchant } = await newLine('Kellerei Ende')
  let ended: Promise<unknown> | undefined
  table.around = async (call, act) => {
    // The order is looked for when this is over.
    if (call.text.includes('order-uuids') && call.name !== 'TransactWriteItemsCommand') await ended
    if (ended || !isGroup(call) || !call.text.includes('#payments')) return act()
    const written = act()
    // As an equal request does that could not open the payment.
    const cancelling = { event: 'cancel', actor: opener, ifUnopened: true, idempotencyKey: null } as const
    ended = written.then(() => cancelById(merchant, 2, cancelling))
    return written
  }
  const answers = await line([[{}], [{ payment_type: 'paypal', ...returning }]])
  expect(answers.map(outcome)).toEqual([1, 'payment_provider_error'])
})

test('a committed order is answered as it is stored, and as it would be alone', async () => {
  const { line, place, merchant, shop, billing_id, orders } = await newLine('Kellerei Gleich')
  const inline = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'DE', last_name: 'Krug "ü" 🍷' }
  const bodies = [
    {},
    { billing_id: null, billing: inline, delivery: { ...inline, last_name: 'Kanne' } },
    { billing_id: null, billing: { ...inline, mail: 'krug@example.org' } },
    { billing_id: null, billing: inline, client_id: billing_id, delivery_type: 'none' },
    { payment_type: 'paypal', ...returning },
    {
      items: [
        ...itemsOf(shop, { riesling: 3, juice: 2 }),
        { item_type: 'rebate', name: 'Treue', net: 0, tax: 0, gross: 0 },
      ],
    },
    { invoice_type: 'net', note: 'x\ny', client_remark: '', payment_period: 0 },
  ]
  const together = await line(bodies.map(body => [body]))
  const alone = []
  for (const body of bodies) alone.push(await place(body))
  // Of values that differ for each order, only whether they are null.
  const own = /(^|_)(id|uuid|url|number|quantity)$|stamp|date|targetUrl/
  const plain = (placed: unknown) =>
    JSON.parse(JSON.stringify(placed), (name, value) => (own.test(name) ? value === null : value))
  const known = 2
  // The mail is known when it is typed again.
  const comparable = <T>(all: readonly T[]) => all.filter((_, n) => n !== known)
  const values = together.map(one => (one.status === 'fulfilled' ? plain(one.value) : one.reason))
  expect(comparable(values)).toEqual(comparable(alone.map(plain)))
  expect(values[known].data.client).toMatchObject({ mail: 'krug@example.org', number: false })
  const byId = new Map((await orders()).map(({ header }) => [header.id, header]))
  for (const one of together) {
    if (one.status === 'fulfilled') expect(one.value.data).toMatchObject(byId.get(one.value.data.id) ?? {})
  }
  expect(await violations(merchant)).toEqual([])
})

test('the largest orders are committed up to the limit of one transaction', async () => {
  const { place, line, merchant, shop, billing_id } = await newLine('Kellerei Breit')
  const client = await getItem(key('client', { merchant, id: billing_id }))
  if (!client) throw new Error('the client is missing')
  const [remark, name] = ['語'.repeat(4000), '語'.repeat(255)]
  const wordy = { invoice_remark: remark, delivery_note_remark: remark }
  await putItem(key('client', { merchant, id: billing_id }), { ...client, ...wordy })
  const ids = counted(40).map(n => 1000 + n)
  for (const id of ids) await newProduct(shop, { id, description: randomBytes(37_500).toString('base64') })
  const large = { items: ids.map(item_id => ({ item_type: 'product', item_id, quantity: 1 })) }
  const off = { item_type: 'rebate', name, net: 0, tax: 0, gross: 0 }
  const long = { note: remark, client_remark: remark, items: [...itemsOf(shop, { secco: 1 }), ...Array(49).fill(off)] }
  let most = 0
  table.around = (call, act) => {
    if (isGroup(call)) most = Math.max(most, call.text.match(/#order-uuids/g)?.length ?? 0)
    return act()
  }
  const [answers, tooLarge] = await Promise.all([
    line(Array(15).fill([long])),
    // Too large for the queue: its own request writes it.
    Promise.allSettled([place(large)]),
  ])
  expect(ascending([...answers, ...tooLarge].map(outcome))).toEqual(counted(16))
  expect(most).toBeGreaterThan(5)
  expect(await violations(merchant)).toEqual([])
})
