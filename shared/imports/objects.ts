/** What an object says, without the keys whose value is undefined. */
export const givenOnly = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>

/** The values of some keys of a record. */
export const valuesOf = (record: object, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map(key => [key, (record as Record<string, unknown>)[key]]))
