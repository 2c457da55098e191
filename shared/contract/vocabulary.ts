/** The states of an order, in the order they are usually passed. */
export const statuses = ['new', 'need_payment', 'payed', 'need_package', 'in_delivery', 'closed', 'cancelled'] as const
export type Status = (typeof statuses)[number]

/** How an order is paid. */
export const paymentTypes = ['paypal', 'prepaid', 'invoice', 'cash', 'debit', 'card', 'bank'] as const
export type PaymentType = (typeof paymentTypes)[number]

/** The words by which older shops ask for some of them. */
export const olderPaymentTypes = { bill: 'invoice', debiting: 'debit' } as const satisfies Record<string, PaymentType>

/** The payment providers that a merchant can be set to. */
export const providerNames = ['sandbox', 'paypal'] as const
export type ProviderName = (typeof providerNames)[number]

/** The column an order's prices are kept in. */
export const invoiceTypes = ['net', 'gross'] as const

/** What kind of record an order's bill goes to. */
export const billingTypes = ['client', 'address'] as const

/** What kind of record an order's goods go to; `none` when the buyer collects them. */
export const deliveryTypes = ['client', 'address', 'none'] as const

/** What a merchant sells. */
export const goodsTypes = ['wine', 'product'] as const
export type GoodsType = (typeof goodsTypes)[number]

/** What an order's lines hold. */
export const positionTypes = [...goodsTypes, 'package'] as const

/** What an order may be asked to bring along. */
export const orderRelations = ['client', 'billing', 'delivery', 'items', 'documents', 'user'] as const
export type OrderRelation = (typeof orderRelations)[number]

/** What an address is for. */
export const addressTypes = ['invoice', 'shipping', 'geolocation'] as const

/** How a person is addressed. */
export const genders = ['m', 'f', 'd', 'fam'] as const

/** What kind of customer a client is. */
export const clientTypes = [
  'private',
  'gastronomy',
  'wholesale',
  'specializedtrade',
  'foodretailing',
  'reseller',
  'export',
  'online',
  'other',
] as const

/** What a package is chosen by. */
export const packageTypes = ['bottles'] as const
