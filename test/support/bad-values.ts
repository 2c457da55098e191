import type * as v from 'valibot'
import { Problem } from '../../shared/contract/errors.ts'
import { validate } from '../../shared/http/request.ts'

/** Values that every text field of one line refuses: other types, unprintable characters, more than 255 characters. */
export const badTexts: readonly unknown[] = [
  7,
  true,
  [],
  ['Müller'],
  {},
  { $ne: null },
  'a\u0000b',
  'a\nb',
  'a\u202eb',
  '\ud800',
  'x'.repeat(256),
]

/** Values that every id field refuses: other types, fractions, out of range, and texts that look like a number. */
export const badIds: readonly unknown[] = [
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  true,
  [],
  [1],
  {},
  '',
  ' 1',
  '1 ',
  '1\n',
  '-1',
  '1.0',
  '1e3',
  '0x10',
  '12abc',
  '１２',
  '9007199254740992',
  "1' OR '1'='1",
]

/** Texts that mean something elsewhere, and here nothing but themselves. */
export const harmlessTexts: readonly string[] = [
  "'; DROP TABLE addresses; --",
  '#n0 = :v0 OR attribute_exists(pk)',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=HYPERLINK("https://example.org")',
  '../../etc/passwd',
  '{"$ne":null}',
  '__proto__',
  'm#1#addresses',
  '%00%2e%2e',
]

/** The refusal by some work. Throws if nothing is refused. */
export const problemIn = (work: () => unknown): Problem => {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** The refusal of a value by a schema. */
export const problemOf = (schema: v.GenericSchema, value: unknown): Problem => problemIn(() => validate(schema, value))
