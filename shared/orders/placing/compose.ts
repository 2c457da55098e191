import { randomUUID } from 'node:crypto'
import { Problem } from '../../contract/errors.ts'
import type { NewOrder } from '../../contract/orders.ts'
import type { Header } from '../../contract/records/order.ts'
import { type PaymentType, paymentTypes } from '../../contract/vocabulary.ts'
import { ProviderUnusable } from '../../payments/provider-failure.ts'
import { providerOf } from '../../payments/providers.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { formatMoney, formatSum } from '../../values/money.ts'
import { paysNoTax } from '../../values/price.ts'
import { timestamp } from '../../values/time.ts'
import { noDocuments, withDocuments } from '../documents.ts'
import type { Numbers } from '../numbers.ts'
import type { OrderRecord } from '../record.ts'
import { documentsOnEnter, isExternal, statusOnAdd } from '../states.ts'
import type { OrderOwner } from '../store.ts'
import { applyEvent } from '../transitions.ts'
import type { PricedOrder } from './pricing.ts'
import type { References } from './references.ts'
import type { Totals } from './totals.ts'

/** Who places an order, and for whom; a signed-in client places none but its own. */
export type Placer = { merchant: MerchantId; user: { id: number; name: string }; client?: OrderOwner }

const known: readonly unknown[] = paymentTypes

const isPaymentType = (value: unknown): value is PaymentType => known.includes(value)

/** How the order shall be paid: as said, else as agreed with the client, else as the merchant prefers. */
const chosenType = (data: NewOrder, { client, merchant }: References): PaymentType => {
  const agreed = client?.payment_type
  return data.payment_type ?? (isPaymentType(agreed) ? agreed : merchant.default_payment_type)
}

const notAllowed = (allowed: readonly PaymentType[]): Problem => {
  const expected = allowed.join(', ')
  return new Problem('payment_type_not_allowed', {
    details: `data.payment_type must be one of ${expected}`,
    fields: [{ path: 'data.payment_type', rule: 'one_of', expected }],
  })
}

const paymentTypeOf = (data: NewOrder, references: References): PaymentType => {
  const [chosen, { payment_types: allowed }] = [chosenType(data, references), references.merchant]
  if (allowed.includes(chosen)) return chosen
  throw notAllowed(allowed)
}

/**
 * Checks that an order which is to be paid at a provider can be paid there at all, as far as the merchant's settings and
 * credentials tell. Throws payment_type_not_allowed when not, payment_provider_error when nobody can say now.
 */
export const checkPayable = async (data: NewOrder, references: References): Promise<void> => {
  const { payment_types: allowed } = references.merchant
  const chosen = chosenType(data, references)
  if (!isExternal(chosen) || !allowed.includes(chosen)) return
  try {
    await providerOf(references.merchant)
  } catch (error) {
    throw error instanceof ProviderUnusable ? notAllowed(allowed.filter(type => !isExternal(type))) : error
  }
}

const sumsOf = ({ taxrates, total, item, rebate, grossCashback }: Totals) => {
  const [items, rebates] = [formatSum(item), formatSum(rebate)]
  return {
    ...formatSum(total),
    taxrates: Object.fromEntries(Object.entries(taxrates).map(([rate, sum]) => [rate, formatSum(sum)])),
    item_net: items.net,
    item_tax: items.tax,
    item_gross: items.gross,
    rebate_net: rebates.net,
    rebate_tax: rebates.tax,
    rebate_gross: rebates.gross,
    gross_cashback: formatMoney(grossCashback),
  }
}

const isFree = ({ totals }: PricedOrder): boolean => totals.total.gross === 0

const headerOf = (
  { merchant, user }: Placer,
  data: NewOrder,
  uuid: string,
  references: References,
  priced: PricedOrder,
): Header => {
  const { billing, delivery, buyer, client, seen } = references
  const payment_type = paymentTypeOf(data, references)
  const now = timestamp(Date.now())
  const id = seen.numbers.orders + 1
  return {
    id,
    uuid,
    number: String(id),
    billing_type: billing.type,
    billing_id: billing.id,
    delivery_type: delivery?.type ?? 'none',
    delivery_id: delivery?.id ?? null,
    delivery_note_remark: data.delivery_note_remark ?? client?.delivery_note_remark ?? null,
    payment_type,
    // It is settled before it is written.
    status: isFree(priced) ? 'new' : statusOnAdd(payment_type),
    ...sumsOf(priced.totals),
    payment_period: data.payment_period ?? (payment_type === 'prepaid' ? 1 : (client?.payment_period ?? 14)),
    invoice_type: data.invoice_type,
    tax_free: paysNoTax(references.merchant, client) ? 1 : 0,
    rebate: client?.rebate ?? 0,
    cashback: client?.cashback ?? 0,
    cashback_period: client?.cashback_period ?? 0,
    source: data.source,
    crstamp: now,
    chstamp: now,
    cruser_id: user.id,
    customers_id: merchant,
    client_id: buyer?.id ?? null,
    client_remark: data.client_remark ?? null,
    invoice_remark: data.invoice_remark ?? client?.invoice_remark ?? null,
    note: data.note ?? null,
    touched: 0,
    fixed: false,
    paid: false,
    cruser_name: user.name,
  }
}

type Composed = { order: OrderRecord; numbers: Numbers }

/** An order without anything to pay as its payment would leave it: no provider takes 0.00, and nobody transfers it. */
const settled = ({ order, numbers }: Composed): Composed => {
  const { crstamp: now, cruser_name: actor } = order.header
  const effect = applyEvent(order, numbers, 'payment_completed', { now, actor })
  if (!('order' in effect)) throw new Error('a new order cannot be settled')
  return effect
}

/**
 * A new order with its documents, and the merchant's numbers after it; `parts` are still to be counted. Throws
 * payment_type_not_allowed.
 */
export const composeOrder = (
  placer: Placer,
  data: NewOrder,
  uuid: string,
  references: References,
  priced: PricedOrder,
): Composed => {
  const header = headerOf(placer, data, uuid, references, priced)
  const kinds = documentsOnEnter(undefined, header.status, { collected: header.delivery_type === 'none' })
  const { documents, numbers } = withDocuments(
    { header, documents: noDocuments() },
    references.seen.numbers,
    kinds,
    header.crstamp,
  )
  const isPaidOutside = isExternal(header.payment_type) && !isFree(priced)
  const order: OrderRecord = {
    header: { ...header, fixed: documents.invoices.length > 0 },
    client: references.buyer,
    billing: references.billing.record,
    delivery: references.delivery?.record ?? null,
    documents,
    rebates: priced.rebates,
    counted: priced.counted,
    basket: data.basket_uuid ?? data.basket ?? null,
    payment: isPaidOutside ? randomUUID() : null,
    history: [{ at: header.crstamp, event: 'add', actor: placer.user.name }],
    parts: 0,
  }
  const composed = { order, numbers: { ...numbers, orders: header.id } }
  return isFree(priced) ? settled(composed) : composed
}
