/** What is wrong with one part of a caller's input; `path` as in the request, the received value never appears. */
export type Problem = { path: string; rule: string; expected: string }

/** Caller input that was understood, or everything that is wrong with it. */
export type Parsed<Value> = { value: Value; problems?: undefined } | { value?: undefined; problems: Problem[] }

/** The value, unless there are problems. */
export const parsed = <Value>(value: Value, problems: Problem[] = []): Parsed<Value> =>
  problems.length === 0 ? { value } : { problems }

/** Input with a single problem. */
export const refused = (path: string, rule: string, expected: string): { problems: Problem[] } => ({
  problems: [{ path, rule, expected }],
})

const KEY_LENGTH = 60

/** The path of a member; a caller's key is cut, so that it cannot fill the answer. */
export const member = (path: string, key: string): string => `${path}.${key.slice(0, KEY_LENGTH)}`

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value stands for "not given": absent, null, or the empty array that PHP writes for an empty object. */
export const isAbsent = (value: unknown): value is undefined | null | [] =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** Whether a text has more characters (code points) than a limit. */
export const exceeds = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || [...text].length > limit)
