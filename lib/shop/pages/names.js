// @ts-check
import { pathOf } from './router.js'

/** @param {{ id: number, path_segment: string }} wine */
export const wineLink = ({ id, path_segment }) => pathOf('wine', { id, slug: path_segment })

/**
 * A wine's name with its vintage.
 * @param {{ name: string, vintage: number | null }} wine
 */
export const wineName = ({ name, vintage }) =>
  vintage && !name.includes(String(vintage)) ? `${name} ${vintage}` : name

/**
 * The countries that an address may be in, as codes with names: those that the merchant ships to, its own first, else all that
 * have a name in the labels.
 * @param {{
 *   labels: { countries: Record<string, string> },
 *   language: string,
 *   session: { merchant: { shipsTo: readonly string[], countrycode: string | null } },
 * }} shop
 */
export const countriesOf = ({ labels, language, session }) => {
  const { shipsTo, countrycode } = session.merchant
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const codes = shipsTo.length > 0 ? shipsTo : Object.keys(labels.countries)
  return codes
    .map(code => [code, labels.countries[code] ?? names.of(code.toUpperCase()) ?? code])
    .sort(([one, name = ''], [other, otherName = '']) =>
      [one, other].includes(countrycode ?? '') ? (one === countrycode ? -1 : 1) : name.localeCompare(otherName),
    )
}

/**
 * Returns a wine with the texts of its translation, if there is a public translation.
 * @template {{ translations: { id: number, language: string }[] }} Wine
 * @param {Wine} wine
 * @param {string} language
 * @param {(id: number) => Promise<Wine & Translated>} read Reads a wine by its id.
 * @returns {Promise<Wine>}
 */
export const translateWine = async (wine, language, read) => {
  const entry = wine.translations.find(one => one.language === language)
  // A failure leaves the original texts.
  const found = entry && (await read(entry.id).catch(() => undefined))
  if (!found || found.active !== 1 || found.public !== 1) return wine
  const { description, nostocktext, expertisePdf } = found
  return { ...wine, language, description, nostocktext, expertisePdf }
}

/** @typedef {{ active: number, public: number, description: string | null, nostocktext: string | null, expertisePdf: string | null }} Translated */
