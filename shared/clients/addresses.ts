import { fieldsProblem, Problem, validationProblem } from '../contract/errors.ts'
import { type Address, namingFields } from '../contract/records/address.ts'
import type { Client } from '../contract/records/client.ts'
import type { AddressChange, NewAddress } from '../contract/routes/addresses.ts'
import { BoundedRecords, offsetOf, type Page, pageIn } from '../contract/schema/lists.ts'
import { withReservation } from '../merchants/reservations.ts'
import { absent, type Change, type Clause, equals, present } from '../platform/table/expressions.ts'
import { ConditionFailed, retry, TransactionRefused } from '../platform/table/failures.ts'
import { indexKey, indexKeyPrefix, key, type MerchantId, partition } from '../platform/table/keys.ts'
import { deleteItem, getItem, putItem, queryPages, updateItem } from '../platform/table/table.ts'
import { type Action, check, put, transact, update } from '../platform/table/transact.ts'
import { timeOrderedId, timestamp } from '../values/time.ts'

/** The signed-in client, if any; it has access to its own addresses only. */
type Own = Pick<Client, 'id'> | undefined

const notFound = () => new Problem('address_not_found')

const clientMissing = () =>
  fieldsProblem('reference_not_found', [
    { path: 'data.client_id', rule: 'reference', expected: 'the id of a client of this merchant' },
  ])

const unset = {
  client_id: null,
  name: null,
  first_name: null,
  last_name: null,
  company: null,
  gender: null,
  title: null,
  address_supplement: null,
  phone: null,
  mail: null,
}

const clientCheck = (merchant: MerchantId, id: number): Action =>
  check('client', key('client', { merchant, id }), [present])

// Another request's transaction may contain the same client.
const transactAgain = (actions: readonly Action[]): Promise<void> =>
  retry(
    () => transact(actions),
    error => error.contended,
  )

const clientIndexKey = (client: number | null | undefined, id: number): string | undefined =>
  client ? indexKey('address', { client, id }) : undefined

const isOwn = ({ client_id }: Pick<Address, 'client_id'>, own: Own): boolean => !own || client_id === own.id

const onlyOwn = (own: Own): Clause<Address>[] => (own ? [equals('client_id', own.id)] : [])

/** A signed-in client cannot assign an address to another client. */
const checkOwner = (client_id: number | null | undefined, own: Own): void => {
  if (client_id !== undefined && !isOwn({ client_id }, own)) throw clientMissing()
}

export const newAddress = (merchant: MerchantId, cruser_id: number, data: NewAddress): Address => {
  const now = timestamp(Date.now())
  return {
    ...unset,
    ...data,
    id: timeOrderedId(),
    customers_id: merchant,
    cruser_id,
    crstamp: now,
    chstamp: now,
    version: 1,
  }
}

export const putAddress = (merchant: MerchantId, name: string, address: Address): Action =>
  put(name, key('address', { merchant, id: address.id }), address, {
    when: [absent],
    index: clientIndexKey(address.client_id, address.id),
  })

/** Returns false when another process has drawn the address's id. */
const store = async (merchant: MerchantId, address: Address): Promise<boolean> => {
  const { id, client_id } = address
  try {
    if (client_id) await transactAgain([putAddress(merchant, 'address', address), clientCheck(merchant, client_id)])
    else await putItem(key('address', { merchant, id }), address, { when: [absent] })
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    if (!(error instanceof TransactionRefused)) throw error
    if (error.hasFailed('client')) throw clientMissing()
    if (error.hasFailed('address')) return false
    throw error
  }
}

/**
 * Stores an address; an address from a signed-in client belongs to that client. Throws quota_exceeded, or
 * reference_not_found if its client does not exist.
 */
export const addAddress = async (
  merchant: MerchantId,
  cruser_id: number,
  data: NewAddress,
  own?: Own,
): Promise<Address> => {
  checkOwner(data.client_id ?? undefined, own)
  const owned = own ? { ...data, client_id: own.id } : data
  return withReservation(merchant, { addresses: 1 }, async () => {
    for (;;) {
      const address = newAddress(merchant, cruser_id, owned)
      if (await store(merchant, address)) return address
    }
  })
}

/** Reads an address. Throws address_not_found. */
export const getAddress = async (merchant: MerchantId, id: number, own?: Own): Promise<Address> => {
  const address = await getItem(key('address', { merchant, id }))
  if (!address || !isOwn(address, own)) throw notFound()
  return address
}

