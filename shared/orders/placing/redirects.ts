import { type BadField, Problem } from '../../contract/errors.ts'
import type { NewOrder } from '../../contract/orders.ts'
import type { Order } from '../../contract/records/order.ts'
import { isLoopback } from '../../platform/loopback.ts'
import type { Merchant } from '../../platform/table/items.ts'

/** Where the payer is sent back to; serialized, so that what was checked is what is used. */
export type Redirects = { return_url: string; cancel_url: string }

const isPrintableAscii = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const readUrl = (text: string, hosts: readonly string[]): string | undefined => {
  // A parser drops tabs, turns backslashes around and puts missing slashes in; what would need that is refused.
  if (!isPrintableAscii(text) || text.includes('\\') || !/^https?:\/\/[^/]/i.test(text)) return undefined
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isSecure = url.protocol === 'https:' || isLoopback(url)
  const isClean = url.username === '' && url.password === '' && url.hash === ''
  const isKnown = hosts.length === 0 || hosts.includes(url.hostname)
  return isSecure && isClean && isKnown ? url.href : undefined
}

/** The return address with what its page is to name to payments/execute, as shops read it there. */
export const returnUrlWith = (return_url: string, pid: string): string => {
  const url = new URL(return_url)
  url.searchParams.set('pid', pid)
  return url.href
}

/** The redirect addresses that an order names. Throws redirect_url_invalid unless each is one. */
export const readRedirects = <Name extends keyof Redirects>(
  data: NewOrder,
  { redirect_hosts }: Merchant,
  names: readonly Name[],
): Pick<Redirects, Name> => {
  const urls = names.map(name => [name, readUrl(data[name] ?? '', redirect_hosts)] as const)
  const expected = 'an absolute https address of the shop, without user and fragment'
  const fields = urls
    .filter(([, url]) => !url)
    .map(([name]): BadField => ({ path: `data.${name}`, rule: 'redirect_url', expected }))
  const [first] = fields
  if (first) throw new Problem('redirect_url_invalid', { details: `${first.path} must be ${expected}`, fields })
  return Object.fromEntries(urls) as Pick<Redirects, Name>
}

/** The return page that a debit leads to, as no provider does; undefined for any other order, or without a return_url. */
export const debitReturn = (
  { payment_type, uuid }: Pick<Order, 'payment_type' | 'uuid'>,
  { return_url }: Pick<NewOrder, 'return_url'>,
): string | undefined =>
  // An order of an older release may name what is no address.
  payment_type === 'debit' && return_url && URL.canParse(return_url) ? returnUrlWith(return_url, uuid) : undefined
