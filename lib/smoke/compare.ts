/** An answer is not what it had to be. */
export class Difference extends Error {}

/** A step cannot be walked, because an earlier one left nothing to walk it with. */
export class Missing extends Error {
  constructor(what: string) {
    super(`not walked: an earlier step left no ${what}`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Where a value is not what is expected of it; of an object, only the expected fields are looked at. */
export const differences = (actual: unknown, expected: unknown, path: string): string[] => {
  if (!isObject(expected))
    return Object.is(actual, expected) ? [] : [`${path} is ${shown(actual)} instead of ${shown(expected)}`]
  if (!isObject(actual)) return [`${path} is ${shown(actual)} instead of an object`]
  const longer =
    Array.isArray(expected) && Array.isArray(actual) && actual.length !== expected.length
      ? [`${path} has ${actual.length} elements instead of ${expected.length}`]
      : []
  const inside = Object.entries(expected).flatMap(([name, value]) =>
    differences(actual[name], value, `${path}.${name}`),
  )
  return [...longer, ...inside]
}

const mostTold = 3

/** Holds a value against what is expected of it. Throws Difference with the first few places. */
export const same = (actual: unknown, expected: unknown, path = 'data'): undefined => {
  const found = differences(actual, expected, path)
  if (found.length === 0) return
  const more = found.length > mostTold ? ` (and ${found.length - mostTold} more)` : ''
  throw new Difference(found.slice(0, mostTold).join('; ') + more)
}

/** Demands that something is so. Throws Difference. */
export const demand = (isSo: boolean, otherwise: string): void => {
  if (!isSo) throw new Difference(otherwise)
}
