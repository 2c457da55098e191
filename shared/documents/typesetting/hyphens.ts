import { createRequire } from 'node:module'
import type { Language } from '../../contract/labels/labels.ts'

/** The package with the hyphenation patterns; it is copied next to bundles that draw. */
export const hyphenPackage = 'hyphen'

/** The package's pattern files by language. */
export const hyphenPatterns: Readonly<Record<Language, string>> = { de: 'de-1996', en: 'en-gb' }

type Hyphenator = { hyphenateSync(text: string, options: { minWordLength: number }): string }

// Not imported: the patterns would be a third of a bundle, read at every start.
const load = createRequire(import.meta.url)

/** Splits words of a language into hyphenation parts. The patterns are read for the first word. */
export const hyphenatorOf = (language: Language): ((word: string) => readonly string[]) => {
  const known = new Map<string, readonly string[]>()
  return word => {
    const { hyphenateSync }: Hyphenator = load(`${hyphenPackage}/${hyphenPatterns[language]}/index.js`)
    const parts = known.get(word) ?? hyphenateSync(word, { minWordLength: 6 }).split('\u00ad')
    known.set(word, parts)
    return parts
  }
}
