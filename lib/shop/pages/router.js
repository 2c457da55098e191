// @ts-check
// The addresses of the shop, for its pages and for its server, which returns 404 for all others.

/** The paths of the pages; `:name` is a parameter, `:name?` an optional parameter. */
export const paths = {
  start: '/',
  wines: '/shop/wines',
  wine: '/shop/wine/:id/:slug?',
  basket: '/shop/basket',
  checkout: '/shop/checkout',
  thanks: '/shop/thanks',
  payment: '/shop/payment',
  paymentCancelled: '/shop/payment/cancelled',
  account: '/shop/account',
  accountOrder: '/shop/account/order/:uuid',
  signIn: '/shop/sign-in',
  register: '/shop/register',
  activate: '/shop/activate',
  forgot: '/shop/forgot',
  reset: '/shop/reset',
  mailbox: '/shop/mailbox',
  shipping: '/shop/shipping',
  imprint: '/shop/imprint',
  terms: '/shop/terms',
  withdrawal: '/shop/withdrawal',
  privacy: '/shop/privacy',
}

/** @typedef {keyof typeof paths} PageName */
/** @typedef {{ name: PageName, params: Record<string, string> }} Route */

const names = /** @type {PageName[]} */ (Object.keys(paths))

/** @param {string} text */
const decodeSegment = text => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns the page at a path; undefined if there is none.
 * @param {string} path
 * @returns {Route | undefined}
 */
export const routeOf = path => {
  const given = path.replace(/(.)\/$/, '$1').split('/')
  for (const name of names) {
    const wanted = paths[name].split('/')
    if (given.length > wanted.length) continue
    /** @type {Record<string, string>} */
    const params = {}
    const fits = wanted.every((part, n) => {
      const own = given[n]
      if (!part.startsWith(':')) return part === own
      const isOptional = part.endsWith('?')
      if (!own) return isOptional
      params[part.replace(/[:?]/g, '')] = decodeSegment(own)
      return true
    })
    if (fits) return { name, params }
  }
  return undefined
}

/**
 * @param {PageName} name
 * @param {Record<string, string | number>} [params]
 */
export const pathOf = (name, params = {}) =>
  paths[name]
    .split('/')
    .map(part => (part.startsWith(':') ? encodeURIComponent(params[part.replace(/[:?]/g, '')] ?? '') : part))
    .join('/')
    .replace(/(.)\/$/, '$1')
