// @ts-check

/** @typedef {{ key: string, order: string }} Attempt The key of a checkout, and the order that it is for, as JSON. */

/**
 * The attempt to place an order: the same order has the same key, so that a double click, or a second try after a lost
 * answer, orders once; another order has another key.
 * @param {object} order
 * @param {Attempt | undefined} before
 * @param {() => string} newKey
 * @returns {Attempt}
 */
export const attemptFor = (order, before, newKey) => {
  const text = JSON.stringify(order)
  return before?.order === text ? before : { key: newKey(), order: text }
}
