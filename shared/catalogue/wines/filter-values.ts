/** The distinct values of fields, sorted; `cut` names the fields of which only the first ones are here. */
export type FilterValues = { data: Record<string, (string | number)[]>; cut?: string[] }

// As a page of a list: Lambda takes 6 MB of an answer, in which this JSON is a text, escaped once more.
const mostBytes = 2_000_000 - 10_000

const bytesOf = (value: string | number): number => Buffer.byteLength(JSON.stringify(value)) + 1

/** The first of some values that take no more than so many bytes. */
const fitting = (values: readonly (string | number)[], bytes: number) => {
  let left = bytes
  const end = values.findIndex(value => {
    left -= bytesOf(value)
    return left < 0
  })
  return { values: end < 0 ? [...values] : values.slice(0, end), isWhole: end < 0 }
}

/** As many of the values as one answer can hold: fields with few of them whole, of the others the first ones. */
export const boundedValues = (
  values: Readonly<Record<string, readonly (string | number)[]>>,
  bytes = mostBytes,
): FilterValues => {
  const fields = Object.keys(values)
  const shortFirst = fields.toSorted((one, other) => (values[one]?.length ?? 0) - (values[other]?.length ?? 0))
  const kept = new Map<string, (string | number)[]>()
  const cut: string[] = []
  let left = bytes
  for (const [n, field] of shortFirst.entries()) {
    const { values: some, isWhole } = fitting(values[field] ?? [], left / (fields.length - n))
    kept.set(field, some)
    left -= some.reduce<number>((sum, value) => sum + bytesOf(value), 0)
    if (!isWhole) cut.push(field)
  }
  const data = Object.fromEntries(fields.map(field => [field, kept.get(field) ?? []]))
  return { data, ...(cut.length > 0 && { cut: fields.filter(field => cut.includes(field)) }) }
}
