import { cancelById } from '../../shared/orders/checkout/cancel.ts'
import { reconcilePayment } from '../../shared/orders/checkout/reconcile.ts'
import { acceptPayment, refundPayment } from '../../shared/orders/checkout/review.ts'
import { sweep } from '../../shared/orders/checkout/sweep.ts'
import { resolvePayment } from '../../shared/orders/checkout/take-payment.ts'
import { unsettledPayments } from '../../shared/payments/open.ts'
import { bareView, type PaymentView, type Provider } from '../../shared/payments/provider.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import { taskKey } from '../../shared/payments/record.ts'
import { Unavailable } from '../../shared/platform/table/failures.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { newPayer } from '../support/payer.ts'
import { readShown } from '../support/payment-fixtures.ts'
import { hookedTable, silent } from '../support/table-hook.ts'

const { shop, place, approved } = await newPayer('Kellerei Wettlauf')
const merchant = shop.id
const provider = await providerOf({ id: merchant })
const real: Provider = { ...provider }

const table = hookedTable()

afterEach(() => {
  Object.assign(provider, real)
})

const paymentKey = (uuid: string) => key('payment', { merchant, uuid })
const stored = (uuid: string) => readShown(merchant, uuid)
const change = (uuid: string, set: Partial<PaymentItem>) => updateItem(paymentKey(uuid), { set, add: { version: 1 } })
const newPayment = async () => {
  const { data, payment } = await place()
  return { id: data.id, uuid: payment?.uuid ?? '' }
}
const says = (view: PaymentView, besides: () => Promise<unknown> = async () => {}) => {
  provider.inspect = async () => {
    await besides()
    return view
  }
}

describe('another request that', () => {
  test('claims the payment again after the provider was asked is waited for', async () => {
    const { id, uuid } = await newPayment()
    await change(uuid, { status: 'capturing', lease: 1 })
    says(bareView('open'), async () => {
      let reads = 0
      table.hook = async (name, text) => {
        if (name === 'GetItemCommand' && text.includes(uuid) && ++reads === 1)
          await change(uuid, { status: 'capturing', lease: Date.now() + 60_000 })
      }
    })
    await expect(cancelById(merchant, id, { event: 'cancel', actor: 'test' })).rejects.toMatchObject({
      word: 'payment_in_progress',
      headers: { 'retry-after': '2' },
    })
  })

  test('claims it concurrently has it; after their claim ends it is this one’s', async () => {
    const { uuid } = await newPayment()
    says(bareView('open'))
    let claims = 0
    table.hook = async name => {
      if (name === 'UpdateItemCommand' && ++claims === 1) await change(uuid, { status: 'capturing', lease: 5 })
    }
    // The other claim ends immediately.
    await expect(resolvePayment(merchant, uuid, 'test', { capture: false })).rejects.toMatchObject({
      word: 'payment_in_progress',
      headers: { 'retry-after': '2' },
    })
    table.hook = undefined
    expect(await resolvePayment(merchant, uuid, 'test', { capture: false })).toBe('unpaid')
    expect(await stored(uuid)).toMatchObject({ status: 'open' })
  })

  test('took over the claim keeps it: this request’s result is dropped', async () => {
    const { uuid } = await newPayment()
    says(bareView('open'), () => change(uuid, { lease: 4711 }))
    expect(await resolvePayment(merchant, uuid, 'test', { capture: false })).toBe('unpaid')
    expect(await stored(uuid)).toMatchObject({ status: 'capturing', lease: 4711 })
  })

  test('changed a payment between two checks is not undone by the sweep', async () => {
    const { uuid } = await newPayment()
    says(bareView('open'), async () => {
      table.hook = async (name, text) => {
        if (name === 'UpdateItemCommand' && text.includes('failing_since') && text.includes(uuid))
          await change(uuid, { lease: 99 })
      }
    })
    expect(await reconcilePayment(merchant, uuid, { actor: 'sweep' })).toBe('left')
    expect(await stored(uuid)).toMatchObject({ lease: 99 })
  })
})

