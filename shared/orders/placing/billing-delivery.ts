import { newAddress, putAddress } from '../../clients/addresses.ts'
import { type MailOwner, newClient, storeClient } from '../../clients/store.ts'
import { Problem, validationProblem } from '../../contract/errors.ts'
import type { InlineAddress, NewOrder } from '../../contract/orders.ts'
import { type Address, isNamed } from '../../contract/records/address.ts'
import { type Client, completeClient } from '../../contract/records/client.ts'
import { type Key, key, type MerchantId } from '../../platform/table/keys.ts'
import type { Action } from '../../platform/table/transact.ts'
import type { OrderOwner } from '../store.ts'

/** Whom an order names, on one of its sides. */
export type Party = { type: 'client'; id: number; record: Client } | { type: 'address'; id: number; record: Address }

/** A party that the order refers to by its id. */
export type PartyReference = { type: 'client' | 'address'; id: number }

/** An order as the client who is signed in places it: that client's. Throws reference_not_found where it names another. */
export const ownOrder = (data: NewOrder, own: OrderOwner): NewOrder => {
  if (!own) return data
  if (data.client_id && data.client_id !== own.id) throw missingParty('data.client_id', 'client')
  return { ...data, client_id: own.id }
}

/** Refuses an order that is billed to one client and names another: it would not be known at whose terms. */
export const checkClient = ({ billing_type, billing_id, client_id }: NewOrder): void => {
  if (billing_type === 'address' || !billing_id || !client_id || billing_id === client_id) return
  throw new Problem('identifier_conflict', {
    details: 'data.billing_id and data.client_id name different clients',
    fields: [{ path: 'data.client_id', rule: 'identifier_conflict', expected: 'the client of data.billing_id' }],
  })
}

/** The record an order's bill goes to, when the order names one that exists. */
export const billingReference = ({ billing_type, billing_id }: NewOrder): PartyReference | null =>
  billing_id ? { type: billing_type ?? 'client', id: billing_id } : null

/** The record an order's goods go to, when the order names one that exists. */
export const deliveryReference = (data: NewOrder): PartyReference | null => {
  const { delivery_type, delivery_id, delivery, billing_id } = data
  if (delivery_type === 'none' || (delivery && !delivery_id)) return null
  if (delivery_id) return { type: delivery_type ?? 'client', id: delivery_id }
  // Without a word of its own, the delivery goes where the bill goes.
  if (delivery_type && billing_id) return { type: delivery_type, id: billing_id }
  return billingReference(data)
}

/** The keys of a party's record: of its client or of its address. */
export const partyKeys = (merchant: MerchantId, reference: PartyReference | null) => {
  const ids = (type: PartyReference['type']) => (reference?.type === type ? [reference.id] : [])
  return {
    clients: ids('client').map((id): Key<Client> => key('client', { merchant, id })),
    addresses: ids('address').map((id): Key<Address> => key('address', { merchant, id })),
  }
}

/** Refuses a reference to a record that is not there. */
export const missingParty = (path: string, type: PartyReference['type']): Problem => {
  const expected = `the id of ${type === 'client' ? 'a client' : 'an address'}`
  return new Problem('reference_not_found', {
    details: `${path} names no ${type}`,
    fields: [{ path, rule: 'reference', expected }],
  })
}

/** What a record says of whoever is named by one typed name. */
const namesOf = ({ first_name, last_name, ...more }: Client | Address): unknown[] =>
  'name' in more ? [more.name] : [last_name, [first_name, last_name].filter(Boolean).join(' ')]

/**
 * Refuses an address that is typed beside the id of a record, unless both say the same: one of them would be dropped
 * without a word. Throws identifier_conflict.
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
  throw new Problem('identifier_conflict', {
    details: `data.${side} and data.${side}_id name different people or places`,
    fields: [{ path: `data.${side}.${other[0]}`, rule: 'identifier_conflict', expected: `as data.${side}_id has it` }],
  })
}

/**
 * The mail of a buyer whom the order names by nothing else: it tells whether that is somebody new. Null where the order
 * names a record, or where the bill goes to an address of nobody.
 */
export const guestMail = ({ billing, billing_id, billing_type, client_id }: NewOrder): string | null =>
  billing_id || client_id || billing_type === 'address' ? null : (billing?.mail ?? null)

/** What is known when addresses become records: the merchant's country, and whose the mail of a guest is. */
export type PartyContext = { country: string; owner: Pick<MailOwner, 'pointer' | 'client'> }

