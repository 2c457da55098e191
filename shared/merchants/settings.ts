import type { Language } from '../contract/labels/labels.ts'
import type { ShownMerchant } from '../contract/records/merchant.ts'
import type { Seller } from '../contract/records/order.ts'
import type { PaymentType } from '../contract/vocabulary.ts'
import { readThrough } from '../platform/cache.ts'
import type { Merchant } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { getItem } from '../platform/table/table.ts'

/** A merchant with its settings. */
export const readMerchant = async (merchant: MerchantId): Promise<Merchant> => {
  const found = await getItem(key('merchant', { merchant }))
  if (!found) throw new Error(`there is no merchant ${merchant}, though records of it are`)
  return found
}

const germanSpeaking: ReadonlySet<string> = new Set(['de', 'at', 'ch', 'li'])

const languages = readThrough<MerchantId, Language>({ max: 1000, trustedFor: 60_000 })

/** German for German-speaking countries, English for others. */
export const languageFor = (countrycode: string): Language => (germanSpeaking.has(countrycode) ? 'de' : 'en')

/** The language of a merchant, by its country; as it was within the last minute. */
export const languageOf = (merchant: MerchantId): Promise<Language> =>
  languages(merchant, async () => languageFor((await readMerchant(merchant)).countrycode ?? 'de'))

type WithZones = { getTimeZones?: () => string[]; timeZones?: string[] }

// Of the countries whose first zone by the alphabet is not that of most people, and of those that most orders come from.
const mainZones: Readonly<Record<string, string>> = {
  ...{ de: 'Europe/Berlin', at: 'Europe/Vienna', ch: 'Europe/Zurich' },
  ...{ ar: 'America/Argentina/Buenos_Aires', au: 'Australia/Sydney', br: 'America/Sao_Paulo', ca: 'America/Toronto' },
  ...{ cl: 'America/Santiago', cy: 'Asia/Nicosia', es: 'Europe/Madrid', gl: 'America/Nuuk', ki: 'Pacific/Tarawa' },
  ...{ mh: 'Pacific/Majuro', mn: 'Asia/Ulaanbaatar', mx: 'America/Mexico_City', pf: 'Pacific/Tahiti' },
  ...{ pg: 'Pacific/Port_Moresby', pt: 'Europe/Lisbon', ru: 'Europe/Moscow', us: 'America/New_York' },
  ...{ fm: 'Pacific/Chuuk', uz: 'Asia/Tashkent', xk: 'Europe/Belgrade' },
}

const firstZone = (country: string): string | undefined => {
  // Node 22 and 24 have one or both of these, which the types of TypeScript do not.
  const locale: Intl.Locale & WithZones = new Intl.Locale(`und-${country.toUpperCase()}`)
  return (locale.getTimeZones?.() ?? locale.timeZones)?.[0]
}

/** The time zone of a merchant's days: the one that it has set, else that of its country. */
export const timeZoneOf = ({ timezone, countrycode }: Pick<Merchant, 'timezone' | 'countrycode'>): string => {
  if (timezone) return timezone
  const country = (countrycode ?? 'de').toLowerCase()
  return mainZones[country] ?? firstZone(country) ?? 'Europe/Berlin'
}

const contactOf = ({
  address = null,
  zip = null,
  city = null,
  countrycode = null,
  phone = null,
}: Partial<Merchant>) => ({
  ...{ address, zip, city, countrycode, phone },
})

/** A merchant as its shop's pages and mails show it. */
export const shownMerchant = ({ id, name, ...own }: Merchant): ShownMerchant => {
  const { mail = null, bankname = null } = own
  return {
    id,
    type: 'winery',
    company: own.company ?? name,
    name,
    ...contactOf(own),
    mail,
    email: mail,
    www: own.www ?? null,
    taxid: own.taxid ?? null,
    vatid: own.vatid ?? null,
    tax_free: own.tax_free ?? 0,
    tax_free_reason: own.tax_free_reason ?? null,
    contact_person: own.contact_person ?? null,
    creditor_id: own.creditor_id ?? null,
    register_number: own.register_number ?? null,
    legal_note: own.legal_note ?? null,
    organic_code: own.organic_code ?? null,
    image: own.image ?? null,
    settings: {
      bank: { iban: own.iban ?? null, bic: own.bic ?? null, bankname, bank: bankname, owner: own.bank_owner ?? null },
      freightfreelimit: own.freight_free_from,
      payment_types: own.payment_types,
      default_payment_type: own.default_payment_type,
      redirect_hosts: own.redirect_hosts,
      ships_to: own.ships_to ?? [],
      timezone: timeZoneOf(own),
    },
  }
}

/** A merchant of today, as new invoices keep it. */
export type PresentSeller = Seller & { timezone: string }

const laterFields = ['creditor_id', 'register_number', 'legal_note', 'organic_code'] as const

/** The fields that not every merchant has, nor invoices from before they existed. */
const setFields = (own: Partial<Merchant>): Pick<Seller, (typeof laterFields)[number]> =>
  Object.fromEntries(laterFields.flatMap(name => (own[name] ? [[name, own[name]]] : [])))

/** A merchant as its invoices keep it. */
export const sellerOf = ({ name, bank_owner, iban, bic, bankname, ...own }: Merchant): PresentSeller => ({
  name,
  company: own.company ?? null,
  ...contactOf(own),
  mail: own.mail ?? null,
  www: own.www ?? null,
  contact_person: own.contact_person ?? null,
  taxid: own.taxid ?? null,
  vatid: own.vatid ?? null,
  tax_free_reason: own.tax_free_reason ?? null,
  timezone: timeZoneOf(own),
  ...setFields(own),
  bank: { owner: bank_owner ?? null, iban: iban ?? null, bic: bic ?? null, name: bankname ?? null },
})

/** The payment types that a merchant has switched on. */
export const paymentTypesOf = async (merchant: MerchantId): Promise<PaymentType[]> =>
  (await readMerchant(merchant)).payment_types
