// @ts-check
// Amounts are text with two decimals; calculations are in whole cents.

/** @typedef {{ gross: string, taxrate: number }} Line A line total and its tax rate in percent. */

/**
 * The cents of an amount such as "-12.50". Throws a RangeError for any other text.
 * @param {string} amount
 */
export const centsOf = amount => {
  const [, sign, whole, cents] = /^(-?)(\d+)\.(\d\d)$/.exec(amount) ?? []
  if (whole === undefined) throw new RangeError('not an amount with two decimals')
  return (sign ? -1 : 1) * (Number(whole) * 100 + Number(cents))
}

/** @param {number} cents */
export const amountOf = cents => {
  const positive = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${positive.slice(0, -2)}.${positive.slice(-2)}`
}

/** @param {readonly string[]} amounts */
export const sumOf = amounts => amountOf(amounts.reduce((sum, amount) => sum + centsOf(amount), 0))

/**
 * @param {string} amount
 * @param {number} quantity
 */
export const times = (amount, quantity) => amountOf(centsOf(amount) * quantity)

/**
 * The tax in gross prices, by rate, the highest first: calculated once from the sum of a rate, as on invoices.
 * @param {readonly Line[]} lines
 * @returns {{ taxrate: number, gross: string, net: string, tax: string }[]}
 */
export const taxLinesOf = lines => {
  /** @type {Map<number, number>} */
  const sums = new Map()
  for (const { gross, taxrate } of lines) sums.set(taxrate, (sums.get(taxrate) ?? 0) + centsOf(gross))
  return [...sums]
    .filter(([, gross]) => gross !== 0)
    .sort(([one], [other]) => other - one)
    .map(([taxrate, gross]) => {
      const net = Math.sign(gross) * Math.round((Math.abs(gross) * 100) / (100 + taxrate))
      return { taxrate, gross: amountOf(gross), net: amountOf(net), tax: amountOf(gross - net) }
    })
}

/**
 * The amount missing for free shipping; undefined if it is free already, or never is.
 * @param {string} goods
 * @param {string | null} freeFrom
 */
export const missingForFree = (goods, freeFrom) => {
  if (freeFrom === null) return undefined
  const missing = centsOf(freeFrom) - centsOf(goods)
  return missing > 0 ? amountOf(missing) : undefined
}
