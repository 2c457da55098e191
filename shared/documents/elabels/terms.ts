import type { LabelLanguage } from '../../contract/label-tables.ts'
import de from '../../contract/labels/elabel/de.json' with { type: 'json' }
import en from '../../contract/labels/elabel/en.json' with { type: 'json' }

/** The fixed terms of a label in one language; those of English give the shape. */
export type Terms = typeof en

const terms: Partial<Readonly<Record<LabelLanguage, Terms>>> = { de, en }

/** The terms of a language; those of a language that has none yet are English. */
export const termsIn = (language: LabelLanguage): Terms => terms[language] ?? en
