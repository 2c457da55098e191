import * as v from 'valibot'
import { brokenRule } from '../../shared/contract/errors.ts'
import { merchantFields, type Profile } from '../../shared/contract/records/merchant.ts'
import { type PaymentType, type ProviderName, paymentTypes, providerNames } from '../../shared/contract/vocabulary.ts'
import { equals } from '../../shared/platform/table/expressions.ts'
import { ConditionFailed } from '../../shared/platform/table/failures.ts'
import type { Merchant } from '../../shared/platform/table/items.ts'
import { key, type MerchantId } from '../../shared/platform/table/keys.ts'
import { getItem, updateItem } from '../../shared/platform/table/table.ts'
import { parseMoney } from '../../shared/values/money.ts'
import { Refused } from './merchants.ts'

/** The settings of a merchant: its profile, and how its shop sells. */
export type Settings = Partial<Profile> &
  Pick<Merchant, 'payment_types' | 'default_payment_type' | 'payment_provider' | 'freight_free_from' | 'redirect_hosts'>

/** The fields of a merchant's profile. */
export const profileFields = Object.keys(merchantFields) as (keyof Profile)[]

/** Reads a field of a merchant's profile; `none` clears it. Throws Refused. */
export const readProfileField = <Field extends keyof Profile>(field: Field, text: string): Pick<Profile, Field> => {
  const { success, output, issues } = v.safeParse(merchantFields[field].body, text === 'none' ? null : text)
  if (success) return { [field]: output } as Pick<Profile, Field>
  throw new Refused(`${field} must be ${brokenRule(issues[0]).expected}`)
}

const oneOf = <Word extends string>(words: readonly Word[], text: string, what: string): Word => {
  const found = words.find(word => word === text)
  if (!found) throw new Refused(`unknown ${what} ${text}; known are ${words.join(', ')}`)
  return found
}

const listIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
  ),
]

/** Reads a payment type. Throws Refused. */
export const readPaymentType = (text: string): PaymentType => oneOf(paymentTypes, text, 'payment type')

/** Reads payment types, separated by commas. Throws Refused for an unknown type and for an empty list. */
export const readPaymentTypes = (text: string): PaymentType[] => {
  const types = listIn(text).map(readPaymentType)
  if (types.length === 0) throw new Refused('a merchant needs at least one payment type')
  return types
}

/** Reads the gross value of goods from which freight is free: an amount such as `150.00`, or `none`. Throws Refused. */
export const readFreightLimit = (text: string): string | null => {
  if (text === 'none') return null
  const cents = parseMoney(text)
  if (cents === undefined || cents < 0) throw new Refused('the limit must be an amount such as 150.00, or none')
  return text
}

const isHost = (text: string): boolean => {
  if (!URL.canParse(`https://${text}`)) return false
  const { hostname, href } = new URL(`https://${text}`)
  return hostname === text && href === `https://${text}/`
}

/** Reads host names, separated by commas, or `none` for any. Throws Refused. */
export const readHosts = (text: string): string[] => {
  if (text === 'none') return []
  const hosts = listIn(text)
  const odd = hosts.find(host => !isHost(host))
  if (odd) throw new Refused(`${odd} must be the name of a host in lower case, such as shop.example.org`)
  if (hosts.length === 0) throw new Refused('name at least one host, or none for any')
  return hosts
}

/** Reads the name of a payment provider. Throws Refused. */
export const readProvider = (text: string): ProviderName => oneOf(providerNames, text, 'payment provider')

const checkDefault = ({ payment_types, default_payment_type }: Settings): void => {
  if (payment_types.includes(default_payment_type)) return
  const offered = payment_types.join(', ')
  throw new Refused(`${default_payment_type} cannot be the default payment type: only ${offered} is offered`)
}

/** The settings as lines of text. */
export const settingLines = (settings: Settings): string[] => [
  `  payment types         ${settings.payment_types.join(', ')}`,
  `  default payment type  ${settings.default_payment_type}`,
  `  payment provider      ${settings.payment_provider ?? 'sandbox'}`,
  `  freight free from     ${settings.freight_free_from ?? 'none'}`,
  `  redirect hosts        ${settings.redirect_hosts.join(', ') || 'any'}`,
  ...profileFields.flatMap(field => {
    const value = settings[field]
    return value ? [`  ${field.replaceAll('_', ' ').padEnd(20)}  ${value}`] : []
  }),
]

const change = async (merchant: MerchantId, settings: Partial<Settings>): Promise<Settings> => {
  const place = key('merchant', { merchant })
  const present = await getItem(place)
  if (!present) throw new Refused(`there is no merchant ${merchant}`)
  checkDefault({ ...present, ...settings })
  // The condition of the write: both are still as checked.
  const seen = [
    equals('payment_types', present.payment_types),
    equals('default_payment_type', present.default_payment_type),
  ]
  return updateItem(place, { set: settings }, seen)
}

/** Changes some settings of a merchant and returns all. Throws Refused if they contradict each other. */
export const changeSettings = async (merchant: MerchantId, settings: Partial<Settings>): Promise<Settings> => {
  if (Object.keys(settings).length === 0) throw new Refused('name at least one setting to change')
  for (let tries = 1; ; tries++) {
    try {
      return await change(merchant, settings)
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries === 20) throw error
    }
  }
}
