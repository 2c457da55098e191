import * as v from 'valibot'
import { providerFailure, providerUnusable } from '../provider-failure.ts'
import type { Credentials } from './client.ts'
import { isApiUrl } from './hosts.ts'

const live = 'https://api-m.paypal.com'
const test = 'https://api-m.sandbox.paypal.com'

const filled = v.pipe(v.string(), v.minLength(1), v.maxLength(1000))
const WebhookId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{1,50}$/))
const Account = v.object({
  clientId: filled,
  clientSecret: filled,
  baseUrl: v.nullish(filled),
  // A wrong one must not keep payments from being taken.
  webhookId: v.fallback(v.nullish(WebhookId), null),
})
const Secret = v.object({ ...Account.entries, former: v.optional(v.pipe(v.array(Account), v.maxLength(20))) })

const stage = () => process.env.STAGE ?? ''

const fromEnvironment = (): unknown => {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_URL: baseUrl } = process.env
  return { clientId, clientSecret, baseUrl, webhookId: process.env.PAYPAL_WEBHOOK_ID }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fromSecretsManager = async (name: string): Promise<unknown> => {
  // Loaded where it is needed only: most requests pay nothing.
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager')
  const client = new SecretsManagerClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
  })
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }))
    return parsed(SecretString)
  } catch (error) {
    const { name: word } = error as Error
    // No secret is no valid secret; whatever else is wrong may be over soon.
    if (word === 'ResourceNotFoundException') return undefined
    throw providerFailure('the PayPal credentials cannot be read', { secret: name, error: word })
  } finally {
    client.destroy()
  }
}

/**
 * A merchant's PayPal credentials: on the twin from PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET, PAYPAL_URL and
 * PAYPAL_WEBHOOK_ID, else from Secrets Manager, `weinkontor/<stage>/paypal/<customers_id>`, JSON of clientId,
 * clientSecret and perhaps baseUrl and webhookId (of the app's webhook, without which no event counts). The present account comes first, then those under `former`, where older payments still are. Throws
 * ProviderUnusable when there are none, or they name a host that is not PayPal's.
 */
export const paypalCredentials = async (merchant: number): Promise<[Credentials, ...Credentials[]]> => {
  const onTwin = stage() === 'twin'
  const name = `weinkontor/${stage()}/paypal/${merchant}`
  const source = onTwin ? 'the environment' : name
  const secret = v.safeParse(Secret, onTwin ? fromEnvironment() : await fromSecretsManager(name))
  if (!secret.success)
    throw providerUnusable('the merchant pays by PayPal, but has no credentials', { merchant, source })
  const complete = ({ clientId, clientSecret, baseUrl, webhookId }: v.InferOutput<typeof Account>): Credentials => {
    const url = baseUrl ?? (stage() === 'prod' ? live : test)
    if (isApiUrl(url, onTwin)) return { clientId, clientSecret, baseUrl: url, ...(webhookId && { webhookId }) }
    throw providerUnusable('the PayPal credentials name a host that is not allowed', { merchant, source })
  }
  const { former = [], ...present } = secret.output
  return [complete(present), ...former.map(complete)]
}
