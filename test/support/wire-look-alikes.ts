import * as v from 'valibot'

/** Returned by `read` if a schema refuses. */
export const refused = Symbol('refused')

/** Returns a schema's output for a value, or `refused`. */
export const read = (schema: v.GenericSchema, value: unknown): unknown => {
  const result = v.safeParse(schema, value)
  return result.success ? result.output : refused
}

const shown = (value: unknown): string => {
  if (Object.is(value, -0)) return '-0'
  if (typeof value !== 'string' && typeof value !== 'object') return String(value)
  return JSON.stringify(value).replace(/[^ -~]/gu, sign => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}

/** Rows for test.each: each value behind its name in plain ASCII, so that invisible signs show. */
export const named = (values: readonly unknown[]) => values.map(value => [shown(value), value] as const)

/** The words of a line. */
export const words = (line: string): string[] => line.split(' ')

/** Values that are no text. */
export const noText: readonly unknown[] = [undefined, null, 0, 12, true, [], ['a'], {}]

/** Values that look like a whole number of 0 or more, and are none. */
export const noWholeNumbers: readonly unknown[] = [
  ...words(
    'abc 12abc abc12 1e3 1E3 0x10 0b1 0o7 12n 1_000 1,000 1.000 1.0 1.5 +1 -1 -0 --1 01 00 [1] NaN Infinity true',
  ),
  ...words('１２ ١٢ १२ ² Ⅻ ① ∞ null __proto__ constructor 9007199254740992 9007199254740993 9999999999999999'),
  ...['', ' ', ' 12', '12 ', '12\n', '\n12', '12\u0000', '12\u200b', '\u00a012', '\ufeff12', '1'.repeat(400)],
  ...[1.5, -1, -0.5, 0.1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e21, Number.POSITIVE_INFINITY, Number.NaN],
  ...[undefined, null, true, false, [], [1], ['1'], {}, { id: 1 }, 12n],
]
