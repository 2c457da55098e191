import { isLoopback } from '../../platform/loopback.ts'

const apiHosts = new Set(['api-m.paypal.com', 'api-m.sandbox.paypal.com'])

const isBareOrigin = (url: URL, text: string): boolean => text === url.origin || text === `${url.origin}/`

/** True for PayPal's two API hosts over https, and for loopback where that is allowed. */
export const isApiUrl = (text: string, allowLoopback: boolean): boolean => {
  const url = URL.parse(text)
  if (!url || !isBareOrigin(url, text)) return false
  if (allowLoopback && isLoopback(url)) return true
  return url.protocol === 'https:' && url.port === '' && apiHosts.has(url.hostname)
}

/**
 * The address of an approve page, or undefined unless it is https on a host of paypal.com, or, if the API itself is on
 * loopback, on the API's origin.
 */
export const approveUrl = (href: string, baseUrl: string): string | undefined => {
  // WHATWG parsing drops tabs and converts backslashes, so the text is checked before it is parsed.
  const url = /^[\x21-\x5b\x5d-\x7e]{1,2000}$/.test(href) ? URL.parse(href) : null
  if (!url || url.username || url.password) return undefined
  const base = new URL(baseUrl)
  const isBase = isLoopback(base) && url.origin === base.origin
  const isPayPal = url.protocol === 'https:' && url.port === '' && /(^|\.)paypal\.com$/.test(url.hostname)
  return isBase || isPayPal ? url.href : undefined
}