describe('a table that does not answer', () => {
  test.each([
    ['while a payment is claimed', 1, 'open'],
    ['while it is given back', 2, 'capturing'],
  ])('%s fails the request', async (_, call, status) => {
    const { uuid } = await newPayment()
    says(bareView('open'))
    let calls = 0
    table.hook = name => {
      if (name === 'UpdateItemCommand' && ++calls === call) silent()
    }
    await expect(resolvePayment(merchant, uuid, 'test', { capture: false })).rejects.toThrow(Unavailable)
    table.hook = undefined
    expect((await stored(uuid))?.status).toBe(status)
  })

  test('while an order is paid leaves the payment to the next try, immediately', async () => {
    const { payment, finish } = await approved()
    table.hook = name => {
      if (name === 'TransactWriteItemsCommand') silent()
    }
    await expect(finish()).rejects.toThrow(Unavailable)
    table.hook = undefined
    expect(await stored(payment.uuid)).toMatchObject({ status: 'capturing', lease: 0 })
    expect(await finish()).toMatchObject({ data: { paid: true } })
  })

  test('for one merchant fails only the sweep of that one', async () => {
    const other = await newPayer('Kellerei Daneben')
    const due = await other.place()
    table.hook = (name, text) => {
      if (name === 'QueryCommand' && text.includes(`m#${merchant}#payments`)) silent()
    }
    const swept = await sweep({ hours: 0 })
    table.hook = undefined
    expect(swept).toMatchObject({ cancelled: 1, unexpected: 1 })
    expect(swept.failures).toEqual([expect.stringMatching(new RegExp(`^merchant ${merchant}: .`))])
    expect((await getItem(key('payment', { merchant: other.shop.id, uuid: due.payment?.uuid ?? '' })))?.status).toBe(
      'cancelled',
    )
  })
})

describe('a payment that is settled', () => {
  test('needs to exist', async () => {
    await expect(resolvePayment(merchant, 'none', 'test', { capture: true })).rejects.toThrow(
      'there is no payment none',
    )
    await expect(reconcilePayment(merchant, 'none', { actor: 'test' })).rejects.toThrow('there is no payment none')
  })
})

describe('of waiting payments', () => {
  test('those to be reconciled and those in review are listed separately', async () => {
    const { shop: own, place: placeOwn } = await newPayer('Kellerei Liste')
    const uuids = [(await placeOwn()).payment?.uuid ?? '', (await placeOwn()).payment?.uuid ?? '']
    await updateItem(key('payment', { merchant: own.id, uuid: uuids[1] ?? '' }), {
      set: { status: 'review' },
      index: taskKey('review', Date.now()),
    })
    const { waiting, review } = await unsettledPayments(own.id)
    expect([waiting.map(({ uuid }) => uuid), review.map(({ uuid }) => uuid)]).toEqual([[uuids[0]], [uuids[1]]])
  })
})

describe('an operator who decides', () => {
  const inReview = async () => {
    const { id, uuid } = await newPayment()
    await change(uuid, { status: 'review', capture_id: 'CAP', taken: { amount: 2399, currency: 'EUR' } })
    return { id, uuid }
  }
  const here = { ...bareView('captured'), amount: 2399, currency: 'EUR', captureId: 'CAP' }

  test('gets an error for an order without a payment', async () => {
    const { data } = await place({ payment_type: 'invoice' })
    await expect(acceptPayment(merchant, data.id, 'test')).rejects.toThrow(
      `nobody has to decide about order ${data.id}: it has no payment at a provider`,
    )
  })

  test('gets an error if another operator decided meanwhile', async () => {
    const { id, uuid } = await inReview()
    says(here, () => change(uuid, { status: 'unused', reported: 2400 }))
    await expect(acceptPayment(merchant, id, 'test')).rejects.toThrow(
      `nobody has to decide about order ${id}: its payment is refunded`,
    )
  })

  test('gets the error of the table, if no other request decided', async () => {
    const { id } = await inReview()
    says(here)
    table.hook = name => {
      if (name === 'TransactWriteItemsCommand') silent()
    }
    await expect(acceptPayment(merchant, id, 'test')).rejects.toThrow(Unavailable)
  })

  test('gets an unexpected error of the provider', async () => {
    const { id } = await inReview()
    provider.inspect = () => Promise.reject(new TypeError('unforeseen'))
    await expect(acceptPayment(merchant, id, 'test')).rejects.toThrow('unforeseen')
  })

  test('cannot refund a payment that another operator has decided about', async () => {
    const { id, uuid } = await inReview()
    const { doc = '{}' } = (await getItem(key('order', { merchant, id }))) ?? {}
    const { header, ...rest } = JSON.parse(doc)
    const cancelled = JSON.stringify({ ...rest, header: { ...header, status: 'cancelled' } })
    await updateItem(key('order', { merchant, id }), { set: { doc: cancelled } })
    table.hook = async name => {
      if (name === 'UpdateItemCommand') await change(uuid, { status: 'unused', reported: 2399 })
    }
    await expect(refundPayment(merchant, id, 'test')).rejects.toThrow('its payment is refunded')
    expect(await stored(uuid)).toMatchObject({ status: 'refunded', refunded: 2399, failed_refunds: 0 })
  })
})
