import { newAddress, putAddress } from '../../clients/addresses.ts'
import { type MailOwner, newClient, storeClient } from '../../clients/store.ts'
import { fieldsProblem, type Problem, validationProblem } from '../../contract/errors.ts'
import { type Address, isNamed } from '../../contract/records/address.ts'
import { type Client, completeClient } from '../../contract/records/client.ts'
import type { InlineAddress, NewOrder } from '../../contract/routes/orders.ts'
import type { Merchant } from '../../platform/table/items.ts'
import { type Key, key, type MerchantId } from '../../platform/table/keys.ts'
import type { Action } from '../../platform/table/transact.ts'
import type { OrderOwner } from '../store.ts'

/** The billing or delivery party of an order. */
export type Party = { type: 'client'; id: number; record: Client } | { type: 'address'; id: number; record: Address }

/** A party that the order refers to by its id. */
export type PartyReference = { type: 'client' | 'address'; id: number }

/** The order of a signed-in client as that client's own. Throws reference_not_found if it names another. */
export const ownOrder = (data: NewOrder, own: OrderOwner): NewOrder => {
  if (!own) return data
  if (data.client_id && data.client_id !== own.id) throw missingParty('data.client_id', 'client')
  return { ...data, client_id: own.id }
}

/** Throws identifier_conflict for an order that is billed to a client and names another: their terms may differ. */
export const checkOneClient = ({ billing_type, billing_id, client_id }: NewOrder): void => {
  if (billing_type === 'address' || !billing_id || !client_id || billing_id === client_id) return
  throw fieldsProblem('identifier_conflict', [
    { path: 'data.client_id', rule: 'identifier_conflict', expected: 'the client of data.billing_id' },
  ])
}

/** The billing party, if the order names it by id. */
export const billingReference = ({ billing_type, billing_id }: NewOrder): PartyReference | null =>
  billing_id ? { type: billing_type ?? 'client', id: billing_id } : null

/** The delivery party, if the order names it by id. */
export const deliveryReference = (data: NewOrder): PartyReference | null => {
  const { delivery_type, delivery_id, delivery, billing_id } = data
  if (delivery_type === 'none' || (delivery && !delivery_id)) return null
  if (delivery_id) return { type: delivery_type ?? 'client', id: delivery_id }
  // The default is the billing party.
  if (delivery_type && billing_id) return { type: delivery_type, id: billing_id }
  return billingReference(data)
}

export const partyKeys = (merchant: MerchantId, reference: PartyReference | null) => {
  const ids = (type: PartyReference['type']) => (reference?.type === type ? [reference.id] : [])
  return {
    clients: ids('client').map((id): Key<Client> => key('client', { merchant, id })),
    addresses: ids('address').map((id): Key<Address> => key('address', { merchant, id })),
  }
}

/** The refusal of a reference to a missing record. */
export const missingParty = (path: string, type: PartyReference['type']): Problem => {
  const expected = `the id of ${type === 'client' ? 'a client' : 'an address'} of this merchant`
  return fieldsProblem('reference_not_found', [{ path, rule: 'reference', expected }])
}

/** The field of a request that determines the country of delivery. */
const countryPath = ({ delivery, delivery_id, billing_id }: NewOrder): string => {
  if (delivery_id) return 'data.delivery_id'
  if (delivery) return 'data.delivery.countrycode'
  return billing_id ? 'data.billing_id' : 'data.billing.countrycode'
}

/** Throws country_not_served for goods that are sent to a country that the merchant does not ship to. */
export const checkCountry = (
  data: NewOrder,
  delivery: Party | null,
  { ships_to = [], countrycode }: Pick<Merchant, 'ships_to' | 'countrycode'>,
): void => {
  if (!delivery || ships_to.length === 0) return
  // A record without a country is in the merchant's own.
  if (ships_to.includes(delivery.record.countrycode ?? countrycode ?? 'de')) return
  throw fieldsProblem('country_not_served', [
    { path: countryPath(data), rule: 'country_not_served', expected: `in one of ${ships_to.join(', ')}` },
  ])
}

/** The values of a record that a single typed `name` may equal. */
const namesOf = ({ first_name, last_name, ...more }: Client | Address): unknown[] =>
  'name' in more ? [more.name] : [last_name, [first_name, last_name].filter(Boolean).join(' ')]

/**
 * Throws identifier_conflict if an address is typed next to the id of a record and differs from it: either would be
 * silently dropped.
 */
export const checkTyped = (
  side: 'billing' | 'delivery',
  typed: Partial<InlineAddress> | null | undefined,
  { record }: Party,
): void => {
  const known: Readonly<Record<string, unknown>> = { ...record }
  const isSame = ([name, value]: [string, unknown]) =>
    name === 'name' ? namesOf(record).includes(value) : known[name] === value
  const other = Object.entries(typed ?? {}).find(entry => entry[1] !== null && !isSame(entry))
  if (!other) return
  const expected = `the same as in the record of data.${side}_id`
  throw fieldsProblem('identifier_conflict', [
    { path: `data.${side}.${other[0]}`, rule: 'identifier_conflict', expected },
  ])
}

