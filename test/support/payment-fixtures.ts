import { randomUUID } from 'node:crypto'
import { bareView, type PaymentView, type Provider } from '../../shared/payments/provider.ts'
import { providerOf } from '../../shared/payments/providers.ts'
import {
  type FormerPayment,
  paymentOf,
  readPayment,
  shownStatus,
  unopenedFields,
} from '../../shared/payments/record.ts'
import { givenBackOf } from '../../shared/payments/refunds.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { key, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { putItem, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { parseTimestamp, timestamp } from '../../shared/values/time.ts'

type Verb = 'inspect' | 'capture' | 'refund' | 'inspectRefund'
type Answers = { [Name in Verb]?: (...asked: Parameters<Provider[Name]>) => unknown }

/**
 * The sandbox, which answers as a test says until that test is over; `asked` is what it was asked for. What a test does
 * not say an answer to, it must not be asked.
 */
export const scriptedProvider = async () => {
  const provider = await providerOf({ id: 1 })
  const real: Provider = { ...provider }
  const asked: string[] = []
  const answers = (says: Answers): void => {
    asked.length = 0
    for (const verb of ['inspect', 'capture', 'refund', 'inspectRefund'] as const)
      Object.assign(provider, {
        [verb]: async (...words: (string | number)[]) => {
          asked.push([verb, ...words].join(' '))
          const answer = says[verb] as ((...words: unknown[]) => unknown) | undefined
          if (!answer) throw new TypeError(`nobody is to ask for ${verb}`)
          return answer(...words)
        },
      })
  }
  afterEach(() => {
    Object.assign(provider, real)
  })
  return { asked, answers }
}

/** A provider's view of a payment of 24.00. */
export const viewOf =
  (state: PaymentView['state'], more: Partial<PaymentView> = {}) =>
  (customId: string): PaymentView => ({
    ...bareView(state),
    amount: 2400,
    currency: 'EUR',
    customId,
    payerId: 'PAYER',
    ...more,
  })

/** A payment as its merchant and the recorded outcomes name its states. */
export const shownPayment = (item: PaymentItem) => {
  const { refunds, requests: _, reported: __, decided: ___, returned, undecided, ...kept } = item
  const unused = refunds.find(({ credit }) => credit === null)
  const credits = refunds.filter(({ credit }) => credit !== null)
  return {
    ...kept,
    status: shownStatus(item),
    refunded: givenBackOf(item),
    refund_id: unused?.refund_id ?? null,
    failed_refunds: unused?.failed ?? 0,
    ...(credits.length > 0 && { refunds: credits }),
    ...(returned > 0 && { returned: undecided > 0 ? ('undecided' as const) : ('decided' as const) }),
  }
}

/** Reads a payment, as it is shown. */
export const readShown = async (merchant: MerchantId, uuid: string) => {
  const item = await readPayment(merchant, uuid)
  return item && shownPayment(item)
}

/** A payment in the form in which payments were stored before all money went back in entries. */
export const formerPayment = (
  payment: PaymentItem,
  set: Partial<FormerPayment> | Partial<PaymentItem>,
): PaymentItem => {
  const { returned: _, requests: __, ...kept } = payment
  return paymentOf({ ...kept, refunded: 0, refund_id: null, failed_refunds: 0, ...set } as FormerPayment)
}

const hour = 3_600_000

/** A merchant's payments: put there without an order, for what needs none, and how they stand and where they wait. */
export const newPayments = (id = 1) => {
  const merchant = merchantIdOf(id)
  const place = (uuid: string) => key('payment', { merchant, uuid })
  /** A payment of 24.00 that is so many hours old. */
  const put = async (
    set: Partial<FormerPayment> | Partial<PaymentItem>,
    hours = 0,
    index?: string,
  ): Promise<PaymentItem> => {
    const usual: PaymentItem = {
      uuid: randomUUID(),
      order: 1,
      order_uuid: randomUUID(),
      type: 'paypal',
      amount: 2400,
      currency: 'EUR',
      status: 'open',
      return_url: 'https://shop.example/finish',
      cancel_url: 'https://shop.example/cancel',
      crstamp: timestamp(Date.now() - hours * hour),
      ...unopenedFields,
      provider: 'sandbox',
      account: 'sandbox',
      external_id: 'SBX',
    }
    const payment = formerPayment(usual, set)
    await putItem(place(payment.uuid), payment, { index })
    return payment
  }
  const entry = async (uuid: string) => {
    const found = (await queryEntries({ pk: partition('payment', { merchant }) })).find(
      ({ item }) => item.uuid === uuid,
    )
    if (!found) throw new Error('the payment is gone')
    return found
  }
  return {
    merchant,
    put,
    /** Another request changes a payment. */
    change: (uuid: string, set: Partial<PaymentItem>) => updateItem(place(uuid), { set, add: { version: 1 } }),
    /** As it is shown. */
    stored: async (uuid: string) => shownPayment((await entry(uuid)).item),
    /** A payment's next task and in how many minutes it is due; undefined if it has none. */
    waits: async (uuid: string): Promise<[string | undefined, number] | undefined> => {
      const { index } = await entry(uuid)
      const [task, since] = index?.split('#').slice(-2) ?? []
      return index === undefined ? undefined : [task, (parseTimestamp(since ?? '') - Date.now()) / 60_000]
    },
  }
}
