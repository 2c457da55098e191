/** The keys of a table, in its order. */
export const wordsOf = <Word extends string>(table: Readonly<Record<Word, unknown>>): Word[] =>
  Object.keys(table) as Word[]

/** The statuses of an order, in their usual sequence. */
export const statuses = ['new', 'need_payment', 'payed', 'need_package', 'in_delivery', 'closed', 'cancelled'] as const
export type Status = (typeof statuses)[number]

export const paymentTypes = ['paypal', 'prepaid', 'invoice', 'cash', 'debit', 'card', 'bank'] as const
export type PaymentType = (typeof paymentTypes)[number]

/** The words of older shops for some of them. */
export const olderPaymentTypes = { bill: 'invoice', debiting: 'debit' } as const satisfies Record<string, PaymentType>

export const providerNames = ['sandbox', 'paypal'] as const

/** The provider of a merchant that has set none. */
export const defaultProvider = 'sandbox' satisfies ProviderName
export type ProviderName = (typeof providerNames)[number]

/** The roles of API tokens: a shop's server, or the merchant's own work, which may call all routes. */
export const roles = ['shop', 'desk'] as const
export type Role = (typeof roles)[number]

/** The column of an order's prices. */
export const invoiceTypes = ['net', 'gross'] as const

/** The kind of record that an order is billed to. */
export const billingTypes = ['client', 'address'] as const

/** The kind of record that an order is delivered to; `none` if the buyer collects the goods. */
export const deliveryTypes = ['client', 'address', 'none'] as const

export const goodsTypes = ['wine', 'product'] as const
export type GoodsType = (typeof goodsTypes)[number]

/** The largest stock that a request can make. */
export const maxPieces = 1_000_000

export const positionTypes = [...goodsTypes, 'package'] as const

/** How much of an order's invoice is credited. */
export const credited = ['none', 'part', 'whole'] as const

/** The ways in which the money of a credit goes back. */
export const refunds = ['provider', 'at_provider', 'by_hand', 'none'] as const
export type RefundWay = (typeof refunds)[number]

export const documentNames = ['invoice', 'delivery_note', 'credit_advice'] as const

/** The states of the money of a credit. */
export const refundStates = ['refund_due', 'refund_pending', 'refunded', 'review', 'by_hand', 'at_provider'] as const

/** The changes of money that a step of an order may cause. */
export const paymentSteps = ['received', 'refund_due', 'refunded', 'returned', 'by_hand', 'at_provider'] as const

/** The relations that a response may include with an order. */
export const orderRelations = ['client', 'billing', 'delivery', 'items', 'documents', 'user'] as const
export type OrderRelation = (typeof orderRelations)[number]

export const addressTypes = ['invoice', 'shipping', 'geolocation'] as const

/** The forms of address of a person. */
export const genders = ['m', 'f', 'd', 'fam'] as const

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

/** The unit that a package is chosen by. */
export const packageTypes = ['bottles'] as const

// ISO 3166-1 alpha-2 (https://www.iso.org/iso-3166-country-codes.html), and xk, which the EU and the postal services use
// for Kosovo.
const codes = `
  ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz
  ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr
  ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp
  ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt
  mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw
  sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz
  ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw`

const countries: ReadonlySet<string> = new Set(codes.trim().split(/\s+/))

/** True for the code of a country in lower case. */
export const isCountry = (code: string): boolean => countries.has(code)

/** The member states of the European Union. */
export const memberStates: ReadonlySet<string> = new Set(
  'at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk'.split(' '),
)

// The codes that the EU and much software use for two countries.
const others: ReadonlyMap<string, string> = new Map([
  ['uk', 'gb'],
  ['el', 'gr'],
])

/** A country's ISO code in lower case, also for other codes in use. */
export const countryOf = (code: string): string => {
  const lower = code.toLowerCase()
  return others.get(lower) ?? lower
}
