import { ingredientKeys } from '../../shared/contract/labels/label-tables.ts'
import type { Ingredient } from '../../shared/contract/records/facts.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import type { Details } from '../../shared/documents/expertise/sheet.ts'
import { full } from './expertise-sheet-samples.ts'
import { label } from './label-samples.ts'

// The same at every run: of all hostile texts those cost most in which no word comes twice.
const noise = (letters: string, length: number): string => {
  const signs = [...letters]
  let seed = 7
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return signs[Math.floor((seed / 2 ** 31) * signs.length)] ?? ''
  }
  return Array.from({ length }, next).join('')
}

/** Texts that make drawing slow, each of 10,000 characters. */
export const hostileTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'no-break spaces': 'a\u00a0b\u202f'.repeat(2500),
    'letters between no-break spaces': noise('abcdefghi\u00a0', 10_000),
    'one endless word of wide letters': noise('WM@ÆŒ', 10_000),
    'narrow letters': noise('il.,', 10_000),
    'one-letter words': 'a '.repeat(5000),
    'words of one or two letters': noise('ilW  ', 10_000),
    hyphens: `${'-'.repeat(9999)}a`,
    'hyphens and blanks': `${'- '.repeat(4999)}ab`,
    'soft hyphens': noise('aWi\u00ad', 10_000),
    'soft hyphens alone': '\u00ad'.repeat(10_000),
    'combining marks': `a${'\u0301\u0323\u0330'.repeat(3333)}`,
    'letters with marks': noise('aeo\u0301\u0323\u0330 ', 10_000),
    'zero-width signs': 'a\u200b\u200d\ufeff'.repeat(2500),
    'line ends': '\n'.repeat(10_000),
    'lines of one letter': 'a\n'.repeat(5000),
    emoji: `${'🍷'.repeat(9999)}a`,
    'emoji and blanks': `${'🍷 '.repeat(4999)}ab`,
    'Arabic and Chinese': '\u0645\u0631葡萄 '.repeat(2000),
    'signs that stand for many': '\ufdfa㎯㈝'.repeat(3333),
    'ligatures and kerning': noise('fiTAVoy ', 10_000),
    'sentences of one letter': 'A. '.repeat(3333),
    'every kind at once': noise('aW\u00a0\u00ad\u0301\n🍷葡-–.,; fi\u202f', 10_000),
  }),
)

const short = (text: string): string => [...text].slice(0, 255).join('')

/** As many ingredients, with as long names, as facts may have. */
const ingredientsOf = (text: string): Ingredient[] => [
  ...ingredientKeys.slice(0, 35).map(key => ({ key })),
  ...Array.from({ length: 5 }, (_, n) => {
    const name = text.slice(n * 100, (n + 1) * 100).trim() || `${n}`
    return { name, class: 'preservative', allergen: 1 } as const
  }),
]

/** A wine all of whose texts are one text, as long as the limits allow, with grapes and merchant to match. */
export const hostileWine = (text: string): { wine: Wine; details: Details } => {
  const line = short(text.replaceAll('\n', ' '))
  const winery = { name: line, company: line, address: line, zip: line, city: line, www: line, freetext: text }
  const wine: Wine = {
    ...full,
    name: line,
    description: text,
    ...{ place: line, quality: line, quality_note: line, drinktemperature: line, terroir: line, maturation: line },
    ...{ articlenumber: line, countrycode: 'xx', allergenIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] },
    winery: full.winery && { ...full.winery, ...winery },
  }
  // Each of its own, so that no measure serves twice.
  const grapeNames = Array.from({ length: 100 }, (_, n) => short(`${n}${line}`))
  const merchant = { name: line, address: line, zip: line, city: line, phone: line, mail: line, www: line }
  const facts = { ingredients: ingredientsOf(text.replaceAll('\n', ' ')), packaging: [], nutrition: label.nutrition }
  return {
    wine,
    details: { grapeNames, merchant, facts, labelUrl: `https://${'a'.repeat(50)}.example/e/${label.hash}` },
  }
}
