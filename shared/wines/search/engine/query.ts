import { fold } from '../../../text.ts'
import { type IdList, isIdList, isScalarField, isSlot, type ScalarField, type SearchableField } from './fields.ts'
import { exceeds, isAbsent, isObject, member, type Parsed, type Problem, parsed, refused } from './problem.ts'
import { readId } from './read.ts'

/** One phrase of an object query: a folded text the field must contain, or an id the list must hold. */
export type Phrase =
  | { field: SearchableField | ScalarField; text: string; id?: undefined }
  | { field: IdList; id: number; text?: undefined }

/** A query: one folded text for any searchable field, or phrases that must all be met. */
export type Query = { anywhere: string; phrases?: undefined } | { phrases: Phrase[]; anywhere?: undefined }

const maxQueryLength = 200
const maxQueryFields = 10

/** Reads a caller's `query`, a text or an object of phrases by field; undefined if it asks for nothing. */
export const parseQuery = (input: unknown, path = 'query'): Parsed<Query | undefined> => {
  if (isAbsent(input)) return parsed(undefined)
  if (isObject(input)) return parsePhrases(input, path)
  const text = readText(input)
  if (text === undefined) return refused(path, 'type', 'a text or an object of texts')
  if (exceeds(text, maxQueryLength)) return refused(path, 'max_length', String(maxQueryLength))
  const anywhere = fold(text)
  return parsed(anywhere === '' ? undefined : { anywhere })
}

const parsePhrases = (input: Record<string, unknown>, path: string): Parsed<Query | undefined> => {
  const entries = Object.entries(input)
  if (entries.length > maxQueryFields) return refused(path, 'max_fields', String(maxQueryFields))
  const problems: Problem[] = []
  const phrases: Phrase[] = []
  for (const [key, value] of entries) {
    const phrase = parsePhrase(key, value, member(path, key))
    if (phrase.problems) problems.push(...phrase.problems)
    else if (phrase.value) phrases.push(phrase.value)
  }
  return parsed(phrases.length === 0 ? undefined : { phrases }, problems)
}

const parsePhrase = (key: string, value: unknown, path: string): Parsed<Phrase | undefined> => {
  const field = key === 'winery' ? 'winery.name' : key
  const list = isIdList(field)
  if (!list && !isSlot(field) && !isScalarField(field)) return refused(path, 'unknown_field', 'a field of the wine')
  if (value === null) return parsed(undefined)
  if (list) {
    const id = readId(value)
    return id === undefined ? refused(path, 'type', 'an id') : parsed({ field, id })
  }
  const text = readText(value)
  if (text === undefined) return refused(path, 'type', 'a text')
  if (exceeds(text, maxQueryLength)) return refused(path, 'max_length', String(maxQueryLength))
  const folded = fold(text)
  return parsed(folded === '' ? undefined : { field, text: folded })
}

const readText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return typeof value === 'boolean' ? String(Number(value)) : undefined
}