/**
 * The records that an order brings along: a client, who still lacks its number, with the client that had its mail before;
 * and addresses.
 */
export type NewParties = { client: { record: Client; former: { id: number } | null } | null; addresses: Address[] }

/** What stores the records that an order brings along. */
export const partyActions = (merchant: MerchantId, { client, addresses }: NewParties): Action[] => [
  ...(client ? storeClient(merchant, client.record, client.former) : []),
  ...addresses.map(record => putAddress(merchant, `new ${record.type} address`, record)),
]

/** A party that an order brings along. */
type InlineParty = { party: Party; brought: Partial<NewParties>; guest: Client | null }

type LocatedAddress = Omit<InlineAddress, 'countrycode'> & { countrycode: string }

const located = (typed: InlineAddress, { country }: PartyContext): LocatedAddress => ({
  ...typed,
  countrycode: typed.countrycode ?? country,
})

/** What a typed address says of a client. */
const clientData = ({ name, ...inline }: LocatedAddress): Partial<Client> => ({
  ...inline,
  last_name: inline.last_name ?? name,
})

const inlineClient = (
  merchant: MerchantId,
  inline: LocatedAddress,
  { owner: { pointer } }: PartyContext,
): InlineParty => {
  const record = newClient(merchant, clientData(inline))
  const client = { record, former: pointer ? { id: pointer.id } : null }
  return { party: { type: 'client', id: record.id, record }, brought: { client }, guest: null }
}

const inlineAddress = (
  merchant: MerchantId,
  userId: number,
  inline: LocatedAddress,
  kind: { type: 'invoice' | 'shipping'; client_id: number | null },
): InlineParty => {
  const record = newAddress(merchant, userId, { ...inline, ...kind })
  return { party: { type: 'address', id: record.id, record }, brought: { addresses: [record] }, guest: null }
}

/**
 * A guest whose mail a client has: another address of that client. A typed mail proves nothing, so the order shows what
 * was typed and nothing of the client but its number; where the client itself only says that the mail is its own, the
 * order is nobody's.
 */
const knownGuest = (
  merchant: MerchantId,
  userId: number,
  inline: LocatedAddress,
  { id, number }: Client,
  isClaimed: boolean,
): InlineParty => {
  const address = inlineAddress(merchant, userId, inline, { type: 'invoice', client_id: isClaimed ? null : id })
  const guest = completeClient({ ...clientData(inline), id, number, customers_id: merchant })
  return { ...address, guest: isClaimed ? null : guest }
}

const inlineBilling = (
  merchant: MerchantId,
  userId: number,
  { billing, billing_type, client_id }: NewOrder,
  context: PartyContext,
): InlineParty => {
  // The schema of the request demands it where no record is named.
  if (!billing) throw new Error('an order without billing passed its schema')
  const inline = located(billing, context)
  const { pointer, client } = context.owner
  // A known client, or the word `address`, means another address; nothing means a new client.
  if (client_id || billing_type === 'address')
    return inlineAddress(merchant, userId, inline, { type: 'invoice', client_id: client_id ?? null })
  if (client) return knownGuest(merchant, userId, inline, client, pointer?.claimed === true)
  return inlineClient(merchant, inline, context)
}

/** A delivery address without names, as the interface has it, is of whoever is billed. Throws validation_failed. */
const named = (delivery: InlineAddress, { record }: Party): InlineAddress => {
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
 * The records that inline addresses of an order become; `billed` is the record that the order names for its bill. `guest`
 * is the client whose mail a guest has typed, as the order shows it.
 */
export const inlineParties = (
  merchant: MerchantId,
  userId: number,
  data: NewOrder,
  billed: Party | null,
  context: PartyContext,
) => {
  const made: InlineParty = billed
    ? { party: billed, brought: {}, guest: null }
    : inlineBilling(merchant, userId, data, context)
  const { party: billing, guest } = made
  const client_id = billing.type === 'client' ? billing.id : (data.client_id ?? guest?.id ?? null)
  const isDelivered = !data.delivery_id && data.delivery_type !== 'none'
  const delivery =
    data.delivery && isDelivered
      ? inlineAddress(merchant, userId, located(named(data.delivery, billing), context), {
          type: 'shipping',
          client_id,
        })
      : null
  const newParties: NewParties = {
    client: made.brought.client ?? null,
    addresses: [made, delivery].flatMap(one => one?.brought.addresses ?? []),
  }
  return { billing, delivery: delivery?.party ?? null, guest, newParties }
}
