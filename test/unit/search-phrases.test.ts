import { bitsBetween, countBits } from '../../shared/wines/search/engine/bits.ts'
import { buildLexicon as building } from '../../shared/wines/search/engine/build-lexicon.ts'
import { rowsWith } from '../../shared/wines/search/engine/phrases.ts'
import { atOnce } from '../../shared/wines/search/engine/slices.ts'
import { sizeOf } from '../../shared/wines/search/engine/vocabulary.ts'
import { type Chance, chanceOf } from '../support/indexed-wines.ts'
import { isWhole } from '../support/short.ts'

const buildLexicon = (texts: readonly (readonly string[])[]) => atOnce(building(texts))

// So few words that each stands in most texts, and often twice.
const words = ['und', 'und', 'und', 'und', 'mit', 'wein', 'weine']
const joints = [' ', ' ', ' ', ', ']

// Some begin or end in a word, others in what stands between words.
const textOf = ({ below, happens, pick }: Chance): string => {
  const text = Array.from({ length: below(24) }, () => pick(joints) + pick(words)).join('')
  return (happens(0.5) ? text.slice(1) : text) + (happens(0.3) ? pick(joints) : '')
}

/** A piece of a text, or some words that may stand nowhere. */
const phraseOf = (texts: readonly string[], chance: Chance): string => {
  if (chance.happens(0.3)) return textOf(chance).slice(0, 30)
  const text = chance.pick(texts)
  const start = chance.below(text.length + 1)
  return text.slice(start, start + 1 + chance.below(25))
}

const found = (lexicon: ReturnType<typeof buildLexicon>, phrase: string, slot?: number): number[] => {
  const bits = rowsWith(lexicon, phrase, slot)
  return bits ? bitsBetween(bits, 0, countBits(bits)) : []
}

test.each(
  Array.from({ length: isWhole ? 40 : 4 }, (_, n) => n),
)('a phrase over words that stand in most texts, and twice, is found just where it stands (%i)', seed => {
  const chance = chanceOf(seed)
  const rows = Array.from({ length: 1000 }, () => [textOf(chance), textOf(chance)])
  const lexicon = buildLexicon(rows)
  const hitsBy = (holds: (slots: readonly string[]) => boolean) =>
    rows.flatMap((slots, row) => (holds(slots) ? [row] : []))
  for (let n = 0; n < 150; n++) {
    const phrase = phraseOf(chance.pick(rows), chance)
    const right = {
      phrase,
      anywhere: hitsBy(slots => slots.some(text => text.includes(phrase))),
      first: hitsBy(([text = '']) => text.includes(phrase)),
    }
    expect({ phrase, anywhere: found(lexicon, phrase), first: found(lexicon, phrase, 0) }).toEqual(right)
  }
})

test('one letter and two are found in every script, and of scripts with many letters nothing is kept for each pair', () => {
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
