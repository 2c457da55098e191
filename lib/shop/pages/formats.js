// @ts-check

/** @typedef {'de' | 'en'} Language */

const locales = { de: 'de-DE', en: 'en-GB' }

/**
 * Formats amounts, numbers and dates. Amounts are text with two decimals, times are UTC; days begin in the time zone.
 * @param {Language} language
 * @param {string} [timeZone] else that of the machine
 */
export const createFormats = (language, timeZone) => {
  const locale = locales[language]
  const euro = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
  const wholeEuro = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 })
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
  const conjunction = new Intl.ListFormat(locale)
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone })
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  /** @param {string} stamp */
  const read = stamp => new Date(stamp.includes('T') ? stamp : `${stamp.replace(' ', 'T')}Z`)
  return {
    /** @param {string | number} amount */
    money: amount => euro.format(Number(amount)),
    /** @param {string | number} amount */
    euros: amount => wholeEuro.format(Number(amount)),
    /** @param {string | number} value */
    number: value => plain.format(Number(value)),
    /** @param {readonly string[]} names */
    list: names => conjunction.format(names),
    /** @param {string} stamp */
    date: stamp => date.format(read(stamp)),
    /** @param {string} stamp */
    time: stamp => time.format(read(stamp)),
  }
}
