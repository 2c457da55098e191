import type { IndexedWine } from '../../shared/search/row.ts'

/** A seeded random generator. */
export type Chance = {
  /** An integer from 0 up to, but excluding, `end`. */
  below: (end: number) => number
  /** True with this probability. */
  happens: (probability: number) => boolean
  pick: <Value>(values: readonly Value[]) => Value
}

/** The generator of a seed. */
export const chanceOf = (seed: number): Chance => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    happens: probability => next() < probability,
    pick: values => values[below(values.length)] as (typeof values)[number],
  }
}

/** Words that are easy to get wrong, and plain words. */
export const WORDS: readonly string[] = [
  ...'Riesling|Weißburgunder|WEISSBURGUNDER|WEIẞBURGUNDER|Spätburgunder|Müller|Muller|Mu\u0308ller'.split('|'),
  ...'Große Lage|GROSSE|Straße|Schloß|Öl|öl|Übermut|Apfel|Äpfel|apfel|Zebra|aß|ass|Côte|Cote|crème|cre\u0300me'.split(
    '|',
  ),
  ...`„Alte Reben“|"Alte Reben"|L'Étoile|‚S‘|–|€|🍷|👩‍🌾|🍇🍷|ΜΑΣ|ΜΑΣΤΙΧΑ|μας|İstanbul|istanbul|ıslak`.split('|'),
  ...'J\u030Cin|ǰin|ß\u0307|ﬁne|東京|\ud83d|\udf77'.split('|'),
  // Stop words are twice in most texts, and signs are between words in many ways.
  ...'und|und|mit|und mit|elegant und mit|mit und|a a|a, a|St. |(Bio)|x\ny|-| - |...'.split('|'),
  ...'a\u001fb|a\u001eb|ab|x\u0001y|xy|%|_|\\|10|9|2er|12.5|null|| |q'.split('|'),
]

const TYPES = ['red', 'white', 'rose', 'sparkling', 'Sekt', 'sekt'] as const
const PLACES = ['Bad Dürkheim', 'Würzburg', 'Wurzburg', 'Zell', 'Ürzig', 'ürzig', 'Aßmannshausen', 'A', 'Mosel']

const two = (number: number): string => String(number).padStart(2, '0')

/** A wine with random fields: nullable fields are sometimes null, and values repeat often enough for ties. */
export const wineOf = (id: number, chance: Chance): IndexedWine => {
  const { below, happens, pick } = chance
  const words = (most: number) => {
    const joint = pick([' ', ' ', '', '-', ', ', '. ', '\n', ' und ', undefined])
    return Array.from({ length: 1 + below(most) }, () => pick(WORDS)).reduce(
      (text, word) => `${text}${joint ?? pick([' ', ', ', '. ', ' – '])}${word}`,
    )
  }
  const maybe = <Value>(value: Value): Value | null => (happens(0.25) ? null : value)
  const flag = () => below(2) as 0 | 1
  const ids = (highest: number) => Array.from({ length: below(4) }, () => 1 + below(highest))
  const stamp = () => `20${two(20 + below(5))}-0${1 + below(3)}-1${below(3)} 10:0${below(3)}:00`
  const decimal = (highest: number, places: number) => (below(highest * 100) / 100).toFixed(places)
  const wine: IndexedWine = {
    id,
    name: words(4),
    articlenumber: maybe(`${pick(['A', 'a', ''])}${below(300)}`),
    taste_id: maybe(1 + below(15)),
    vintage: maybe(1995 + below(30)),
    alcohol: maybe(decimal(15, 1)),
    sweetness: maybe(decimal(90, 1)),
    acid: maybe(decimal(9, 1)),
    bottlesize: pick(['0.750', '0.75', '1.000', '0.375', '10.000']),
    drinktemperature: maybe(pick(['8-10', '10-12', '6-8'])),
    gross: decimal(120, 2),
    net: decimal(100, 2),
    tax: decimal(19, 2),
    taxrate: pick([7, 19]),
    place: maybe(pick(PLACES)),
    description: maybe(words(25)),
    image: maybe(`/img/${below(50)}.jpg`),
    pdf: maybe(`${words(1)}.pdf`),
    active: flag(),
    type: pick(TYPES),
    region: 1000 + below(14),
    countrycode: pick(['de', 'fr', 'at']),
    cuvee: flag(),
    nostock: flag(),
    nostocktext: maybe(words(2)),
    quality: maybe(pick(['origin', 'singlesite', 'Große Lage'])),
    quality_note: maybe(words(2)),
    bottling_type: maybe(pick(['producer', 'estate'])),
    path_segment: `${words(1).toLowerCase()}-${below(2000)}`,
    customers_id: 7,
    origin_id: maybe(below(50)),
    language: pick(['de', 'en']),
    cruser_id: 1 + below(3),
    crstamp: stamp(),
    chstamp: stamp(),
    winery_id: maybe(1 + below(20)),
    weight: 900 + below(500),
    gtin: maybe(String(4_000_000_000_000 + below(1000))),
    terroir: maybe(pick(['Löß', 'Löss', 'Schiefer'])),
    maturation: maybe(words(2)),
    cap: maybe(pick(['screw', 'cork'])),
    bio: flag(),
    vegan: flag(),
    sorting: below(40),
    topseller: flag(),
    network: flag(),
    internal: flag(),
    public: flag(),
    shop: flag(),
    winesearch: flag(),
    expertisePdf: maybe(`/PDF/${id}/x.pdf`),
    hash: (id * 7919).toString(16).padStart(32, '0'),
    version: 1 + below(4),
    winery: happens(0.2) ? null : ({ id: 1, name: `Weingut ${words(1)}` } as IndexedWine['winery']),
    categoryIds: ids(8),
    allergenIds: ids(14),
    grapetypeIds: ids(200),
  }
  return happens(0.2) ? publicWine(wine) : wine
}

const publicWine = ({ network: _, internal: __, cruser_id: ___, allergenIds: ____, ...seen }: IndexedWine) => seen
