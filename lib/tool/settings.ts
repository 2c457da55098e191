import * as v from 'valibot'
import { MerchantChange, merchantFields, settingFields } from '../../shared/contract/records/merchant.ts'
import { word } from '../../shared/contract/schema/wire.ts'
import { defaultProvider, providerNames } from '../../shared/contract/vocabulary.ts'
import { validate } from '../../shared/http/request.ts'
import { timeZoneOf } from '../../shared/merchants/settings.ts'
import type { Merchant } from '../../shared/platform/table/items.ts'

/** The settings of a merchant: its profile, its shop, and the payment provider, which only the operator changes. */
const Settings = v.partial(v.object({ ...MerchantChange.entries, payment_provider: word(providerNames) }))

export type Settings = v.InferOutput<typeof Settings>

export type SettingName = keyof Settings

/** The settings with the sentences of their options. */
export const settingSentences: Readonly<Record<SettingName, string>> = Object.fromEntries(
  Object.entries({
    ...settingFields,
    payment_provider: { description: 'Provider of external payments: paypal, or sandbox, which moves no money.' },
    ...merchantFields,
  }).map(([name, { description }]) => [name, description]),
) as Record<SettingName, string>

/** The settings that are lists, which an option separates by commas. */
export const lists: ReadonlySet<string> = new Set<SettingName>(['payment_types', 'redirect_hosts', 'ships_to'])

const listIn = (text: string): string[] =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)

const rawOf = (name: string, text: string): unknown => {
  if (lists.has(name)) return text === 'none' ? [] : listIn(text)
  return text === 'none' ? null : text
}

/** Reads settings from texts; `none` clears a setting. Throws validation_failed. */
export const readSettings = (texts: Partial<Record<SettingName, string>>): Settings =>
  validate(Settings, Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, rawOf(name, text)])))

/** The settings in a JSON value. Throws validation_failed. */
export const parseSettings = (values: unknown): Settings => validate(Settings, values)

const profileNames = Object.keys(merchantFields) as (keyof typeof merchantFields)[]

/** The settings of a merchant as lines of text. */
export const settingLines = (merchant: Merchant): string[] => [
  `  payment types         ${merchant.payment_types.join(', ')}`,
  `  default payment type  ${merchant.default_payment_type}`,
  `  payment provider      ${merchant.payment_provider ?? defaultProvider}`,
  `  freight free from     ${merchant.freight_free_from ?? 'none'}`,
  `  redirect hosts        ${merchant.redirect_hosts.join(', ') || 'any'}`,
  `  ships to              ${merchant.ships_to?.join(', ') || 'all countries'}`,
  `  timezone              ${timeZoneOf(merchant)}`,
  ...profileNames.flatMap(name => {
    const value = merchant[name]
    return value ? [`  ${name.replaceAll('_', ' ').padEnd(20)}  ${value}`] : []
  }),
]
