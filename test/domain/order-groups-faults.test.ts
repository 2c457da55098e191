import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { NewOrder } from '../../shared/contract/orders.ts'
import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { opener } from '../../shared/orders/placing/open.ts'
import { placeOrder } from '../../shared/orders/placing/place.ts'
import { orderOf, pack } from '../../shared/orders/record.ts'
import { key, partition } from '../../shared/platform/table/keys.ts'
import { documents, getItem, putItem, query, updateItem } from '../../shared/platform/table/table.ts'
import { itemsOf } from '../support/cellar.ts'
import { newCheckout, newProduct, returning, setStock } from '../support/checkout.ts'
import { violations } from '../support/invariants.ts'

type Call = {
  name: string
  /** What is asked of the table, as text: enough to tell calls apart. */
  text: string
}
type Hook = (call: Call, act: () => Promise<{ output: object }>) => Promise<{ output: object }>

/** What a test does to calls of the table. */
let hook: Hook = (_, act) => act()

documents.middlewareStack.add(
  (next, { commandName = '' }) =>
    async args => {
      const result = await hook(
        { name: commandName, text: JSON.stringify(args.input) },
        () => next(args) as Promise<{ output: object }>,
      )
      return result as Awaited<ReturnType<typeof next>>
    },
  { step: 'initialize', priority: 'high', name: 'hook' },
)

afterEach(() => {
  hook = (_, act) => act()
})

const noAnswer = () => Object.assign(new Error('no answer'), { name: 'TimeoutError' })

/** A shop before whose counter somebody stands: all that come now wait, until that one is gone. */
const newQueue = async (name: string) => {
  const gone = 1
  const { shop, billing_id } = await newCheckout(name)
  const merchant = shop.id
  const counter = { merchant, counter: 'orders' } as const
  await updateItem(key('numbers', counter), { set: { at: Date.now() } })
  await updateItem(key('queue', counter), { add: { tickets: gone } })
  const place = (data: object = {}, idempotencyKey: string | null = null) =>
    placeOrder(
      { merchant, user: { id: 1, name: 'test' } },
      {
        idempotencyKey,
        data: v.parse(NewOrder, { billing_id, payment_type: 'invoice', items: itemsOf(shop, { secco: 1 }), ...data }),
      },
    )
  const tickets = async () => (await getItem(key('queue', counter)))?.tickets ?? 0
  const isWaiting = (ticket: number) => getItem(key('waitingOrder', { merchant, ticket }))
  /** Places orders that wait one behind the other. */
  const line = async (requests: readonly [object, string?][]) => {
    const answers: Promise<PromiseSettledResult<Awaited<ReturnType<typeof placeOrder>>>>[] = []
    let ticket = await tickets()
    for (const [data, idempotencyKey = null] of requests) {
      // However slow the machine, whoever stands in front is not taken for gone before all stand in line.
      await updateItem(key('numbers', counter), { set: { at: Date.now() } })
      let isAnswered = false
      const answer = Promise.allSettled([place(data, idempotencyKey)]).then(([one]) => {
        isAnswered = true
        return one
      })
      answers.push(answer)
      while (!isAnswered && !(await isWaiting(ticket + 1)));
      if (!isAnswered) ticket++
    }
    await updateItem(key('numbers', counter), { set: { turn: gone } })
    return Promise.all(answers)
  }
  const orders = async () => (await query({ pk: partition('order', { merchant }) })).map(orderOf)
  return { shop, merchant, billing_id, place, line, tickets, isWaiting, orders }
}

const outcome = (one: PromiseSettledResult<{ data: { id: number } }>) =>
  one.status === 'fulfilled' ? one.value.data.id : (one.reason.word ?? one.reason.constructor.name)

test('an order that cannot be paid as it says is refused by itself, and nobody beside it', async () => {
  const { line, merchant } = await newQueue('Kellerei Bezahlt')
  const answers = await line([[{}], [{ payment_type: 'cash' }], [{ payment_type: 'paypal' }], [{}]])
  expect(answers.map(outcome)).toEqual([1, 'payment_type_not_allowed', 'redirect_url_invalid', 2])
  expect(await violations(merchant)).toEqual([])
})

test('a waiting order that cannot be read holds nobody up', async () => {
  const { line, merchant } = await newQueue('Kellerei Unlesbar')
  for (const [ticket, doc] of [
    [6, Buffer.from('old')],
    [7, pack({ form: 0 })],
    [8, pack({ form: 1 })],
    [9, pack(null)],
  ] as const)
    await putItem(key('waitingOrder', { merchant, ticket }), { doc, until: Date.now() + 10_000, expires: 1e10 })
  expect((await line([[{}], [{}], [{}]])).map(outcome)).toEqual([1, 2, 3])
})

