import { isLoopback } from '../../platform/loopback.ts'

const apiHosts = new Set(['api-m.paypal.com', 'api-m.sandbox.paypal.com'])

const isBareOrigin = (url: URL, text: string): boolean => text === url.origin || text === `${url.origin}/`

/** Whether PayPal's API may be asked there: PayPal's two hosts over https, and loopback where that is allowed. */
export const isApiUrl = (text: string, allowLoopback: boolean): boolean => {
  const url = URL.parse(text)
  if (!url || !isBareOrigin(url, text)) return false
  if (allowLoopback && isLoopback(url)) return true
  return url.protocol === 'https:' && url.port === '' && apiHosts.has(url.hostname)
}

/**
 * The address a payer may be sent to, or undefined: https on a host of paypal.com, or, when the API itself is on
 * loopback, on the API's own host.
 */
export const approveUrl = (href: string, baseUrl: string): string | undefined => {
  // WHATWG parsing drops tabs and turns backslashes round, so the text is looked at before it is parsed.
  const url = /^[\x21-\x5b\x5d-\x7e]{1,2000}$/.test(href) ? URL.parse(href) : null
  if (!url || url.username || url.password) return undefined
  const base = new URL(baseUrl)
  const isBase = isLoopback(base) && url.origin === base.origin
  const isPayPal = url.protocol === 'https:' && url.port === '' && /(^|\.)paypal\.com$/.test(url.hostname)
  return isBase || isPayPal ? url.href : undefined
}
