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
 * Returns a wine with the texts of its translation, if there is a public one.
 * @template {{ translations: { id: number, language: string }[] }} Wine
 * @param {Wine} wine
 * @param {string} language
 * @param {(id: number) => Promise<Wine & Translated>} read Reads a wine by its id.
 * @returns {Promise<Wine>}
 */
export const translated = async (wine, language, read) => {
  const entry = wine.translations.find(one => one.language === language)
  // A failure leaves the original texts.
  const found = entry && (await read(entry.id).catch(() => undefined))
  if (!found || found.active !== 1 || found.public !== 1) return wine
  const { description, nostocktext, expertisePdf } = found
  return { ...wine, language, description, nostocktext, expertisePdf }
}

/** @typedef {{ active: number, public: number, description: string | null, nostocktext: string | null, expertisePdf: string | null }} Translated */
