import type { TasteId, WineType } from '../../../shared/contract/labels/labels.ts'
import { lot, type XWine } from './xwines.ts'

/** The type of a wine, its kind in each language of its descriptions, and its category. */
export type Style = { type: WineType; kind: { de: string; en: string }; category: string }

const styles = {
  red: { type: 'red', kind: { de: 'Rotwein', en: 'red wine' }, category: 'Rotwein' },
  white: { type: 'white', kind: { de: 'Weißwein', en: 'white wine' }, category: 'Weißwein' },
  rose: { type: 'rose', kind: { de: 'Roséwein', en: 'rosé wine' }, category: 'Roséwein' },
  sparkling: { type: 'sparkling', kind: { de: 'Schaumwein', en: 'sparkling wine' }, category: 'Schaumwein' },
  secco: { type: 'secco', kind: { de: 'Perlwein', en: 'lightly sparkling wine' }, category: 'Schaumwein' },
  sweetRed: { type: 'red', kind: { de: 'roter Süßwein', en: 'sweet red wine' }, category: 'Süßwein' },
  sweetWhite: { type: 'white', kind: { de: 'weißer Süßwein', en: 'sweet white wine' }, category: 'Süßwein' },
  spirit: { type: 'destilate', kind: { de: 'Tresterbrand', en: 'grape marc spirit' }, category: 'Destillate' },
} as const satisfies Record<string, Style>

const lightlySparkling = /Moscato d'Asti|Brachetto|Lambrusco|Fragolino|Lightly Sparkling/
const redSweet = /Ruby|Tawny|\bPort\b|Porto|Colheita P|Licoroso Tinto|Recioto|Rosso|Zinfandel/
const whiteSweet = /White|Branco/

/** The style of a wine: X-Wines' type; desserts by strength (from 30 % a spirit) and by the colour in their name. */
export const styleOf = ({ type, name, abv }: XWine): Style => {
  if (type === 'Red') return styles.red
  if (type === 'White') return styles.white
  if (type === 'Rosé') return styles.rose
  if (type === 'Sparkling') return lightlySparkling.test(name) ? styles.secco : styles.sparkling
  if (!type.startsWith('Dessert')) throw new RangeError(`no wine type for ${type}`)
  if (abv >= 30) return styles.spirit
  return redSweet.test(name) && !whiteSweet.test(name) ? styles.sweetRed : styles.sweetWhite
}

export const isCuvee = ({ elaborate }: XWine): boolean => elaborate.startsWith('Assemblage')

type Rule = readonly [pattern: RegExp, taste: TasteId]

// The first matching rule applies.
const sparklingRules: readonly Rule[] = [
  [/\bNature\b/i, 8],
  [/Extra Brut/i, 10],
  [/Extra Dry/i, 12],
  [/Demi-Sec|Meio Seco/i, 15],
  [/\bSec\b|\bSeco\b/i, 14],
  [/Mosca|Asti|Brachetto|Fragolino/i, 6],
  [/Lambrusco/i, 4],
]
const stillRules: readonly Rule[] = [
  [/Semi[- ]Dry|Medium Dry/i, 2],
  [/Feinherb/i, 3],
  [/Semi[- ]Sweet|Medium Sweet/i, 4],
  [/Trocken(?!beeren)|\bDry\b(?! Creek)|\bSeco\b|\bFino\b|Oloroso/i, 1],
  [/beerenauslese|Eiswein|Icewine|Botrytis|Noble|Asz[uú]|Sauternes|Vin Santo|Recioto|\bPX\b|Pedro Xim/i, 7],
  [/Moscato|White Zinfandel/i, 6],
  [/Auslese|Spätlese/i, 4],
  [/Kabinett/i, 11],
]

const byRules = (rules: readonly Rule[], name: string): TasteId | undefined =>
  rules.find(([pattern]) => pattern.test(name))?.[1]

/** The taste: what the name says; else brut for sparkling, sweet for sweet, by strength for other wine; spirits none. */
export const tasteOf = (wine: XWine, { type, category }: Style): TasteId | null => {
  if (type === 'destilate') return null
  if (category === 'Schaumwein') return byRules(sparklingRules, wine.name) ?? 9
  const named = byRules(stillRules, wine.name)
  if (named) return named
  if (category === 'Süßwein') return 6
  return wine.abv < 10.5 ? 2 : 1
}

/** Grams of sugar a litre that go with a taste: the least and the most. */
const sugars: Readonly<Record<TasteId, readonly [least: number, most: number]>> = {
  1: [1, 7],
  2: [10, 17],
  3: [9, 15],
  4: [20, 44],
  5: [50, 70],
  6: [60, 120],
  7: [120, 220],
  8: [0, 3],
  9: [5, 11],
  10: [3, 6],
  11: [30, 44],
  12: [12, 17],
  13: [0, 3],
  14: [17, 31],
  15: [33, 49],
}

/** Sugar in g/l, one decimal: inside its taste's range, fuller wines higher, shifted by the id; none for spirits. */
export const sweetnessOf = ({ id, body }: XWine, taste: TasteId | null): string | null => {
  if (taste === null) return null
  const [least, most] = sugars[taste]
  return (least + (most - least) * (0.6 * lot(id, 389) + 0.1 * body)).toFixed(1)
}

/** Acid in g/l, one decimal: from 4.2, 5.2 or 6.4 by acidity, up to 1.2 more by the id, 0.5 less for red; none for spirits. */
export const acidOf = ({ id, acidity }: XWine, { type }: Style): string | null => {
  if (type === 'destilate') return null
  const least = [4.2, 5.2, 6.4][acidity] ?? 5.2
  return (least + 1.2 * lot(id, 283) - (type === 'red' ? 0.5 : 0)).toFixed(1)
}

const redTemperatures = ['12-14', '13-15', '15-17', '16-18', '17-18']
const whiteTemperatures = ['7-9', '8-10', '9-11', '10-12', '11-13']

/** The temperature to drink it at, in °C: fuller wines warmer, sparkling and sweet ones cool. */
export const temperatureOf = ({ body }: XWine, { type, category }: Style): string => {
  if (type === 'destilate') return '16-18'
  if (category === 'Schaumwein') return '6-8'
  if (category === 'Süßwein') return type === 'red' ? '14-16' : '8-10'
  return (type === 'red' ? redTemperatures : whiteTemperatures)[body] ?? '10-12'
}
