import type { Address } from '../../contract/records/address.ts'
import type { Client } from '../../contract/records/client.ts'
import { isIban } from '../../contract/records/merchant.ts'
import { pick } from '../../contract/schema/fields.ts'
import type { OrderRecord } from '../../orders/record.ts'
import { vatNumber } from './tax.ts'

/** A buyer, or the recipient of the goods. */
export type Party = {
  /** The company, else the person; where neither is known, another word for it, and `isNamed` is false. */
  name: string
  isNamed: boolean
  /** The person in a company. */
  person: string | null
  department: string | null
  address: string | null
  supplement: string | null
  zip: string | null
  city: string | null
  countrycode: string
  mail: string | null
}

/** The billed party, with what its client's record has for invoices. */
export type Buyer = Party & Record<'vatid' | 'reference' | 'iban' | 'mandate', string | null>

const isClient = (party: Client | Address): party is Client => 'number' in party

type NamedParty = Pick<Client, 'company' | 'title' | 'first_name' | 'last_name' | 'address_supplement' | 'mail'> & {
  [Name in 'name' | 'department' | 'address' | 'zip' | 'city' | 'countrycode']: string | null
}

/** A record's name and address; the seller's country where it has none. */
export const partyOf = (party: Client | Address | null, country: string): Party => {
  const record: Partial<NamedParty> = party ?? {}
  const person = record.name ?? ([record.title, record.first_name, record.last_name].filter(Boolean).join(' ') || null)
  return {
    name: record.company ?? person ?? record.mail ?? record.address ?? '–',
    isNamed: Boolean(record.company ?? person),
    person: record.company ? person : null,
    department: record.department ?? null,
    address: record.address ?? null,
    supplement: record.address_supplement ?? null,
    zip: record.zip ?? null,
    city: record.city ?? null,
    countrycode: (record.countrycode ?? country).toLowerCase(),
    mail: record.mail ?? null,
  }
}

const postal = [
  ...(['company', 'title', 'first_name', 'last_name', 'address', 'address_supplement', 'zip', 'city'] as const),
  'countrycode',
] as const

/** A record of an order; a client that had no whole address then, with the name and address that it has today. */
export const completed = (party: Client | Address | null, today: Client | undefined): Client | Address | null => {
  if (!party || !today || !isClient(party) || party.id !== today.id) return party
  const { isNamed, address, zip, city } = partyOf(party, '')
  return isNamed && address && zip && city ? party : { ...party, ...pick(today, postal) }
}

const ibanOf = (client: Client | null): string | null => {
  const iban = client?.iban?.replaceAll(' ', '').toUpperCase() ?? ''
  return isIban(iban) ? iban : null
}

/** The buyer of an order. */
export const buyerOf = ({ billing, client }: OrderRecord, country: string, today?: Client): Buyer => {
  const billed = billing && isClient(billing) ? billing : client
  return {
    ...partyOf(completed(billing, today), country),
    // Older records have a VAT number as tax number.
    vatid: vatNumber(billed?.vatid) ?? vatNumber(billed?.taxid),
    reference: billed?.buyer_reference ?? null,
    iban: ibanOf(billed),
    mandate: billed?.unique_mandate_reference ?? null,
  }
}
