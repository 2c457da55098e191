import { runTool } from '../../lib/tool/run.ts'
import { advanceOrder } from '../../shared/orders/advance.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment } from '../../shared/orders/checkout/review.ts'
import { countInReview } from '../../shared/orders/checkout/sweep.ts'
import { StepRefused } from '../../shared/orders/step-refused.ts'
import { loadOrder } from '../../shared/orders/store.ts'
import { merchantPayment } from '../../shared/payments/open.ts'
import { existingPayment } from '../../shared/payments/record.ts'
import { sandbox } from '../../shared/payments/sandbox/sandbox.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import { newPayer } from '../support/payer.ts'
import { readShown } from '../support/payment-fixtures.ts'
import { hookedTable } from '../support/table-hook.ts'

// The tool as a person runs it on a table that is named, but in this process.
const { shop, place, approved, check } = await newPayer('Kellerei Werkzeug')
const merchant = shop.id
const table = hookedTable()

const tool = async (...words: string[]) => {
  const written = { stdout: '', stderr: '' }
  const writers = (['stdout', 'stderr'] as const).map(name => {
    const { write } = process[name]
    process[name].write = ((text: string) => {
      written[name] += text
      return true
    }) as typeof write
    return () => {
      process[name].write = write
    }
  })
  const target = ['--table', process.env.TABLE_NAME ?? '', '--stage', 'twin']
  const code = await runTool([...target, ...words]).finally(() => {
    for (const restore of writers) restore()
  })
  return { code, out: written.stdout, errors: written.stderr }
}

const order = (id: number, ...words: string[]) => tool('order', String(merchant), String(id), ...words)
// Other orders here were changed past the service.
const wrongWith = async (id: number) => (await check()).filter(violation => violation.includes(`order ${id} `))
const said = (out: string) => ({ code: 0, out, errors: '' })
const refused = (errors: string) => ({ code: 1, out: '', errors: `${errors}\n` })

test('an order on account is shipped, closed and paid', async () => {
  const { id } = (await place({ payment_type: 'invoice' })).data
  const papers = 'invoices 1, deliveryNotes 1'
  expect(await order(id, 'ship')).toEqual(said(`order ${id} is in_delivery (${papers})\n`))
  expect(await order(id, 'pack')).toEqual(refused(`order ${id} is shipped: it cannot be packed now`))
  expect(await order(id, 'close')).toEqual(said(`order ${id} is closed (${papers})\n`))
  expect(await order(id, 'paid')).toEqual(said(`order ${id} is closed, paid (${papers}, payments 1)\n`))
  expect(await order(id, 'paid')).toEqual(said(`order ${id} is closed, paid (${papers}, payments 1)\n`))
  const { history } = (await loadOrder(merchant, id)).order
  expect(history.slice(1).map(({ event, actor }) => `${event} ${actor}`)).toEqual([
    'ship operator',
    'close operator',
    'money_received operator',
  ])
})

test('money received in advance is recorded, then the order is packed', async () => {
  const { id } = (await place({ payment_type: 'invoice' })).data
  const { order: record } = await loadOrder(merchant, id)
  const header = { ...record.header, status: 'need_payment', payment_type: 'prepaid' }
  const documents = { ...record.documents, invoices: [], deliveryNotes: [] }
  await updateItem(key('order', { merchant, id }), { set: { doc: JSON.stringify({ ...record, header, documents }) } })
  expect(await order(id, 'paid')).toEqual(said(`order ${id} is payed, paid (payments 1)\n`))
  expect(await order(id, 'pack')).toEqual(
    said(`order ${id} is need_package, paid (invoices 1, deliveryNotes 1, payments 1)\n`),
  )
})

test('an order is cancelled, and a paid one is not', async () => {
  const open = (await place()).data.id
  expect(await order(open, 'cancel')).toEqual(said(`order ${open} is cancelled\n`))
  const paid = await approved()
  await paid.finish()
  expect((await order(paid.data.id, 'cancel')).code).toBe(1)
  expect((await loadOrder(merchant, paid.data.id)).order.header.status).toBe('need_package')
})

