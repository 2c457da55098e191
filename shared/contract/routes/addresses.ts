import * as v from 'valibot'
import { Address, addressFields, isNamed } from '../records/address.ts'
import { route } from '../route.ts'
import { described, Id, optionalPageSize, paging, recordVersion, requirement, word } from '../schema/wire.ts'
import { addressTypes } from '../vocabulary.ts'

const { type, address, zip, city, countrycode, ...rest } = addressFields

/** The data of addresses/add. */
export const NewAddress = v.pipe(
  v.strictObject({
    type: v.nullish(type, 'shipping'),
    address,
    zip,
    city,
    countrycode,
    ...v.partial(v.object(rest)).entries,
  }),
  // A check of the whole object would stay silent as long as another field is bad.
  v.partialCheck(
    [['name'], ['last_name'], ['company']],
    requirement('named', 'given a name, last_name or company', isNamed),
  ),
)

/** The data of addresses/edit: only what changes. `version` guards against lost updates. */
export const AddressChange = v.strictObject({ ...v.partial(v.object(addressFields)).entries, version: recordVersion })

export type NewAddress = v.InferOutput<typeof NewAddress>
export type AddressChange = v.InferOutput<typeof AddressChange>

const addressId = described(Id, 'Id of the address.')
const byId = v.object({ id: addressId })

const optionalPaging = {
  page: described(v.nullish(paging.page.wrapped), 'Number of the page, from 1.'),
  pageSize: optionalPageSize('Without it a page has 16; without `page` too, the response has all, up to 2 MB.'),
  start: paging.start,
}

export const addressesAdd = route({
  path: '/service/addresses/add',
  level: 'service',
  client: 'narrows',
  permissions: { address: ['put'], client: ['check'], quota: ['update'] },
  body: v.object({ data: described(NewAddress, 'The new address.') }),
  response: Address,
  errors: ['reference_not_found'],
  summary: 'Stores an address, of a client or on its own.',
})

export const addressesDelete = route({
  path: '/service/addresses/delete',
  level: 'service',
  client: 'narrows',
  permissions: { address: ['delete'] },
  body: byId,
  response: Address,
  errors: ['address_not_found'],
  summary: 'Deletes an address and returns it as it was. Orders keep their own copy.',
})

export const addressesEdit = route({
  path: '/service/addresses/edit',
  level: 'service',
  client: 'narrows',
  permissions: { address: ['get', 'update'], client: ['check'] },
  body: v.object({
    id: addressId,
    data: described(AddressChange, 'Fields to change; the others stay as they are.'),
  }),
  response: Address,
  errors: ['address_not_found', 'nothing_to_change', 'reference_not_found', 'version_conflict'],
  summary: 'Changes the given fields of an address.',
})

export const addressesGet = route({
  path: '/service/addresses/get',
  level: 'service',
  client: 'narrows',
  permissions: { address: ['get'] },
  body: byId,
  response: Address,
  errors: ['address_not_found'],
  summary: 'Reads one address.',
})

export const addressesGetAll = route({
  path: '/service/addresses/getAll',
  level: 'service',
  client: 'narrows',
  envelope: 'list',
  permissions: { address: ['query', 'queryIndex'] },
  body: v.object({
    client_id: described(v.nullish(Id), 'Only addresses of this client.'),
    type: described(v.nullish(word(addressTypes)), 'Only addresses of this type.'),
    ...optionalPaging,
  }),
  response: Address,
  summary: 'Lists addresses by id, of all clients or of one, of all types or of one.',
})

export const addressesGetByClient = route({
  path: '/service/addresses/getByClient',
  level: 'service',
  client: 'narrows',
  envelope: 'list',
  permissions: { address: ['queryIndex'] },
  body: v.object({ client_id: described(Id, 'Id of the client.'), ...optionalPaging }),
  response: Address,
  summary: 'Lists the addresses of one client by id.',
})
