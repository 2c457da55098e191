import { bitsBetween, countBits } from '../../shared/search/bits.ts'
import { buildLexicon } from '../../shared/search/build-lexicon.ts'
import { rowsWith } from '../../shared/search/phrases.ts'
import { rowsWithTrigram, termsWith } from '../../shared/search/trigrams.ts'
import { sizeOf, textAt } from '../../shared/search/vocabulary.ts'
import { type Chance, chanceOf } from '../support/indexed-wines.ts'
import { runsAllCases } from '../support/sampling.ts'

// So few words that each is in most texts, and often twice.
const words = ['und', 'und', 'und', 'und', 'mit', 'wein', 'weine']
const joints = [' ', ' ', ' ', ', ']

// Some begin or end with a word, others with separators.
const textOf = ({ below, happens, pick }: Chance, own = words): string => {
  const text = Array.from({ length: below(24) }, () => pick(joints) + pick(own)).join('')
  return (happens(0.5) ? text.slice(1) : text) + (happens(0.3) ? pick(joints) : '')
}

/** A piece of a text, or some words that may stand nowhere. */
const phraseOf = (texts: readonly string[], chance: Chance, own = words): string => {
  if (chance.happens(0.3)) return textOf(chance, own).slice(0, 30)
  const text = chance.pick(texts)
  const start = chance.below(text.length + 1)
  return text.slice(start, start + 1 + chance.below(25))
}

const found = (lexicon: ReturnType<typeof buildLexicon>, phrase: string, slot?: number): number[] => {
  const bits = rowsWith(lexicon, phrase, slot)
  return bits ? bitsBetween(bits, 0, countBits(bits)) : []
}

/** Compares the hits of phrases in a lexicon with a scan of its rows. */
const expectRight = (rows: readonly string[][], chance: Chance, phrases: number, own = words) => {
  const lexicon = buildLexicon(rows)
  const hitsBy = (holds: (slots: readonly string[]) => boolean) =>
    rows.flatMap((slots, row) => (holds(slots) ? [row] : []))
  for (let n = 0; n < phrases; n++) {
    const phrase = phraseOf(chance.pick(rows), chance, own)
    const right = {
      phrase,
      anywhere: hitsBy(slots => slots.some(text => text.includes(phrase))),
      first: hitsBy(([text = '']) => text.includes(phrase)),
    }
    expect({ phrase, anywhere: found(lexicon, phrase), first: found(lexicon, phrase, 0) }).toEqual(right)
  }
}

test.each(
  Array.from({ length: runsAllCases ? 40 : 2 }, (_, n) => n),
)('a phrase of words that most texts contain, twice, is found exactly where it occurs (%i)', seed => {
  const chance = chanceOf(seed)
  const rows = Array.from({ length: 1000 }, () => [textOf(chance), textOf(chance)])
  expectRight(rows, chance, 150)
})

// Stop words among words that stand in some texts once, and some that stand in few.
const mixed = [...words, ...words, ...Array.from({ length: 40 }, (_, n) => `wort${n}`), 'weinberg', 'mitte']

test.each([
  ['nothing but stop words', words],
  ['other words as well', mixed],
])('in many texts of %s a phrase is found exactly where it occurs', (_, own) => {
  for (let seed = 50; seed < (runsAllCases ? 60 : 51); seed++) {
    const chance = chanceOf(seed)
    const rows = Array.from({ length: 8192 }, () => [textOf(chance, own), textOf(chance, own)])
    expectRight(rows, chance, runsAllCases ? 300 : 100, own)
  }
})

// Each two neighbours of the wrong phrase are in the text, but not in one place: a middle word is repeated.
test.each([
  ['rot und jung nass, weiss und jung fein', ['rot und jung fein', 'weiss und jung nass']],
  ['nass alt und rot, fein alt und weiss', ['nass alt und weiss', 'fein alt und rot']],
  ['rot alt rot, mit alt', ['mit alt rot']],
])('a text that many rows contain, %s, makes no false phrase', (text, wrong) => {
  const [first = ''] = text.split(', ')
  const textAt = (row: number): string => {
    if (row % 8 > 0) return `wein${row % 7} und wort und, mit ${row % 11} und`
    return row % 16 === 0 ? text : first
  }
  const lexicon = buildLexicon(Array.from({ length: 8192 }, (_, row) => [textAt(row)]))
  expect(wrong.flatMap(phrase => found(lexicon, phrase))).toEqual([])
  expect(found(lexicon, first)).toHaveLength(1024)
})

test('trigrams find exactly the terms that contain some bytes', () => {
  const chance = chanceOf(23)
  const letters = [...'aabbc', 'ä', '東', '🍷']
  const anyText = (most: number) => Array.from({ length: 1 + chance.below(most) }, () => chance.pick(letters)).join('')
  const lexicon = buildLexicon(Array.from({ length: 400 }, () => [anyText(6)]))
  const texts = Array.from({ length: sizeOf(lexicon.terms) }, (_, n) => textAt(lexicon.terms, n))
  for (let n = 0; n < 400; n++) {
    const needle = Buffer.from(anyText(4))
    const right = texts.flatMap((text, place) => (text.includes(needle) ? [place] : []))
    expect(termsWith(lexicon, needle)).toEqual(right)
  }
  expect(termsWith(buildLexicon([]), Buffer.from('abc'))).toEqual([])
})

test('for three letters that many terms contain the rows are stored: those of all these terms', () => {
  const chance = chanceOf(31)
  const syllables = ['ab', 'abc', 'bca', 'c', 'ö', 'cab-', ' ']
  const anyText = () => Array.from({ length: 8 }, () => chance.pick(syllables)).join('')
  const rows = Array.from({ length: 600 }, () => [anyText(), anyText()])
  const lexicon = buildLexicon(rows)
  const kept = (text: string) => rowsWithTrigram(lexicon, Buffer.from(text)) !== undefined
  expect(['abc', 'bca', 'cab', 'b-a', 'aö'].map(kept)).toEqual([true, true, true, false, false])
  for (const phrase of ['abc', 'bca', 'cab', 'cca', 'bcö', 'xyz', ' ab', '-ab']) {
    const right = (slots: readonly number[]) =>
      rows.flatMap((texts, row) => (slots.some(slot => texts[slot]?.includes(phrase)) ? [row] : []))
    expect({ phrase, all: found(lexicon, phrase), second: found(lexicon, phrase, 1) }).toEqual({
      phrase,
      all: right([0, 1]),
      second: right([1]),
    })
  }
})

test('one and two letters are found in every script, and for scripts with many letters no pair is stored', () => {
  const chance = chanceOf(11)
  const letters = [...'aöñ 1,-αωжю', ...'אם가각東京都', '🍷', '🍇', '\u0301']
  const anyText = (length: number) => Array.from({ length }, () => chance.pick(letters)).join('')
  const rows = Array.from({ length: 300 }, () => [anyText(chance.below(12))])
  const lexicon = buildLexicon(rows)
  for (const phrase of [...letters, ...letters.flatMap(one => letters.map(other => one + other))]) {
    const right = rows.flatMap(([text = ''], row) => (text.includes(phrase) ? [row] : []))
    expect({ phrase, rows: found(lexicon, phrase) }).toEqual({ phrase, rows: right })
  }
  const signs = Array.from({ length: 10_000 }, () => String.fromCodePoint(0x4e00 + chance.below(20_000))).join('')
  expect(sizeOf(buildLexicon([[signs]]).grams)).toBe(0)
})
