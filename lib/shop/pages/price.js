// @ts-check
// Amounts come as text with two decimals; what is reckoned here is reckoned in whole cents.

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

/**
 * Cents as an amount with two decimals.
 * @param {number} cents
 */
export const amountOf = cents => {
  const positive = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${positive.slice(0, -2)}.${positive.slice(-2)}`
}

/**
 * The sum of amounts.
 * @param {readonly string[]} amounts
 */
export const sumOf = amounts => amountOf(amounts.reduce((sum, amount) => sum + centsOf(amount), 0))

/**
 * An amount so many times.
 * @param {string} amount
 * @param {number} quantity
 */
export const times = (amount, quantity) => amountOf(centsOf(amount) * quantity)

/**
 * The price of a litre (Grundpreis), rounded to the cent; undefined where the size is not known.
 * @param {string} gross
 * @param {string} litres such as "0.750"
 */
export const basePriceOf = (gross, litres) => {
  const millilitres = Math.round(Number(litres) * 1000)
  return millilitres > 0 ? amountOf(Math.round((centsOf(gross) * 1000) / millilitres)) : undefined
}

/**
 * The tax that prices contain, by rate, the highest first: reckoned once over all lines of a rate, as invoices are.
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
 * What is still missing until sending is free; undefined where it is free by now, or never is.
 * @param {string} goods
 * @param {string | null} freeFrom
 */
export const missingForFree = (goods, freeFrom) => {
  if (freeFrom === null) return undefined
  const missing = centsOf(freeFrom) - centsOf(goods)
  return missing > 0 ? amountOf(missing) : undefined
}
