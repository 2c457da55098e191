import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { sandbox } from '../../shared/payments/sandbox/sandbox.ts'
import { findSandboxPayment } from '../../shared/payments/sandbox/store.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { updateItem } from '../../shared/platform/table/table.ts'
import type { Cellar } from '../support/cellar.ts'
import { finishing, newCheckout, visit } from '../support/checkout.ts'
import type { Answer, Json } from '../support/harness.ts'

// The sweep runs in this process and calls the sandbox.
process.env.ALLOW_SANDBOX = '1'

const finish = (request: Json, of: Cellar) => of.call('orders/checkout/finish', request)
const cancel = (order_id: string, of: Cellar) => of.call('orders/checkout/cancel', { order_id })

describe('the sweep', () => {
  test('ends unpaid orders, captures approved payments, keeps paid orders, and refunds cancelled orders', async () => {
    const { shop, add, check } = await newCheckout('Kellerei Kehraus')
    const statusOf = async ({ json }: Answer) => {
      const { data } = (await shop.call('orders/get', { id: json.data.id })).json
      return data.paid ? `${data.status} paid` : data.status
    }
    const basket = (await shop.call('baskets/add')).json.data.uuid
    await shop.call('baskets/addItem', {
      uuid: basket,
      data: { item_type: 'wine', item_id: shop.wine.secco, quantity: 1 },
    })
    const visited = async (behaviour: 'prompt' | 'pending' | 'lost' = 'prompt') => {
      const answer = await add()
      return { answer, request: finishing(answer, await visit(answer.json.targetUrl, 'approve', behaviour)) }
    }

    const unpaid = await add({ basket })
    const unfinished = await visited()
    const paid = await visited()
    await finish(paid.request, shop)
    const lost = await visited('lost')
    await finish(lost.request, shop)
    const pending = await visited('pending')
    await finish(pending.request, shop)
    const wrong = await visited()
    await updateItem(key('sandboxPayment', { id: wrong.request.external_id }), { set: { amount: 1 } })
    await finish(wrong.request, shop)
    // Money that arrives at the provider without a finish, while the order is cancelled.
    const late = await visited()
    await sandbox().capture(late.request.external_id, 'late')
    await cancel(late.answer.json.data.uuid, shop)
    const invoiced = await add({ payment_type: 'invoice' })
    expect(await check()).toEqual([])

    const swept = await sweepMerchant(shop.id, { hours: 0 })
    expect(swept).toMatchObject({ cancelled: 2, paid: 2, refunded: 1, failures: [] })
    const orders = [unpaid, unfinished.answer, paid.answer, lost.answer, pending.answer, wrong.answer, late.answer]
    expect(await Promise.all([...orders, invoiced].map(statusOf))).toEqual([
      'cancelled',
      'need_package paid',
      'need_package paid',
      'need_package paid',
      'need_payment',
      'cancelled',
      'cancelled',
      'need_package',
    ])
    expect((await findSandboxPayment(late.request.external_id))?.refunded).toBe(2400)
    expect((await findSandboxPayment(unfinished.request.external_id))?.captures).toBe(1)
    expect((await findSandboxPayment(wrong.request.external_id))?.captures).toBe(0)
    expect((await shop.call('baskets/get', { uuid: basket })).json.data.order_uuid).toBeNull()
    expect(await check()).toEqual([])

    expect(await sweepMerchant(shop.id, { hours: 0 })).toMatchObject({ cancelled: 0, paid: 0, refunded: 0 })
    await visit(pending.answer.json.targetUrl, 'settle')
    expect(await sweepMerchant(shop.id, { hours: 0 })).toMatchObject({ paid: 1 })
    expect(await statusOf(pending.answer)).toBe('need_package paid')
    expect(await check()).toEqual([])
  })

  test('starts no payment after its deadline', async () => {
    const { shop, add } = await newCheckout('Kellerei Feierabend')
    const answers = [await add(), await add()]
    const nothing = { cancelled: 0, paid: 0, refunded: 0, failures: [] }
    expect(await sweepMerchant(shop.id, { hours: 0, until: Date.now() - 1 })).toMatchObject({ ...nothing, skipped: 2 })
    for (const { json } of answers)
      expect((await shop.call('orders/get', { id: json.data.id })).json.data.status).toBe('new')
    expect(await sweepMerchant(shop.id, { hours: 0, until: Date.now() + 20_000 })).toMatchObject({ cancelled: 2 })
  })

  test('leaves young orders alone', async () => {
    const { shop, add } = await newCheckout('Kellerei Jung')
    const answer = await add()
    expect(await sweepMerchant(shop.id)).toMatchObject({ cancelled: 0, left: 0, failures: [] })
    expect(await sweepMerchant(shop.id, { hours: 24 })).toMatchObject({ cancelled: 0, left: 1, failures: [] })
    expect((await shop.call('orders/get', { id: answer.json.data.id })).json.data.status).toBe('new')
  })
})
