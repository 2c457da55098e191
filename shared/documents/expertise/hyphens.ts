import { createRequire } from 'node:module'
import type { Language } from '../../contract/labels.ts'

/** The package whose patterns tell where words may be divided; it lies beside a bundle that draws. */
export const hyphenPackage = 'hyphen'

/** The patterns of each language in it. */
export const hyphenPatterns: Readonly<Record<Language, string>> = { de: 'de-1996', en: 'en-gb' }

type Hyphenator = { hyphenateSync(text: string, options: { minWordLength: number }): string }

// Not imported: a bundle would have to read the patterns, a third of it, at every start.
const load = createRequire(import.meta.url)

/** Divides words of a language where a line may end in a hyphen. The patterns are read for the first word. */
export const hyphenatorOf = (language: Language): ((word: string) => readonly string[]) => {
  const known = new Map<string, readonly string[]>()
  return word => {
    const { hyphenateSync }: Hyphenator = load(`${hyphenPackage}/${hyphenPatterns[language]}/index.js`)
    const parts = known.get(word) ?? hyphenateSync(word, { minWordLength: 6 }).split('\u00ad')
    known.set(word, parts)
    return parts
  }
}
