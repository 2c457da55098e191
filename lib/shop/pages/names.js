// @ts-check
import { pathOf } from './router.js'

/**
 * The address of a wine's page.
 * @param {{ id: number, path_segment: string }} wine
 */
export const wineLink = ({ id, path_segment }) => pathOf('wine', { id, slug: path_segment })

/**
 * A wine's name with its vintage.
 * @param {{ name: string, vintage: number | null }} wine
 */
export const wineName = ({ name, vintage }) =>
  vintage && !name.includes(String(vintage)) ? `${name} ${vintage}` : name
