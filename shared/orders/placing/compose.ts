import { Problem } from '../../contract/errors.ts'
import type { NewOrder } from '../../contract/orders.ts'
import type { Header } from '../../contract/records/order.ts'
import { type PaymentType, paymentTypes } from '../../contract/vocabulary.ts'
import { ProviderUnusable } from '../../payments/provider-failure.ts'
import { providerOf } from '../../payments/providers.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { formatMoney, formatSum, paysNoTax } from '../../values/money.ts'
import { isExternal, statusOnAdd } from '../states.ts'
import type { OrderOwner } from '../store.ts'
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

/**
 * The header of a new order, but for what it gets when it is written: its number and the time. Throws
 * payment_type_not_allowed.
 */
export const composeHeader = (
  { merchant, user }: Placer,
  data: NewOrder,
  uuid: string,
  references: References,
  priced: PricedOrder,
): Header => {
  const { billing, delivery, buyer, client } = references
  const payment_type = paymentTypeOf(data, references)
  return {
    id: 0,
    uuid,
    number: '',
    billing_type: billing.type,
    billing_id: billing.id,
    delivery_type: delivery?.type ?? 'none',
    delivery_id: delivery?.id ?? null,
    delivery_note_remark: data.delivery_note_remark ?? client?.delivery_note_remark ?? null,
    payment_type,
    // What costs nothing is settled before it is written.
    status: priced.totals.total.gross === 0 ? 'new' : statusOnAdd(payment_type),
    ...sumsOf(priced.totals),
    payment_period: data.payment_period ?? (payment_type === 'prepaid' ? 1 : (client?.payment_period ?? 14)),
    invoice_type: data.invoice_type,
    tax_free: paysNoTax(references.merchant, client) ? 1 : 0,
    rebate: client?.rebate ?? 0,
    cashback: client?.cashback ?? 0,
    cashback_period: client?.cashback_period ?? 0,
    source: data.source,
    crstamp: '',
    chstamp: '',
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
