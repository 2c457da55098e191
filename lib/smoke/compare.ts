/** An answer differs from what is expected. */
export class Difference extends Error {}

/** A step needs the result of an earlier step that failed. */
export class Missing extends Error {
  constructor(what: string) {
    super(`not walked: an earlier step left no ${what}`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Returns the differences of a value from what is expected; of an object, only the expected fields are compared. */
export const differences = (actual: unknown, expected: unknown, path: string): string[] => {
  if (!isObject(expected))
    return Object.is(actual, expected) ? [] : [`${path} is ${shortJson(actual)} instead of ${shortJson(expected)}`]
  if (!isObject(actual)) return [`${path} is ${shortJson(actual)} instead of an object`]
  const longer =
    Array.isArray(expected) && Array.isArray(actual) && actual.length !== expected.length
      ? [`${path} has ${actual.length} elements instead of ${expected.length}`]
      : []
  const inside = Object.entries(expected).flatMap(([name, value]) =>
    differences(actual[name], value, `${path}.${name}`),
  )
  return [...longer, ...inside]
}

const maxReported = 3

/** Compares a value with what is expected. Throws Difference with the first few paths. */
export const same = (actual: unknown, expected: unknown, path = 'data'): undefined => {
  const found = differences(actual, expected, path)
  if (found.length === 0) return
  const more = found.length > maxReported ? ` (and ${found.length - maxReported} more)` : ''
  throw new Difference(found.slice(0, maxReported).join('; ') + more)
}

export const demand = (isSo: boolean, otherwise: string): void => {
  if (!isSo) throw new Difference(otherwise)
}
