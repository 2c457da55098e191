import type { Language } from '../contract/labels.ts'

const patterns = {
  de: () => import('hyphen/de-1996/index.js'),
  en: () => import('hyphen/en-gb/index.js'),
} as const

/** Divides words of a language where a line may end in a hyphen. Reading the patterns takes its time. */
export const hyphenatorOf = async (language: Language): Promise<(word: string) => readonly string[]> => {
  const { default: hyphenator } = await patterns[language]()
  const known = new Map<string, readonly string[]>()
  return word => {
    const parts = known.get(word) ?? hyphenator.hyphenateSync(word, { minWordLength: 6 }).split('\u00ad')
    known.set(word, parts)
    return parts
  }
}
