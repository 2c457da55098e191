import { randomUUID } from 'node:crypto'
import { fieldsProblem, type Problem } from '../../contract/errors.ts'
import type { Header } from '../../contract/records/order.ts'
import type { NewOrder } from '../../contract/routes/orders.ts'
import { type PaymentType, paymentTypes } from '../../contract/vocabulary.ts'
import { sha256 } from '../../merchants/idempotency.ts'
import { ProviderUnusable } from '../../payments/provider-failure.ts'
import { providerOf } from '../../payments/providers.ts'
import type { BasketItem } from '../../platform/table/items.ts'
import type { MerchantId } from '../../platform/table/keys.ts'
import { formatMoney, formatSum, paysNoTax } from '../../values/money.ts'
import { basketItems } from '../baskets/store.ts'
import { isExternal, statusOnAdd } from '../states.ts'
import type { OrderOwner } from '../store.ts'
import { checkCountry } from './billing-delivery.ts'
import { type PricedItem, type PricedOrder, priceOrder } from './pricing.ts'
import type { Draft } from './queued-draft.ts'
import { readRedirects } from './redirects.ts'
import { type References, readReferences } from './references.ts'
import type { Totals } from './totals.ts'

/** The user who places an order; a signed-in client places only its own. */
export type Placer = { merchant: MerchantId; user: { id: number; name: string }; client?: OrderOwner }

/**
 * A request to place an order; equal requests with the same key or basket place one order. With `inshop` it sells
 * only wines and products that the shop shows.
 */
export type PlaceRequest = { data: NewOrder; idempotencyKey: string | null; inshop?: boolean }

/** The request with everything that was read for it. */
export type OrderSource = { placer: Placer; request: PlaceRequest; basket: BasketItem | null; references: References }

export const hashOf = ({ data }: PlaceRequest): string => sha256(JSON.stringify(data))

export const hashOfKey = ({ idempotencyKey }: PlaceRequest): string | null => idempotencyKey && sha256(idempotencyKey)

const itemsOf = ({ data }: PlaceRequest, basket: BasketItem | null): readonly PricedItem[] =>
  // Stryker disable next-line ArrayDeclaration: A text is no goods: an order without items is refused as empty either
  // way.
  basket ? basketItems(basket) : (data.items ?? [])

const knownTypes: readonly unknown[] = paymentTypes
const isPaymentType = (value: unknown): value is PaymentType => knownTypes.includes(value)

/** The payment type of the request, else of the client, else the merchant's default. */
const chosenType = (data: NewOrder, { client, merchant }: References): PaymentType => {
  const agreed = client?.payment_type
  return data.payment_type ?? (isPaymentType(agreed) ? agreed : merchant.default_payment_type)
}

const notAllowed = (allowed: readonly PaymentType[]): Problem =>
  fieldsProblem('payment_type_not_allowed', [
    { path: 'data.payment_type', rule: 'one_of', expected: allowed.join(', ') },
  ])

const paymentTypeOf = (data: NewOrder, references: References): PaymentType => {
  const [chosen, { payment_types: allowed }] = [chosenType(data, references), references.merchant]
  if (allowed.includes(chosen)) return chosen
  throw notAllowed(allowed)
}

/**
 * Checks that the merchant's provider can take an external payment. Throws payment_type_not_allowed if its settings and
 * credentials do not allow it, payment_provider_error if that is unknown now.
 */
const checkPayable = async (data: NewOrder, references: References): Promise<void> => {
  const { payment_types: allowed } = references.merchant
  const chosen = chosenType(data, references)
  if (!isExternal(chosen) || !allowed.includes(chosen)) return
  try {
    await providerOf(references.merchant)
  } catch (error) {
    throw error instanceof ProviderUnusable ? notAllowed(allowed.filter(type => !isExternal(type))) : error
  }
}

/** Reads everything that an order refers to. Throws the refusals over references and over the payment's provider. */
export const readSource = async (
  placer: Placer,
  request: PlaceRequest,
  basket: BasketItem | null,
): Promise<OrderSource> => {
  const idempotencyKey = hashOfKey(request)
  const items = itemsOf(request, basket)
  const references = await readReferences({ ...placer, data: request.data, items, idempotencyKey })
  // Later would be too late: the order would be stored and its stock taken, but could not be paid.
  if (!references.used) await checkPayable(request.data, references)
  return { placer, request, basket, references }
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

/** The header without number and time, which it gets when it is written. Throws payment_type_not_allowed. */
const headerOf = (
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
    // A free order is settled before it is written.
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
    // Stryker disable next-line BooleanLiteral: It is written again once the documents exist.
    fixed: false,
    paid: false,
    cruser_name: user.name,
  }
}

/** Prices an order and makes its draft, without writing. Throws the refusals over country, items, stock, rebates, totals and payment. */
export const draftOf = ({ placer, request, basket, references }: OrderSource, uuid: string): Draft => {
  const { data } = request
  const { merchant, billing, delivery, buyer, newParties } = references
  checkCountry(data, delivery, merchant)
  const priced = priceOrder(data, itemsOf(request, basket), references, request.inshop)
  const header = headerOf(placer, data, uuid, references, priced)
  const isPaidOutside = isExternal(header.payment_type) && priced.totals.total.gross > 0
  if (header.payment_type === 'debit' && data.return_url) readRedirects(data, merchant, ['return_url'])
  return {
    header,
    client: buyer,
    billing: billing.record,
    delivery: delivery?.record ?? null,
    sold: priced.sold,
    rebates: priced.rebates,
    payment: isPaidOutside
      ? { uuid: randomUUID(), ...readRedirects(data, merchant, ['return_url', 'cancel_url']) }
      : null,
    newParties,
    basket: data.basket_uuid ?? data.basket ?? null,
    basketVersion: basket?.version ?? null,
    idempotencyKey: hashOfKey(request),
    requestHash: hashOf(request),
  }
}