test('money of a wrong amount is refunded at the provider by an operator’s command', async () => {
  const { data, payment, finish } = await approved()
  await finish()
  await updateItem(key('payment', { merchant, uuid: payment.uuid }), { set: { status: 'review' } })
  const { order: record, version } = await loadOrder(merchant, data.id)
  const header = { ...record.header, status: 'new', paid: false }
  const doc = JSON.stringify({ ...record, header })
  await updateItem(key('order', { merchant, id: data.id }), { set: { doc, version: version + 1 } })
  expect((await order(data.id, 'refund')).out).toMatch(new RegExp(`^order ${data.id} is cancelled`))
  expect((await findSandboxPayment(payment.external_id ?? ''))?.refunded).toBe(2400)
})

describe('an order whose money was refunded after it was paid', () => {
  /** A paid order, of whose 24.00 so many cents went back at the provider. */
  const returned = async (cents: number) => {
    const { data, payment, finish } = await approved()
    await finish()
    const { captureId } = (await findSandboxPayment(payment.external_id ?? '')) ?? {}
    await sandbox().refund(captureId ?? '', cents, 'outside', payment.uuid, 'EUR')
    expect(await reconcilePayment(merchant, payment.uuid, { actor: 'webhook' })).toBe('review')
    return {
      id: data.id,
      returnMore: async (more: number) => {
        await sandbox().refund(captureId ?? '', more, `more ${more}`, payment.uuid, 'EUR')
        return reconcilePayment(merchant, payment.uuid, { actor: 'webhook' })
      },
      payment: () => readShown(merchant, payment.uuid),
      atProvider: async () => (await findSandboxPayment(payment.external_id ?? ''))?.refunded,
    }
  }
  const inReview = async () => (await tool('payments', String(merchant))).out

  test('is listed and counted, is not shipped, and is shipped after an operator accepts that', async () => {
    const { id, payment, atProvider } = await returned(1000)
    expect(await countInReview(merchant)).toBe(1)
    expect(await inReview()).toMatch(
      new RegExp(`^order ${id}  refunded_in_part  24.00 EUR, 24.00 EUR taken, 10.00 back .*order cancel decides$`, 'm'),
    )
    expect(await order(id, 'ship')).toEqual(
      refused(
        `order ${id} is due for packing and shipping, and paid: 10.00 of 24.00 went back: accept that, or cancel the order`,
      ),
    )
    expect((await order(id, 'accept')).out).toMatch(new RegExp(`^order ${id} is need_package, paid`))
    expect(await order(id, 'accept')).toMatchObject({ code: 1, errors: expect.stringMatching(/^nobody has to decide/) })
    expect(await inReview()).toMatch(/, 0 need a decision$/m)
    expect((await order(id, 'ship')).out).toMatch(new RegExp(`^order ${id} is in_delivery, paid`))
    expect(await payment()).toMatchObject({ status: 'refunded_in_part', refunded: 1000, returned: 'decided' })
    expect([await countInReview(merchant), await atProvider()]).toEqual([0, 1000])
  })

  test.each([
    ['all', 2400],
    ['a part', 1000],
  ])('is cancelled with a credit advice by an operator, and the provider refunds only the rest: %s', async (_, cents) => {
    const { id, payment, atProvider } = await returned(cents)
    expect(await order(id, 'cancel')).toEqual(
      said(`order ${id} is cancelled (invoices 1, deliveryNotes 1, payments 1, creditAdvices 1)\n`),
    )
    expect(await payment()).toMatchObject({ status: 'refunded', refunded: 2400, returned: 'decided' })
    expect([await countInReview(merchant), await atProvider()]).toEqual([0, 2400])
    const { order: record } = await loadOrder(merchant, id)
    const credits = record.history.filter(({ event }) => event === 'credit_rest')
    expect([record.header.paid, credits]).toMatchObject([false, [{ actor: 'operator', status: 'cancelled' }]])
    expect(await wrongWith(id)).toEqual([])
  })

  test.each([
    ['all', 2400],
    ['a part', 1000],
  ])('is cancelled by an operator who accepted that before: %s', async (_, cents) => {
    const { id, payment, atProvider } = await returned(cents)
    await order(id, 'accept')
    const cancelled = said(`order ${id} is cancelled (invoices 1, deliveryNotes 1, payments 1, creditAdvices 1)\n`)
    expect([await order(id, 'cancel'), await order(id, 'cancel')]).toEqual([cancelled, cancelled])
    expect(await payment()).toMatchObject({ status: 'refunded', refunded: 2400, returned: 'decided' })
    expect(await atProvider()).toBe(2400)
    expect(await wrongWith(id)).toEqual([])
  })

  test('is accepted once by concurrent commands', async () => {
    const { id } = await returned(1000)
    const accepted = await Promise.allSettled(Array.from({ length: 8 }, () => acceptPayment(merchant, id, 'operator')))
    expect(accepted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of accepted) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(StepRefused)
    const { history } = (await loadOrder(merchant, id)).order
    expect(history.filter(({ event }) => event === 'return_accepted')).toHaveLength(1)
  })

  test('needs a human decision again when more is refunded; a concurrent acceptance is refused', async () => {
    const { id, payment, returnMore } = await returned(1000)
    table.hook = async name => {
      if (name !== 'TransactWriteItemsCommand') return
      table.hook = undefined
      await returnMore(400)
    }
    await expect(acceptPayment(merchant, id, 'operator')).rejects.toThrow(
      `the payment of order ${id} changed at the same moment: look at it, and decide again`,
    )
    expect(await payment()).toMatchObject({ status: 'refunded_in_part', refunded: 1400, returned: 'undecided' })
    expect((await order(id, 'accept')).code).toBe(0)
    expect(await returnMore(1000)).toBe('review')
    expect(await payment()).toMatchObject({ status: 'refunded', refunded: 2400, returned: 'undecided' })
    const { history } = (await loadOrder(merchant, id)).order
    expect(history.filter(({ event }) => event === 'payment_returned')).toHaveLength(3)
  })

  test('is not shipped when more is refunded concurrently; concurrent checks record that once', async () => {
    const { id, returnMore } = await returned(1000)
    await order(id, 'accept')
    table.hook = async name => {
      if (name !== 'TransactWriteItemsCommand') return
      table.hook = undefined
      await Promise.all(Array.from({ length: 10 }, () => returnMore(400)))
    }
    await expect(advanceOrder(merchant, id, 'ship', 'operator')).rejects.toThrow(/paid: 14\.00 of 24\.00/)
    const { history } = (await loadOrder(merchant, id)).order
    expect(history.slice(-3).map(({ event }) => event)).toEqual([
      'payment_returned',
      'return_accepted',
      'payment_returned',
    ])
  })

  test('cannot be cancelled once it is shipped', async () => {
    const { data, payment, finish } = await approved()
    await finish()
    await order(data.id, 'ship')
    expect(await order(data.id, 'refund')).toEqual(refused(`order ${data.id}: The order can no longer be cancelled.`))
    expect((await findSandboxPayment(payment.external_id ?? ''))?.refunded).toBe(0)
  })
})

