import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import {
  type Accounts,
  accountsIn,
  parameterName,
  type StoredAccount,
  textOf,
  WebhookId,
} from '../../shared/payments/paypal/credentials.ts'
import type { Parameter } from '../../shared/payments/paypal/parameter.ts'
import type { PaymentItem } from '../../shared/platform/table/items.ts'
import { type MerchantId, partition } from '../../shared/platform/table/keys.ts'
import { queryPages } from '../../shared/platform/table/table.ts'
import { parseTimestamp } from '../../shared/values/time.ts'
import { Refused } from './merchants.ts'
import { readSecret } from './secret.ts'

/** A change of a merchant's PayPal account; without `clientId` only the webhook of the present account changes. */
export type PayPalChange =
  | { clientId: string; clientSecret: string; webhookId?: string; baseUrl?: string }
  | { webhookId: string }

export type PayPalOptions = { paypalClientId?: string; paypalWebhookId?: string }

const clientIdIn = (text: string): string => {
  // HTTP's basic authentication allows no colon in a name, Parameter Store no {{ in a value.
  if (/^[!-9;-z|~]{1,1000}$/.test(text)) return text
  throw new Refused('the client id must be ASCII letters, digits and signs, without spaces, colons and braces')
}

const webhookIdIn = (text: string): string => {
  if (v.is(WebhookId, text)) return text
  throw new Refused('the webhook id must be 1 to 50 letters and digits')
}

/** Reads a change from options and, for an account, its secret from a prompt or stdin. Throws Refused. */
export const readPayPalChange = async ({
  paypalClientId,
  paypalWebhookId,
}: PayPalOptions): Promise<PayPalChange | undefined> => {
  const webhook = paypalWebhookId === undefined ? undefined : { webhookId: webhookIdIn(paypalWebhookId) }
  if (paypalClientId === undefined) return webhook
  const clientId = clientIdIn(paypalClientId)
  return { clientId, clientSecret: await readSecret('client secret at PayPal'), ...webhook }
}

/** Throws Refused with the name of Parameter Store's error: a message of AWS may repeat a value. */
const refusedBy =
  (parameter: string) =>
  (error: Error): never => {
    const fix =
      error.name === 'AccessDeniedException'
        ? 'get the rights ssm:GetParameter and ssm:PutParameter on it, and'
        : 'wait a moment, and'
    throw new Refused(
      `the parameter ${parameter} cannot be read or written (${error.name}): ${fix} run set with the same --paypal options`,
    )
  }

const read = async (parameter: string, selector = ''): Promise<Parameter | undefined> => {
  // The client of Parameter Store takes longer to load than many commands to run.
  const { readParameter } = await import('../../shared/payments/paypal/parameter.ts')
  return readParameter(`${parameter}${selector}`).catch(refusedBy(parameter))
}

const accountsOf = (parameter: string, stored: Parameter | undefined): StoredAccount[] => {
  if (!stored) return []
  const accounts = accountsIn(stored.text)
  if (!accounts)
    throw new Refused(`the parameter ${parameter} holds no PayPal credentials: remove it, and set them again`)
  return accounts
}

// PayPal accepts refunds, and sends their events, for 180 days.
const refundableMs = 180 * 24 * 3_600_000

const isInUse = ({ crstamp }: PaymentItem, index: string | undefined): boolean =>
  index !== undefined || Date.now() - parseTimestamp(crstamp) < refundableMs

/** The accounts of payments that are not settled, or may still be refunded. */
const accountsInUse = async (merchant: MerchantId): Promise<Set<string | null>> => {
  const used = new Set<string | null>()
  for await (const entries of queryPages({ pk: partition('payment', { merchant }) }))
    for (const { item, index } of entries) if (isInUse(item, index)) used.add(item.account)
  return used
}

const isAt = (clientId: string) => (account: StoredAccount) => account.clientId === clientId

const changeAccounts = (accounts: readonly StoredAccount[], change: PayPalChange): Accounts<StoredAccount> => {
  const [present, ...former] = accounts
  if ('clientId' in change) {
    const isChanged = isAt(change.clientId)
    return [{ ...accounts.find(isChanged), ...change }, ...accounts.filter(one => !isChanged(one))]
  }
  if (present) return [{ ...present, ...change }, ...former]
  throw new Refused('there is no PayPal account that this webhook could belong to: add --paypal-client-id')
}

/** Drops former accounts that no payment needs, except the last: functions cache it for five minutes. */
const withoutUnused = async (
  merchant: MerchantId,
  [present, ...former]: Accounts<StoredAccount>,
): Promise<Accounts<StoredAccount>> => {
  if (former.length < 2) return [present, ...former]
  const inUse = await accountsInUse(merchant)
  return [present, ...former.filter(({ clientId }, n) => n === 0 || inUse.has(clientId))]
}

// The limit of the standard tier, which is free.
const maxCharacters = 4096

const write = async (parameter: string, accounts: Accounts<StoredAccount>): Promise<number> => {
  const text = textOf(accounts)
  if (text.length > maxCharacters)
    throw new Refused(
      `the credentials of ${accounts.length} accounts have ${text.length} characters, and a parameter holds ${maxCharacters}: wait until payments at a former account are 180 days old`,
    )
  const { writeParameter } = await import('../../shared/payments/paypal/parameter.ts')
  return writeParameter(parameter, text).catch(refusedBy(parameter))
}

const maxTries = 20

/**
 * Changes a merchant's PayPal credentials and returns all accounts, the present account first. A new secret of the same
 * account replaces the old secret. Former accounts stay for their payments, until these are settled and older than 180
 * days. Throws Refused, without a secret in its message.
 */
export const changePayPal = async (merchant: MerchantId, change: PayPalChange): Promise<Accounts<StoredAccount>> => {
  const parameter = parameterName(merchant)
  let stored = await read(parameter)
  let version = stored?.version ?? 0
  let known: StoredAccount[] = []
  for (let tries = 0; tries < maxTries; tries++) {
    const found = accountsOf(parameter, stored)
    known = [...found, ...known.filter(one => !found.some(isAt(one.clientId)))]
    const all = changeAccounts(known, change)
    const accounts = all.length > known.length ? await withoutUnused(merchant, all) : all
    const written = await write(parameter, accounts)
    if (written === version + 1) return accounts
    // Parameter Store has no conditional write. A concurrent change came first; it is in the history.
    stored = await read(parameter, `:${written - 1}`)
    version = written
    await pause(Math.random() * 300)
  }
  throw new Refused(
    'the PayPal account was changed concurrently too often: run set with the same --paypal options later',
  )
}

/** The accounts as lines of text, without secrets. */
export const payPalLines = ([present, ...former]: Accounts<StoredAccount>): string[] => [
  `  PayPal account        ${present.clientId}, webhook ${present.webhookId ?? 'none'}`,
  ...former.map(({ clientId }) => `  former account        ${clientId}`),
]
