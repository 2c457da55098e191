import { defaultProvider, type PaymentType, type ProviderName, type Role } from '../../shared/contract/vocabulary.ts'
import { digestOf, formToken, newAuthId, newCredentialId } from '../../shared/merchants/sessions.ts'
import { firstSeries } from '../../shared/orders/numbering/formats.ts'
import { counters } from '../../shared/orders/numbering/numbers.ts'
import { absent, equals } from '../../shared/platform/table/expressions.ts'
import type { CredentialItem, MerchantItem } from '../../shared/platform/table/items.ts'
import { key, type MerchantId, merchantIdOf, partition } from '../../shared/platform/table/keys.ts'
import { deleteItem, getItem, getItems, queryEntries, updateItem } from '../../shared/platform/table/table.ts'
import { put, transact, update } from '../../shared/platform/table/transact.ts'
import { timestamp } from '../../shared/values/time.ts'

/** An error that the operator can fix; its message says how. */
export class Refused extends Error {}

const liveTokens = 2

const nextNumber = async (name: string): Promise<number> => {
  const { value } = await updateItem(key('sequence', { name }), { add: { value: 1 } })
  return value
}

export type NewMerchant = {
  name: string
  authid?: string
  paymentTypes?: readonly PaymentType[]
  paymentProvider?: ProviderName
}

const isNew = { when: [absent] }

/** Creates a merchant with its counters and an empty catalogue. */
export const createMerchant = async ({
  name,
  authid = newAuthId(),
  paymentTypes: offered = ['invoice'],
  paymentProvider = defaultProvider,
}: NewMerchant): Promise<MerchantItem> => {
  if (name.trim() === '') throw new Refused('a merchant needs a name')
  const [first] = offered
  if (!first) throw new Refused('a merchant needs at least one payment type')
  const id = merchantIdOf(await nextNumber('merchants'))
  const account: MerchantItem = {
    id,
    name,
    authid,
    payment_types: [...offered],
    default_payment_type: offered.includes('cash') ? 'cash' : first,
    payment_provider: paymentProvider,
    freight_free_from: null,
    redirect_hosts: [],
    crstamp: timestamp(Date.now()),
    tokens: [],
    issued: 0,
  }
  await transact([
    put('directory', key('directory', { id }), { name }, isNew),
    put('merchant', key('merchant', { merchant: id }), account, isNew),
    ...counters.map(counter => {
      const series = firstSeries[counter]
      return put(counter, key('numbers', { merchant: id, counter }), { last: 0, ...(series && { series }) }, isNew)
    }),
    put('catalogue', key('catalogue', { merchant: id }), { version: 0 }, isNew),
  ])
  return account
}

/** All merchants, ordered by id. */
export const listMerchants = async (): Promise<MerchantItem[]> => {
  const entries = await queryEntries({ pk: partition('directory', {}) })
  const accounts = await getItems(entries.map(({ sk }) => key('merchant', { merchant: merchantIdOf(sk) })))
  return accounts.filter(account => account !== undefined)
}

/** The merchant of an id, an AuthID or an exact name. Throws Refused if there is none, or several of the name. */
export const findMerchant = async (idOrName: string): Promise<MerchantItem & { id: MerchantId }> => {
  const accounts = await listMerchants()
  const found = accounts.filter(({ id, authid, name }) => [String(id), authid, name].includes(idOrName))
  const [account] = found
  if (!account) throw new Refused(`there is no merchant ${idOrName}`)
  if (found.length > 1) throw new Refused(`several merchants are called ${idOrName}; name one by its id`)
  return { ...account, id: merchantIdOf(account.id) }
}

/**
 * Issues an API token, which cannot be read again. Two of a role may be live, so that a token can be replaced without
 * downtime. Throws Refused for a third.
 */
export const issueToken = async (
  account: MerchantItem,
  name: string,
  { role = 'shop', secret }: { role?: Role; secret?: Buffer } = {},
): Promise<{ id: string; token: string }> => {
  const live = account.tokens.filter(one => (one.role ?? 'shop') === role)
  if (live.length >= liveTokens) {
    throw new Refused(
      `${account.name} has ${liveTokens} live tokens of the role ${role} already; revoke one first: ${live.map(({ id }) => id).join(', ')}`,
    )
  }
  const id = secret ? secret.toString('hex').slice(0, 12) : newCredentialId()
  const token = formToken('wka', id, secret)
  const number = account.issued + 1
  const crstamp = timestamp(Date.now())
  const credential: CredentialItem = {
    id,
    customers_id: account.id,
    authid: account.authid,
    number,
    name,
    ...(role !== 'shop' && { role }),
    digest: digestOf(token),
    crstamp,
  }
  const merchant = merchantIdOf(account.id)
  const tokens = [...account.tokens, { id, number, name, ...(role !== 'shop' && { role }), crstamp }]
  await transact([
    update('merchant', key('merchant', { merchant }), { set: { tokens, issued: number } }, [
      equals('issued', account.issued),
    ]),
    put('credential', key('credential', { id }), credential, isNew),
  ])
  return { id, token }
}

/** Revokes an API token and the sessions that it opened, within 60 seconds. */
export const revokeToken = async (id: string): Promise<CredentialItem> => {
  const credential = await getItem(key('credential', { id }))
  if (!credential) throw new Refused(`there is no token ${id}`)
  if (credential.revoked) throw new Refused(`the token ${id} is revoked since ${credential.revoked}`)
  const place = key('merchant', { merchant: merchantIdOf(credential.customers_id) })
  const account = await getItem(place)
  const before = account?.tokens ?? []
  await transact([
    update('credential', key('credential', { id }), { set: { revoked: timestamp(Date.now()) } }),
    update('merchant', place, { set: { tokens: before.filter(token => token.id !== id) } }, [equals('tokens', before)]),
  ])
  return credential
}

/** Ends a session within 60 seconds. */
export const revokeSession = async (token: string): Promise<void> => {
  const session = await deleteItem(key('session', { digest: digestOf(token) }))
  if (!session) throw new Refused('there is no such session')
}