/** Deletes an address and returns it as it was. Throws address_not_found. */
export const deleteAddress = async (merchant: MerchantId, id: number, own?: Own): Promise<Address> => {
  const address = await deleteItem(key('address', { merchant, id }), onlyOwn(own)).catch(error => {
    throw error instanceof ConditionFailed ? notFound() : error
  })
  if (!address) throw notFound()
  return address
}

const changeOf = (id: number, { version, ...fields }: AddressChange): Change<Address> => {
  const index = fields.client_id === null ? null : clientIndexKey(fields.client_id, id)
  return {
    set: { ...fields, chstamp: timestamp(Date.now()) },
    add: { version: 1 },
    ...(index !== undefined && { index }),
  }
}

// The address must keep one of its names; only the table knows which of them remain.
const stillNamed = (data: AddressChange): Clause<Address>[] => {
  if (namingFields.some(field => data[field]) || namingFields.every(field => data[field] === undefined)) return []
  const unchanged = namingFields.filter(field => data[field] === undefined)
  return [{ anyOf: unchanged.map(attribute => ({ attribute, is: 'text' })) }]
}

const refusedEdit = (data: AddressChange, present: Address | undefined, own: Own): Problem => {
  if (!present || !isOwn(present, own)) return notFound()
  if (data.version !== undefined && present.version !== data.version) return new Problem('version_conflict')
  return unnamedProblem()
}

const unnamedProblem = (): Problem =>
  validationProblem([{ path: 'data', rule: 'named', expected: 'given a name, last_name or company' }])

/**
 * Changes the given fields of an address and returns it. Throws address_not_found, version_conflict,
 * reference_not_found, or validation_failed when no name would be left.
 */
export const editAddress = async (
  merchant: MerchantId,
  id: number,
  data: AddressChange,
  own?: Own,
): Promise<Address> => {
  const { version, ...fields } = data
  checkOwner(data.client_id, own)
  if (Object.keys(fields).length === 0) throw new Problem('nothing_to_change')
  if (namingFields.every(field => data[field] === null)) throw unnamedProblem()
  const place = key('address', { merchant, id })
  const sameVersion = version === undefined ? [] : [equals('version', version)]
  const when = [present, ...onlyOwn(own), ...sameVersion, ...stillNamed(data)]
  if (!data.client_id) {
    return updateItem(place, changeOf(id, data), when).catch(error => {
      throw error instanceof ConditionFailed ? refusedEdit(data, error.present(place), own) : error
    })
  }
  const actions = [update('address', place, changeOf(id, data), when), clientCheck(merchant, data.client_id)]
  await transactAgain(actions).catch(async error => {
    if (!(error instanceof TransactionRefused)) throw error
    if (error.hasFailed('address')) throw refusedEdit(data, await getItem(place), own)
    throw error.hasFailed('client') ? clientMissing() : error
  })
  return getAddress(merchant, id)
}

type AddressFilter = {
  client_id?: number | null
  type?: string | null
  page?: number | null
  pageSize?: number | null
  start?: number | null
}

async function* addressesOf(merchant: MerchantId, { client_id, type }: AddressFilter): AsyncGenerator<Address> {
  const pk = partition('address', { merchant })
  const ofClient = client_id && { indexed: true, prefix: indexKeyPrefix('address', { client: client_id }) }
  for await (const entries of queryPages({ pk, ...ofClient })) {
    for (const { item } of entries) if (!type || item.type === type) yield item
  }
}

/** Undefined if the filter names another client than the client that is signed in. */
const narrowedToOwn = (filter: AddressFilter, own: Own): AddressFilter | undefined => {
  if (!own) return filter
  return isOwn({ client_id: filter.client_id ?? own.id }, own) ? { ...filter, client_id: own.id } : undefined
}

/**
 * Lists addresses by id: all of them unless the filter names a page or the list is too large for one response. Reads all
 * to count them.
 */
export const listAddresses = async (merchant: MerchantId, filter: AddressFilter, own?: Own): Promise<Page<Address>> => {
  const { page, pageSize, start } = filter
  const isWhole = !page && !pageSize
  const size = isWhole ? Number.MAX_SAFE_INTEGER : (pageSize ?? 16)
  const request = { page: page ?? 1, pageSize: size, start }
  const first = offsetOf(request)
  const bounded = new BoundedRecords<Address>()
  let count = 0
  const narrowed = narrowedToOwn(filter, own)
  for await (const address of narrowed ? addressesOf(merchant, narrowed) : []) {
    if (count >= first && count < first + size) bounded.add(address)
    count++
  }
  return pageIn({ ...request, pageSize: isWhole ? Math.max(1, count) : size }, count, bounded)
}