test('a paid order is cancelled and refunded by an operator’s command', async () => {
  const { data, payment, finish } = await approved()
  await finish()
  expect((await order(data.id, 'refund')).out).toMatch(new RegExp(`^order ${data.id} is cancelled .*creditAdvices 1`))
  expect((await findSandboxPayment(payment.external_id ?? ''))?.refunded).toBe(2400)
  expect(await readShown(merchant, payment.uuid)).toMatchObject({
    status: 'refunded',
    refunded: 2400,
  })
  expect(await wrongWith(data.id)).toEqual([])
})

test('a bottle is credited by an operator’s command, and refunded at the provider', async () => {
  const { data, payment, finish } = await approved()
  await finish()
  const [bottles] = data.positions ?? []
  const position = `${bottles?.id}:1`
  expect(await order(data.id, 'credit', '--positions', position, '--refund', 'provider', '--remark', 'Kork')).toEqual({
    code: 0,
    errors: '',
    out: expect.stringMatching(
      /^credit advice K-\d+: 12\.00 EUR, -12\.00 refunded\norder \d+ is need_package, paid .*creditAdvices 1/,
    ),
  })
  expect((await findSandboxPayment(payment.external_id ?? ''))?.refunded).toBe(1200)
  expect(await order(data.id, 'credit', '--positions', '1 bottle', '--refund', 'none')).toEqual(
    refused('1 bottle is not a position and a number of pieces, such as 101:2'),
  )
  expect(await order(data.id, 'credit')).toEqual(refused('--refund must be provider, at-provider, by-hand or none'))
  expect(await order(data.id, 'ship', '--restock')).toEqual(refused('--restock is only for credit'))
  expect((await order(data.id, 'credit', '--refund', 'by-hand', '--restock')).out).toMatch(
    /^credit advice K-\d+: 12\.00 EUR, -12\.00 by_hand\norder \d+ is cancelled /,
  )
  expect(await wrongWith(data.id)).toEqual([])
})

