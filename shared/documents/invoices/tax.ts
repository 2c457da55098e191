import type { Client } from '../../contract/records/client.ts'
import type { Seller } from '../../contract/records/order.ts'
import { memberStates } from '../../contract/vocabulary.ts'

/**
 * Why an order is without tax: the category of EN 16931 (`E` exempt, `G` export, `K` to a business in another member state),
 * the code of the reason where it has a code, and the reason in words, null if neither client nor merchant states it.
 */
export type TaxFree = { category: 'E' | 'G' | 'K'; code: string | null; reason: string | null }

type Sides = {
  client: Client | null
  seller: Seller
  buyer: { vatid: string | null }
  delivery: { countrycode: string; zip: string | null } | null
  /** Client and seller as they are now: their reason counts where the invoice's have none. */
  today: { client?: Client | null | undefined; seller: Seller }
}

/** A VAT number without blanks and signs; null for a text that does not begin with the letters of a country. */
export const vatNumber = (text: string | null | undefined): string | null =>
  /^[A-Z]{2}[0-9A-Z+*]{2,13}$/.exec(text?.replace(/[\s.-]/g, '').toUpperCase() ?? '')?.[0] ?? null

// Greece writes its VAT numbers with EL.
const countryOf = (vatid: string): string => vatid.slice(0, 2).toLowerCase().replace('el', 'gr')

/**
 * The country that goods go to, for the tax: goods to Northern Ireland (postal codes BT) are taxed as in the Union, whose VAT
 * numbers begin with XI there.
 */
const taxCountry = ({ delivery, buyer }: Pick<Sides, 'delivery' | 'buyer'>): string | undefined => {
  if (delivery?.countrycode !== 'gb') return delivery?.countrycode
  const isNorthern = delivery.zip ? /^BT/i.test(delivery.zip.trim()) : buyer.vatid?.startsWith('XI')
  return isNorthern ? 'xi' : 'gb'
}

const isMember = (country: string): boolean => country === 'xi' || memberStates.has(country)

const categoryOf = ({ client, seller, buyer, delivery }: Sides): TaxFree['category'] => {
  const from = (seller.countrycode ?? 'de').toLowerCase()
  const to = taxCountry({ delivery, buyer })
  // A merchant that taxes nobody is exempt wherever the goods go; both of the others require its VAT number.
  if (!client?.tax_free || !vatNumber(seller.vatid) || !to || to === from) return 'E'
  if (!isMember(to)) return 'G'
  const other = buyer.vatid && countryOf(buyer.vatid)
  return other && other !== from && isMember(other) ? 'K' : 'E'
}

const codes = { E: null, G: 'VATEX-EU-G', K: 'VATEX-EU-IC' } as const

/** The reason for an order without tax: the client's if the client is free of tax, else the merchant's. */
export const taxFreeOf = (sides: Sides): TaxFree => {
  const category = categoryOf(sides)
  const reasonOf = ({ client, seller }: Sides['today']) =>
    (sides.client?.tax_free ? client?.tax_free_reason : null) ?? seller.tax_free_reason ?? null
  return { category, code: codes[category], reason: reasonOf(sides) ?? reasonOf(sides.today) }
}
