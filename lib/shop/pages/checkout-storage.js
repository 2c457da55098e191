// @ts-check
// The checkout survives a visit of the payment service: its form and its last attempt are in the session storage.

/** @typedef {{ key: string, order: string }} Attempt The idempotency key of an order, and that order as JSON. */
/** @typedef {{ form?: object, attempt?: Attempt }} Checkout */

const name = 'shop-checkout'

/** @returns {Checkout} */
export const readCheckout = () => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '{}')
  } catch {
    return {}
  }
}

/** @param {Checkout} parts */
export const saveCheckout = parts => sessionStorage.setItem(name, JSON.stringify({ ...readCheckout(), ...parts }))

/** After this, even the same order is a new order. */
export const forgetAttempt = () => saveCheckout({ attempt: undefined })

export const forgetCheckout = () => sessionStorage.removeItem(name)

/**
 * Returns the attempt to place an order. The same order has the same key, so that a double click, or a retry after a lost
 * response, orders once.
 * @param {object} order
 * @param {Attempt | undefined} before
 * @param {() => string} newKey
 * @returns {Attempt}
 */
export const attemptFor = (order, before, newKey) => {
  const text = JSON.stringify(order)
  return before?.order === text ? before : { key: newKey(), order: text }
}