test('a shipped order names its carrier by an operator’s command', async () => {
  const { id } = (await place({ payment_type: 'invoice' })).data
  await order(id, 'ship', '--carrier', 'DHL', '--tracking', 'JJD1')
  expect((await loadOrder(merchant, id)).order.documents.deliveryNotes).toMatchObject([
    { carrier: 'DHL', tracking: 'JJD1' },
  ])
})

test('a manual refund is recorded with its amount', async () => {
  const { data, payment, finish } = await approved()
  await finish()
  const place = key('payment', { merchant, uuid: payment.uuid })
  const shown = async () => merchantPayment(await existingPayment(merchant, payment.uuid))
  expect((await order(data.id, 'refund', '--by-hand')).out).toMatch(new RegExp(`^order ${data.id} is cancelled`))
  expect(await shown()).toMatchObject({ status: 'refunded', refunded: '24.00' })
  // So it is where the order was cancelled before.
  await updateItem(place, { set: { status: 'review', refunds: [], taken: { amount: 2399, currency: 'EUR' } } })
  await order(data.id, 'refund', '--by-hand')
  expect(await shown()).toMatchObject({ status: 'refunded', refunded: '23.99' })
  expect((await findSandboxPayment(payment.external_id ?? ''))?.refunded).toBe(0)
})

test('an unknown step, a missing order and an impossible step are refused', async () => {
  const { id } = (await place({ payment_type: 'invoice' })).data
  expect(await order(id, 'close')).toEqual(
    refused(`order ${id} is due for packing and shipping: it cannot be closed now`),
  )
  expect(await order(0, 'ship')).toEqual(refused('0 is not an order number'))
  expect((await order(4711, 'ship')).errors).toMatch(/^order 4711: /)
  expect(await order(id, 'ship', '--by-hand')).toEqual(refused('--by-hand is only for refund'))
  expect((await order(id, 'eat')).code).toBe(1)
  expect((await loadOrder(merchant, id)).order.header.status).toBe('need_package')
})

test('a sweep ends unpaid orders, and prints their number', async () => {
  const { id } = (await place()).data
  expect(await tool('sweep', '--hours', '24')).toMatchObject({ code: 0, errors: '' })
  expect((await loadOrder(merchant, id)).order.header.status).toBe('new')
  const { code, out, errors } = await tool('sweep', '--hours', '0')
  expect([code, errors]).toEqual([0, ''])
  expect(out).toMatch(/^[1-9]\d* orders cancelled, \d+ paid after all, \d+ payments refunded, /)
  expect((await loadOrder(merchant, id)).order.header.status).toBe('cancelled')
  expect(await tool('sweep', '--hours', 'many')).toEqual(refused('many is not a number of hours'))
})

describe('the list of orders', () => {
  const list = (...words: string[]) => tool('orders', String(merchant), ...words)

  test('contains the orders that match the options, newest first, a line each', async () => {
    const { id, crstamp } = (await place({ payment_type: 'invoice', source: 'fair' })).data
    await order(id, 'ship')
    const line = `${id}  ${crstamp}  in_delivery  invoice  24.00 EUR`
    const { code, out } = await list('--open', '--unpaid', '--source', 'fair', '--from', crstamp.slice(0, 10))
    expect([code, out.startsWith(line), out.endsWith('\n1 of 1 orders\n')]).toEqual([0, true, true])
    expect((await list('--query', String(id))).out).toBe(out)
    expect((await list('--status', 'closed,cancelled', '--source', 'fair')).out).toBe('0 of 0 orders\n')
  })

  test('prints a sentence for a refusal', async () => {
    expect(await list('--open', '--status', 'new')).toEqual(
      refused('--open means several statuses: name it or --status'),
    )
    expect(await list('--from', 'gestern')).toEqual(refused('`from` must be a day such as 2026-01-31.'))
    expect((await list('--status', 'open')).errors).toMatch(/^`filter\.status\.0` must be one of new, /)
  })
})

test('a missing file is reported by name', async () => {
  expect(await tool('import', 'wines', 'nowhere.csv', '--merchant', String(merchant))).toEqual(
    refused('there is no file or folder nowhere.csv'),
  )
})
