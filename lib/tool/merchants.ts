import type { Credential, Merchant } from '../../shared/merchants/records.ts'
import { digestOf, formToken, newAuthId, newCredentialId } from '../../shared/merchants/tokens.ts'
import { noNumbers } from '../../shared/orders/numbers.ts'
import { type PaymentType, paymentTypes } from '../../shared/orders/states.ts'
import { type ProviderName, providerNames } from '../../shared/payments/provider.ts'
import { absent, equals } from '../../shared/table/expressions.ts'
import { key, type MerchantId, partition } from '../../shared/table/keys.ts'
import { deleteItem, getItem, getItems, query, updateItem } from '../../shared/table/table.ts'
import { transact } from '../../shared/table/transact.ts'
import { timestamp } from '../../shared/time.ts'

/** Something the person at the command line can mend; its message is all they need. */
export class Refused extends Error {}

/** A merchant with what the operator needs to know of its live tokens. */
export type Account = Merchant & {
  tokens: { id: string; number: number; name: string; crstamp: string }[]
  issued: number
}

const liveTokens = 2

const nextNumber = async (name: string): Promise<number> => {
  const { value } = await updateItem<{ value: number }>(key('sequence', { name }), { add: { value: 1 } })
  return value
}

export type NewMerchant = {
  name: string
  authid?: string
  paymentTypes?: readonly PaymentType[]
  paymentProvider?: ProviderName
}

/** Creates a merchant with its numbers and its empty catalogue. */
export const createMerchant = async ({
  name,
  authid = newAuthId(),
  paymentTypes: offered = ['invoice'],
  paymentProvider = 'sandbox',
}: NewMerchant): Promise<Account> => {
  if (name.trim() === '') throw new Refused('a merchant needs a name')
  const unknown = offered.find(type => !paymentTypes.includes(type))
  if (unknown) throw new Refused(`unknown payment type ${unknown}; known are ${paymentTypes.join(', ')}`)
  if (!providerNames.includes(paymentProvider)) {
    throw new Refused(`unknown payment provider ${paymentProvider}; known are ${providerNames.join(', ')}`)
  }
  const [first] = offered
  if (!first) throw new Refused('a merchant needs at least one payment type')
  const id = (await nextNumber('merchants')) as MerchantId
  const account: Account = {
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
    { name: 'directory', key: key('directory', { id }), when: [absent], put: { name } },
    { name: 'merchant', key: key('merchant', { merchant: id }), when: [absent], put: account },
    { name: 'numbers', key: key('numbers', { merchant: id }), when: [absent], put: noNumbers },
    { name: 'catalogue', key: key('catalogue', { merchant: id }), when: [absent], put: { version: 0 } },
  ])
  return account
}

/** All merchants by id. */
export const listMerchants = async (): Promise<Account[]> => {
  const entries = await query<{ sk: string }>({ pk: partition('directory', {}) })
  const accounts = await getItems<Account>(
    entries.map(({ sk }) => key('merchant', { merchant: Number(sk) as MerchantId })),
  )
  return accounts.filter(account => account !== undefined)
}

/** The merchant of an id or an exact name. Throws Refused when there is none, or more than one of the name. */
export const findMerchant = async (idOrName: string): Promise<Account & { id: MerchantId }> => {
  const accounts = await listMerchants()
  const found = accounts.filter(({ id, name }) => String(id) === idOrName || name === idOrName)
  const [account] = found
  if (!account) throw new Refused(`there is no merchant ${idOrName}`)
  if (found.length > 1) throw new Refused(`several merchants are called ${idOrName}; name one by its id`)
  return account as Account & { id: MerchantId }
}

/** Issues an API token; it is shown now and never again. At most two are live, so that one can be replaced without a gap. */
export const issueToken = async (
  account: Account,
  name: string,
  secret?: Buffer,
): Promise<{ id: string; token: string }> => {
  if (account.tokens.length >= liveTokens) {
    throw new Refused(
      `${account.name} has ${liveTokens} live tokens already; revoke one first: ${account.tokens.map(({ id }) => id).join(', ')}`,
    )
  }
  const id = secret ? secret.toString('hex').slice(0, 12) : newCredentialId()
  const token = formToken('wka', id, secret)
  const number = account.issued + 1
  const crstamp = timestamp(Date.now())
  const credential: Credential = {
    id,
    customers_id: account.id,
    authid: account.authid,
    number,
    name,
    digest: digestOf(token),
    crstamp,
  }
  const merchant = account.id as MerchantId
  const tokens = [...account.tokens, { id, number, name, crstamp }]
  await transact([
    {
      name: 'merchant',
      key: key('merchant', { merchant }),
      when: [equals('issued', account.issued)],
      update: { set: { tokens, issued: number } },
    },
    { name: 'credential', key: key('credential', { id }), when: [absent], put: credential },
  ])
  return { id, token }
}

/** Revokes an API token and with it every session it opened, everywhere within 60 seconds. */
export const revokeToken = async (id: string): Promise<Credential> => {
  const credential = await getItem<Credential>(key('credential', { id }))
  if (!credential) throw new Refused(`there is no token ${id}`)
  if (credential.revoked) throw new Refused(`the token ${id} is revoked since ${credential.revoked}`)
  const place = key('merchant', { merchant: credential.customers_id as MerchantId })
  const account = await getItem<Account>(place)
  const before = account?.tokens ?? []
  await transact([
    { name: 'credential', key: key('credential', { id }), update: { set: { revoked: timestamp(Date.now()) } } },
    {
      name: 'merchant',
      key: place,
      when: [equals('tokens', before)],
      update: { set: { tokens: before.filter(token => token.id !== id) } },
    },
  ])
  return credential
}

/** Ends one session by its token, everywhere within 60 seconds. */
export const revokeSession = async (token: string): Promise<void> => {
  const session = await deleteItem(key('session', { digest: digestOf(token) }))
  if (!session) throw new Refused('there is no such session')
}