test.each([
  'before',
  'after',
])('what was not laid down for sure is not placed when its request was refused (%s)', async when => {
  const { line, merchant, orders } = await newQueue('Kellerei Zurück')
  hook = async ({ name, text }, act) => {
    if (name === 'PutItemCommand' && text.includes('waiting-orders') && text.includes('0003')) {
      if (when === 'after') await act()
      throw noAnswer()
    }
    return act()
  }
  const answers = await line([[{}], [{ note: 'lost' }], [{}]])
  expect(answers.map(outcome).toSorted()).toEqual([1, 2, 'Unavailable'])
  expect((await orders()).map(({ header }) => header.note)).toEqual([null, null])
  expect(await violations(merchant)).toEqual([])
})

test('an order that was placed along is no repeat of itself', async () => {
  const { shop, line, merchant } = await newQueue('Kellerei Selbst')
  await setStock(shop, 'wine', shop.wine.secco as number, 2)
  let hidden = 0
  hook = async ({ name, text }, act) => {
    const result = await act()
    // The pointer may be read just before the others' transaction, and the stock just after it.
    if (name === 'BatchGetItemCommand' && text.includes('order-uuids')) {
      const { Responses = {} } = result.output as { Responses?: Record<string, { pk: string }[]> }
      for (const [table, items] of Object.entries(Responses)) {
        const left = items.filter(({ pk }) => !pk.endsWith('order-uuids'))
        hidden += items.length - left.length
        Responses[table] = left
      }
    }
    return result
  }
  const answers = await line([
    [{}, 'one'],
    [{}, 'two'],
  ])
  expect(hidden).toBeGreaterThan(0)
  expect(answers.map(outcome)).toEqual([1, 2])
  expect(answers.map(one => one.status === 'fulfilled' && one.value.replayed)).toEqual([false, false])
  expect(await violations(merchant)).toEqual([])
})

test('an order placed along whose payment was ended since is answered as such', async () => {
  const { line, merchant } = await newQueue('Kellerei Ende')
  let ended: Promise<unknown> | undefined
  hook = async ({ name, text }, act) => {
    // The order is looked for when this is over.
    if (text.includes('order-uuids') && name !== 'TransactWriteItemsCommand') await ended
    if (ended || name !== 'TransactWriteItemsCommand' || !text.includes('#payments')) return act()
    const written = act()
    // As an equal request does that could not open the payment.
    const cancelling = { event: 'cancel', actor: opener, ifUnopened: true, idempotencyKey: null } as const
    ended = written.then(() => cancelById(merchant, 2, cancelling))
    return written
  }
  const answers = await line([[{}], [{ payment_type: 'paypal', ...returning }]])
  expect(answers.map(outcome)).toEqual([1, 'payment_provider_error'])
})

test('an order that was placed along while its own write got no answer is answered as it is', async () => {
  const { line, merchant, orders } = await newQueue('Kellerei Doppelt')
  let arrived = () => {}
  const second = new Promise<void>(resolve => {
    arrived = resolve
  })
  let committed = () => {}
  const first = new Promise<void>(resolve => {
    committed = resolve
  })
  hook = async ({ name, text }, act) => {
    if (name !== 'TransactWriteItemsCommand' || text.includes('external-payments')) return act()
    if (text.includes('\\"note\\":\\"first\\"')) {
      // Whoever is behind takes the first for gone.
      await updateItem(key('numbers', { merchant, counter: 'orders' }), { set: { turn: 2 } })
      await second
      const result = await act()
      committed()
      return result
    }
    arrived()
    await first
    throw noAnswer()
  }
  const answers = await line([[{ note: 'first' }], [{ payment_type: 'paypal', ...returning }]])
  expect(answers.map(outcome)).toEqual([1, 2])
  expect((await orders()).map(({ header }) => header.id)).toEqual([1, 2])
  expect(await violations(merchant)).toEqual([])
  const [, own] = answers
  const payment = own?.status === 'fulfilled' ? own.value.payment : undefined
  expect(payment && (await getItem(key('payment', { merchant, uuid: payment.uuid })))?.status).toBe('open')
})

