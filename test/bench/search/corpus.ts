import type { WineRow } from '../../../lib/tool/imports/wine-catalogue.ts'
import type { IndexedWine } from '../../../shared/search/row.ts'
import { slug } from '../../../shared/values/slug.ts'
import { demoWinesOf } from '../../support/demo-wines.ts'
import { type Chance, chanceOf } from '../../support/indexed-wines.ts'

/** The seed of all random values. */
export const seed = 20260101

// The maximum number of invented words; as in any language, few of them are frequent and most are rare.
const maxWords = 1_000_000

const syllables = [
  ...['ba', 'kel', 'lo', 'mir', 'ru', 'sta', 'ven', 'tor', 'gra', 'pol', 'dun', 'wex', 'zil', 'hof', 'ner', 'ling'],
  ...['au', 'bra', 'dor', 'fei', 'gun', 'hei', 'jo', 'kla', 'mon', 'nau', 'öst', 'pfa', 'rie', 'schö', 'tru', 'wei'],
]

const spelled = (rank: number): string => {
  let word = ''
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

// The logarithm of the rank is uniformly distributed: a word's frequency is proportional to 1 / rank.
const newWord = ({ below }: Chance): string => spelled(Math.floor(maxWords ** (below(2 ** 30) / 2 ** 30)) - 1)

const tastes = ['elegant', 'saftig', 'mineralisch', 'würzig', 'cremig', 'straff', 'rund', 'trocken', 'fein', 'dicht']
const scents = ['Quitte', 'Zitrus', 'Apfel', 'Kirsche', 'Pflaume', 'Vanille', 'Leder', 'Tabak', 'Honig', 'Kräutern']
const joints = ['mit', 'von', 'voll', 'reich an', 'getragen von']
const manners = [
  'viel Druck',
  'langem Nachhall',
  'reifem Tannin',
  'kühler Frische',
  'feinem Schmelz',
  'dem Duft von Moos',
]

/** A tasting note with neighbouring stop words, some of them twice. */
const tasted = (chance: Chance): string => {
  const { pick, happens } = chance
  const scent = happens(0.3) ? newWord(chance) : pick(scents)
  return [
    ` Im Duft ${pick(scents)}, ${scent} und ein Hauch von ${pick(scents)}.`,
    ` Am Gaumen ${pick(tastes)} und ${pick(joints)} ${pick(manners)}, ${pick(tastes)} und ${pick(joints)} ${pick(manners)}.`,
    happens(0.1)
      ? ` Aus der Lage ${newWord(chance)} und mit der Hand gelesen, im ${pick(['Stahl', 'Holz'])} gereift.`
      : '',
    happens(0.6)
      ? ` ${pick(['Rund', 'Jung', 'Kühl'])} ein ${pick(['Begleiter', 'Genuss'])} zu ${pick(scents)} oder ${newWord(chance)}, auch nach Jahren noch ${pick(tastes)}.`
      : '',
  ].join('')
}

const two = (number: number): string => String(number).padStart(2, '0')

// Wines of one import have the same time; their order is then by name.
const moment = ({ below }: Chance): string =>
  `202${4 + below(2)}-${two(1 + below(12))}-${two(1 + below(28))} ${two(8 + below(10))}:${two(below(60))}:00`

/** The wines of a bench: number n is the same at every size. */
export type Corpus = { wineOf: (n: number) => IndexedWine; edited: (n: number, turn: number) => IndexedWine }

/** The demo's wines, repeated as needed with other names, words, numbers, prices and times. */
export const corpus = (): Corpus => {
  const demo = demoWinesOf('elbufer')
  const slugs = demo.map(({ name }) => slug(name))
  const wineOf = (n: number, turn = 0): IndexedWine => {
    const place = n % demo.length
    const row = demo[place] as WineRow
    const chance = chanceOf(seed + n + turn * 2 ** 24)
    const word = newWord(chance)
    const words = (row.description ?? '').split(' ')
    const description = words.map(one => (chance.happens(0.02) ? newWord(chance) : one)).join(' ') + tasted(chance)
    return {
      ...row,
      id: n + 1,
      articlenumber: `${row.articlenumber}-${10_000_000 + n}`,
      name: n < demo.length ? row.name : `${row.name} ${word[0]?.toUpperCase()}${word.slice(1)}`,
      vintage: row.vintage && 2000 + chance.below(26),
      gross: (5 + (chance.below(8000) * chance.below(100)) / 10_000).toFixed(2),
      description,
      path_segment: `${slugs[place]}-${word}-${n}`.replace('ö', 'oe'),
      chstamp: moment(chance),
      crstamp: moment(chance),
    }
  }
  return { wineOf: n => wineOf(n), edited: wineOf }
}