/**
 * The mail address of a guest, who may be a client already. Null if the order names a record, or is billed to an address
 * without a client.
 */
export const guestMail = ({ billing, billing_id, billing_type, client_id }: NewOrder): string | null =>
  billing_id || client_id || billing_type === 'address' ? null : (billing?.mail ?? null)

/** The context in which typed addresses become records; `owner` is the owner of the guest's mail. */
export type PartyContext = {
  merchant: MerchantId
  userId: number
  country: string
  owner: Pick<MailOwner, 'pointer' | 'client'>
}

/**
 * The records that are created with an order: a client without its number yet, with the client that had its mail before;
 * and addresses.
 */
export type NewParties = { client: { record: Client; former: { id: number } | null } | null; addresses: Address[] }

export const partyActions = (merchant: MerchantId, { client, addresses }: NewParties): Action[] => [
  ...(client ? storeClient(merchant, client.record, client.former) : []),
  ...addresses.map(record => putAddress(merchant, `new ${record.type} address`, record)),
]

type LocatedAddress = Omit<InlineAddress, 'countrycode'> & { countrycode: string }

const withCountry = (typed: InlineAddress, { country }: PartyContext): LocatedAddress => ({
  ...typed,
  countrycode: typed.countrycode ?? country,
})

const clientData = ({ name, ...inline }: LocatedAddress): Partial<Client> => ({
  ...inline,
  last_name: inline.last_name ?? name,
})

type AddressParty = Extract<Party, { type: 'address' }>

const inlineAddress = (
  inline: LocatedAddress,
  kind: { type: 'invoice' | 'shipping'; client_id: number | null },
  { merchant, userId }: PartyContext,
): AddressParty => {
  const record = newAddress(merchant, userId, { ...inline, ...kind })
  return { type: 'address', id: record.id, record }
}

type Billing = { party: Party; created: Partial<NewParties>; guest: Client | null }

const inlineBilling = ({ billing, billing_type, client_id }: NewOrder, context: PartyContext): Billing => {
  // The schema of the request requires it where no record is named.
  // Stryker disable next-line ConditionalExpression: The schema demands it where no record is named; the types do not
  // know.
  if (!billing) throw new Error('an order without billing passed its schema')
  const { merchant, owner } = context
  const inline = withCountry(billing, context)
  const asAddress = (owner: number | null, guest: Client | null): Billing => {
    const party = inlineAddress(inline, { type: 'invoice', client_id: owner }, context)
    return { party, created: { addresses: [party.record] }, guest }
  }
  // A named client, or the word `address`, means a further address.
  if (client_id || billing_type === 'address') return asAddress(client_id ?? null, null)
  if (owner.client) {
    // A guest whose mail a client has: a typed mail proves nothing, so the order shows the typed data, and of the client
    // only its number. If the client has only claimed the mail, the order belongs to no client.
    if (owner.pointer?.claimed === true) return asAddress(null, null)
    const { id, number } = owner.client
    return asAddress(id, completeClient({ ...clientData(inline), id, number, customers_id: merchant }))
  }
  const record = newClient(merchant, clientData(inline))
  const former = owner.pointer ? { id: owner.pointer.id } : null
  return { party: { type: 'client', id: record.id, record }, created: { client: { record, former } }, guest: null }
}

/** Gives a delivery address without names those of the billing party. Throws validation_failed if that has none. */
const withName = (delivery: InlineAddress, { record }: Party): InlineAddress => {
  if (isNamed(delivery)) return delivery
  const person = {
    ...delivery,
    title: delivery.title ?? record.title,
    name: 'name' in record ? record.name : null,
    first_name: delivery.first_name ?? record.first_name,
    last_name: record.last_name,
  }
  const whole = isNamed(person) ? person : { ...person, company: record.company }
  if (isNamed(whole)) return whole
  throw validationProblem([{ path: 'data.delivery', rule: 'named', expected: 'given a name, last_name or company' }])
}

/**
 * Makes records of an order's typed addresses; `billed` is the billing party that the order names by id. `guest` is the
 * client with the guest's mail, as the order shows it.
 */
export const inlineParties = (data: NewOrder, billed: Party | null, context: PartyContext) => {
  const {
    party: billing,
    created,
    guest,
  }: Billing = billed ? { party: billed, created: {}, guest: null } : inlineBilling(data, context)
  const client_id = billing.type === 'client' ? billing.id : (data.client_id ?? guest?.id ?? null)
  const isDelivered = !data.delivery_id && data.delivery_type !== 'none'
  const delivery =
    data.delivery && isDelivered
      ? inlineAddress(withCountry(withName(data.delivery, billing), context), { type: 'shipping', client_id }, context)
      : null
  const newParties: NewParties = {
    client: created.client ?? null,
    addresses: [...(created.addresses ?? []), ...(delivery ? [delivery.record] : [])],
  }
  return { billing, delivery, guest, newParties }
}
