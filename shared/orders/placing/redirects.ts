import { type BadField, Problem } from '../../contract/errors.ts'
import type { NewOrder } from '../../contract/orders.ts'
import { isLoopback } from '../../loopback.ts'
import type { Merchant } from '../../table/items.ts'

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

/** The redirect addresses of an order that is paid externally. Throws redirect_url_invalid. */
export const readRedirects = (data: NewOrder, { redirect_hosts }: Merchant): Redirects => {
  const urls = {
    return_url: readUrl(data.return_url ?? '', redirect_hosts),
    cancel_url: readUrl(data.cancel_url ?? '', redirect_hosts),
  }
  const { return_url, cancel_url } = urls
  if (return_url && cancel_url) return { return_url, cancel_url }
  const expected = 'an absolute https address of the shop, without user and fragment'
  const fields = Object.entries(urls)
    .filter(([, url]) => !url)
    .map(([name]): BadField => ({ path: `data.${name}`, rule: 'redirect_url', expected }))
  throw new Problem('redirect_url_invalid', { details: `${fields[0]?.path} must be ${expected}`, fields })
}