test('an order placed along is answered as it is stored, and as it would be alone', async () => {
  const { line, place, merchant, shop, billing_id, orders } = await newQueue('Kellerei Gleich')
  const inline = { address: 'Weg 1', zip: '01067', city: 'Dresden', countrycode: 'DE', last_name: 'Krug "ü" 🍷' }
  const bodies = [
    {},
    { billing_id: null, billing: inline, delivery: { ...inline, last_name: 'Kanne' } },
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
  // Of what is each order's own, only whether it is there.
  const own = /(^|_)(id|uuid|url|number|quantity)$|stamp|date|targetUrl/
  const plain = (placed: unknown) =>
    JSON.parse(JSON.stringify(placed), (name, value) => (own.test(name) ? value === null : value))
  expect(together.map(one => (one.status === 'fulfilled' ? plain(one.value) : one.reason))).toEqual(alone.map(plain))
  const byId = new Map((await orders()).map(({ header }) => [header.id, header]))
  for (const one of together) {
    if (one.status === 'fulfilled') expect(one.value.data).toMatchObject(byId.get(one.value.data.id) ?? {})
  }
  expect(await violations(merchant)).toEqual([])
})

test('four who are gone keep nobody waiting until it is too late', async () => {
  const { merchant, place } = await newQueue('Kellerei Leer')
  await updateItem(key('queue', { merchant, counter: 'orders' }), { add: { tickets: 3 } })
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => place()))
  expect(answers.map(outcome).toSorted()).toEqual([1, 2, 3, 4, 5, 6])
})

test('orders as large as they can be are placed along as far as one transaction holds them', async () => {
  const { place, line, tickets, merchant, shop, billing_id } = await newQueue('Kellerei Breit')
  const client = await getItem(key('client', { merchant, id: billing_id }))
  if (!client) throw new Error('the client is missing')
  const [remark, name] = ['語'.repeat(4000), '語'.repeat(255)]
  const wordy = { invoice_remark: remark, delivery_note_remark: remark }
  await putItem(key('client', { merchant, id: billing_id }), { ...client, ...wordy })
  const ids = Array.from({ length: 40 }, (_, n) => 1000 + n)
  for (const id of ids) await newProduct(shop, { id, description: randomBytes(37_500).toString('base64') })
  const large = { items: ids.map(item_id => ({ item_type: 'product', item_id, quantity: 1 })) }
  const off = { item_type: 'rebate', name, net: 0, tax: 0, gross: 0 }
  const long = { note: remark, client_remark: remark, items: [...itemsOf(shop, { secco: 1 }), ...Array(49).fill(off)] }
  let most = 0
  hook = (call, act) => {
    if (call.name === 'TransactWriteItemsCommand') most = Math.max(most, call.text.match(/#order-uuids/g)?.length ?? 0)
    return act()
  }
  // Too large to be laid down: it only draws a ticket.
  const first = Promise.allSettled([place(large)])
  while ((await tickets()) < 2);
  const answers = [...(await line(Array(15).fill([long]))), ...(await first)]
  expect(answers.map(outcome).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1))
  expect(most).toBeGreaterThan(5)
  expect(await violations(merchant)).toEqual([])
})

/** Two orders in a line, whose time is over as the first is about to be placed. Returns what was in one transaction. */
const lateLine = async (when: 'before' | 'after'): Promise<number> => {
  const { line, merchant, orders, tickets, isWaiting } = await newQueue('Kellerei Spät')
  const behind = (await tickets()) + 2
  const now = Date.now
  const later = () => now() + 16_000
  let together = 0
  try {
    hook = async ({ name, text }, act) => {
      if (name !== 'TransactWriteItemsCommand') return act()
      if (when === 'before') {
        // Who was reading as the time passed takes their turn for due: the one behind must not wait for themselves.
        if (Date.now === later) throw noAnswer()
        Date.now = later
        // Until the one behind has taken its order back.
        while (await isWaiting(behind));
      }
      together ||= text.match(/#order-uuids/g)?.length ?? 0
      const result = await act()
      Date.now = later
      return result
    }
    const answers = await line([[{}], [{}]])
    const placed = (await orders()).map(({ header }) => header.uuid)
    expect(answers.flatMap(one => (one.status === 'fulfilled' ? [one.value.data.uuid] : []))).toEqual(placed)
    if (together === 2) expect(placed).toHaveLength(when === 'before' ? 0 : 2)
  } finally {
    Date.now = now
    hook = (_, act) => act()
  }
  expect(await violations(merchant)).toEqual([])
  return together
}

test.each([
  'before',
  'after',
] as const)('whose time is over while it is placed along, %s that, has an order or none', async when => {
  // On a slow machine the first may be taken for gone, or go alone, before the second stands in line.
  while ((await lateLine(when)) < 2);
})
