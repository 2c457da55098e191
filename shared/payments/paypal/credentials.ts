import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { readThrough } from '../../platform/cache.ts'
import { providerFailure, providerUnusable } from '../provider-failure.ts'
import type { Credentials } from './client.ts'
import { isApiUrl } from './hosts.ts'
import { jsonIn } from './wire.ts'

const live = 'https://api-m.paypal.com'
const test = 'https://api-m.sandbox.paypal.com'

const filled = v.pipe(v.string(), v.minLength(1), v.maxLength(1000))

export const WebhookId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{1,50}$/))

const StoredAccount = v.object({
  clientId: filled,
  clientSecret: filled,
  baseUrl: v.nullish(filled),
  // A malformed parameter must not prevent payments.
  webhookId: v.fallback(v.nullish(WebhookId), undefined),
})

/** Without `baseUrl` an account is at PayPal's live API in stage prod, else at its sandbox. */
export type StoredAccount = v.InferOutput<typeof StoredAccount>

/** A merchant's parameter: the present account, and in `former` those of older payments. */
const Stored = v.object({ ...StoredAccount.entries, former: v.optional(v.array(StoredAccount)) })

/** A merchant's accounts, the present account first. */
export type Accounts<Account> = [Account, ...Account[]]

// Stryker disable next-line StringLiteral: Every deployment sets STAGE; without it there is no parameter of either
// name.
const stage = () => process.env.STAGE ?? ''

/** The name of the merchant's parameter in Parameter Store. */
export const parameterName = (merchant: number): string => `/weinkontor/${stage()}/paypal/${merchant}`

/** The accounts in a parameter's text; undefined if it is anything else. */
export const accountsIn = (text: string): Accounts<StoredAccount> | undefined => {
  const { success, output } = v.safeParse(Stored, jsonIn(text))
  if (!success) return undefined
  const { former = [], ...present } = output
  return [present, ...former]
}

export const textOf = ([present, ...former]: Accounts<StoredAccount>): string => JSON.stringify({ ...present, former })

const textIn = async (parameter: string): Promise<string> => {
  const { readParameter } = await import('./parameter.ts')
  try {
    // Stryker disable next-line StringLiteral: Neither the empty text nor that one is JSON.
    return (await readParameter(parameter))?.text ?? ''
  } catch (error) {
    throw providerFailure('the PayPal credentials cannot be read', { parameter, error: (error as Error).name })
  }
}

const readCredentials = async (merchant: number): Promise<Accounts<Credentials>> => {
  const parameter = parameterName(merchant)
  const accounts = accountsIn(await textIn(parameter))
  if (!accounts) throw providerUnusable('the merchant pays by PayPal, but has no credentials', { merchant, parameter })
  const complete = ({ clientId, clientSecret, baseUrl, webhookId }: StoredAccount): Credentials => {
    const url = baseUrl ?? (stage() === 'prod' ? live : test)
    if (isApiUrl(url, stage() === 'twin'))
      return { clientId, clientSecret, baseUrl: url, ...(webhookId && { webhookId }) }
    throw providerUnusable('the PayPal credentials name a host that is not allowed', { merchant, parameter })
  }
  const [present, ...former] = accounts
  return [complete(present), ...former.map(complete)]
}

const known = readThrough<number, Accounts<Credentials>>({ max: 1000, trustedFor: 5 * 60_000 })

/**
 * A merchant's PayPal credentials, the present account first, cached for five minutes; those of an unchanged account stay
 * the same object afterwards. Throws ProviderUnusable if there are none, or their host is not PayPal's, and
 * payment_provider_error if they cannot be read.
 */
export const paypalCredentials = (merchant: number): Promise<Accounts<Credentials>> =>
  known(merchant, async before => {
    const [present, ...former] = await readCredentials(merchant)
    const asBefore = (one: Credentials) => before?.find(other => isDeepStrictEqual(one, other)) ?? one
    return [asBefore(present), ...former.map(asBefore)]
  })

/** The credentials of one account, or undefined. Throws as paypalCredentials does. */
export const credentialsOfAccount = async (
  merchant: number,
  account: string | null,
): Promise<Credentials | undefined> => {
  const find = async () => (await paypalCredentials(merchant)).find(({ clientId }) => clientId === account)
  const found = await find()
  if (found) return found
  // Another instance may have opened the payment at an account that is newer than the cached accounts.
  known.forget(merchant)
  return find()
}
