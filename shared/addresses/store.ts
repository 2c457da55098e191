import type { Address, AddressChange, NewAddress } from '../contract/addresses.ts'
import { Problem } from '../contract/errors.ts'
import { type Page, pageOf, wholeList } from '../contract/page.ts'
import { validationProblem } from '../contract/refusal.ts'
import { timeOrderedId } from '../ids.ts'
import { absent, type Change, type Clause, equals, present } from '../table/expressions.ts'
import { TransactionRefused } from '../table/failures.ts'
import { indexKey, type Key, key, type MerchantId, partition, sortable } from '../table/keys.ts'
import { ConditionFailed, deleteItem, getItem, putItem, query, updateItem } from '../table/table.ts'
import { type Action, retrying, transact } from '../table/transact.ts'
import { timestamp } from '../time.ts'

type Stored = Address & Key & { by?: string }

const addressOf = ({ pk, sk, by, ...address }: Stored): Address => address

const notFound = () => new Problem('address_not_found')

const clientMissing = () =>
  new Problem('reference_not_found', {
    details: 'data.client_id names no client',
    fields: [{ path: 'data.client_id', rule: 'reference', expected: 'the id of a client' }],
  })

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

const clientCheck = (merchant: MerchantId, id: number): Action => ({
  name: 'client',
  key: key('client', { merchant, id }),
  when: [present],
  check: true,
})

// The client may be part of somebody else's transaction at this very moment.
const transacted = (actions: readonly Action[]): Promise<void> =>
  retrying(
    () => transact(actions),
    error => error.contended,
  )

const placeOf = (client: number | null | undefined, id: number): string | undefined =>
  client ? indexKey('address', { client, id }) : undefined

/** A new address record, ready to be stored; `items` are the table's own attributes. */
export const newAddress = (
  merchant: MerchantId,
  cruser_id: number,
  data: NewAddress,
): { address: Address; by: string | undefined } => {
  const id = timeOrderedId()
  const now = timestamp(Date.now())
  const address = { ...unset, ...data, id, customers_id: merchant, cruser_id, crstamp: now, chstamp: now, version: 1 }
  return { address, by: placeOf(address.client_id, id) }
}

/** Stores an address. Throws reference_not_found when its client does not exist. */
export const addAddress = async (merchant: MerchantId, cruser_id: number, data: NewAddress): Promise<Address> => {
  const { address, by } = newAddress(merchant, cruser_id, data)
  const place = key('address', { merchant, id: address.id })
  if (!address.client_id) {
    await putItem(place, address, [absent])
    return address
  }
  const put = { name: 'address', key: place, when: [absent], put: { ...address, by } }
  await transacted([put, clientCheck(merchant, address.client_id)]).catch(error => {
    throw error instanceof TransactionRefused && error.failed('client') ? clientMissing() : error
  })
  return address
}

/** Reads one address. Throws address_not_found. */
export const getAddress = async (merchant: MerchantId, id: number): Promise<Address> => {
  const item = await getItem<Stored>(key('address', { merchant, id }))
  if (!item) throw notFound()
  return addressOf(item)
}

/** Deletes one address and answers it as it was. Throws address_not_found. */
export const deleteAddress = async (merchant: MerchantId, id: number): Promise<Address> => {
  const item = await deleteItem<Stored>(key('address', { merchant, id }))
  if (!item) throw notFound()
  return addressOf(item)
}

const naming = ['name', 'last_name', 'company'] as const

const changeOf = (id: number, data: AddressChange): Change => {
  const { version, ...fields } = data
  const by = placeOf(data.client_id, id)
  return {
    set: { ...fields, ...(by && { by }), chstamp: timestamp(Date.now()) },
    remove: data.client_id === null ? ['by'] : [],
    add: { version: 1 },
  }
}

// The address must keep one of its names; which of them remain, only the table knows.
const stillNamed = (data: AddressChange): Clause[] => {
  if (naming.some(field => data[field]) || naming.every(field => data[field] === undefined)) return []
  const kept = naming.filter(field => data[field] === undefined)
  return [{ anyOf: kept.map(attribute => ({ attribute, is: 'text' as const })) }]
}

const refusedEdit = (data: AddressChange, present: Address | undefined): Problem => {
  if (!present) return notFound()
  if (data.version !== undefined && present.version !== data.version) return new Problem('version_conflict')
  return unnamed()
}

const unnamed = (): Problem =>
  validationProblem([{ path: 'data', rule: 'named', expected: 'given a name, last_name or company' }])

/**
 * Changes the given fields of one address and answers it. Throws address_not_found, version_conflict,
 * reference_not_found, or validation_failed when no name would be left.
 */
export const editAddress = async (merchant: MerchantId, id: number, data: AddressChange): Promise<Address> => {
  const { version, ...fields } = data
  if (Object.keys(fields).length === 0) throw new Problem('nothing_to_change')
  if (naming.every(field => data[field] === null)) throw unnamed()
  const place = key('address', { merchant, id })
  const when = [present, ...(version === undefined ? [] : [equals('version', version)]), ...stillNamed(data)]
  if (!data.client_id) {
    const item = await updateItem<Stored>(place, changeOf(id, data), when).catch(error => {
      throw error instanceof ConditionFailed ? refusedEdit(data, error.item as Address | undefined) : error
    })
    return addressOf(item)
  }
  const update = { name: 'address', key: place, when, update: changeOf(id, data) }
  await transacted([update, clientCheck(merchant, data.client_id)]).catch(async error => {
    if (!(error instanceof TransactionRefused)) throw error
    if (error.failed('address')) throw refusedEdit(data, await getItem<Stored>(place))
    throw error.failed('client') ? clientMissing() : error
  })
  return getAddress(merchant, id)
}

type Wanted = { client_id?: number | null; type?: string | null; page?: number | null; pageSize?: number | null }

/** Lists addresses by id; the whole list unless a page is asked for. */
export const listAddresses = async (merchant: MerchantId, wanted: Wanted): Promise<Page<Address>> => {
  const pk = partition('address', { merchant })
  const { client_id, type, page, pageSize } = wanted
  const items = await query<Stored>(client_id ? { pk, index: 'by-order', prefix: `${sortable(client_id)}#` } : { pk })
  const found = items.map(addressOf).filter(address => !type || address.type === type)
  if (!page && !pageSize) return wholeList(found)
  const [number, size] = [page ?? 1, Math.min(pageSize ?? 16, 100)]
  return pageOf(found.slice((number - 1) * size, number * size), found.length, number, size)
}
