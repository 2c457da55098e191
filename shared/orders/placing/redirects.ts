import { type BadField, fieldsProblem } from '../../contract/errors.ts'
import type { Order } from '../../contract/records/order.ts'
import type { NewOrder } from '../../contract/routes/orders.ts'
import { isLoopback } from '../../platform/loopback.ts'
import type { Merchant } from '../../platform/table/items.ts'

/** The URLs to which the payer is sent back, serialized by the parser that checked them. */
export type Redirects = { return_url: string; cancel_url: string }

const isPrintableAscii = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const readUrl = (text: string, hosts: readonly string[]): string | undefined => {
  // The parser would drop tabs, turn backslashes and add missing slashes; such texts are refused.
  if (!isPrintableAscii(text) || text.includes('\\') || !/^https?:\/\/[^/]/i.test(text)) return undefined
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isSecure = url.protocol === 'https:' || isLoopback(url)
  const isClean = url.username === '' && url.password === '' && url.hash === ''
  const isKnown = hosts.length === 0 || hosts.includes(url.hostname)
  return isSecure && isClean && isKnown ? url.href : undefined
}

/** The return URL with the `pid` that its page sends to payments/execute. */
export const returnUrlWith = (return_url: string, pid: string): string => {
  const url = new URL(return_url)
  url.searchParams.set('pid', pid)
  return url.href
}

/** The redirect URLs of an order. Throws redirect_url_invalid. */
export const readRedirects = <Name extends keyof Redirects>(
  data: NewOrder,
  { redirect_hosts }: Merchant,
  names: readonly Name[],
): Pick<Redirects, Name> => {
  const urls = names.map(name => [name, readUrl(data[name] ?? '', redirect_hosts)] as const)
  const expected = 'an absolute https URL of the shop, without user name and fragment'
  const fields = urls
    .filter(([, url]) => !url)
    .map(([name]): BadField => ({ path: `data.${name}`, rule: 'redirect_url', expected }))
  if (fields.length > 0) throw fieldsProblem('redirect_url_invalid', fields)
  return Object.fromEntries(urls) as Pick<Redirects, Name>
}

/** The return URL of a debit order, which has no provider to return from; undefined for other orders or without return_url. */
export const debitReturn = (
  { payment_type, uuid }: Pick<Order, 'payment_type' | 'uuid'>,
  { return_url }: Pick<NewOrder, 'return_url'>,
): string | undefined =>
  // An order of an older release may have stored a malformed URL.
  payment_type === 'debit' && return_url && URL.canParse(return_url) ? returnUrlWith(return_url, uuid) : undefined
