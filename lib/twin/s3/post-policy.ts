import { S3Error } from './errors.ts'

type FormFields = ReadonlyMap<string, string>
type Condition = readonly unknown[]
type Policy = { expires: number; conditions: readonly Condition[] }

const invalidDocument = (reason: string): S3Error => new S3Error('InvalidPolicyDocument', `Invalid Policy: ${reason}`)

const accessDenied = (reason: string): S3Error => new S3Error('AccessDenied', `Invalid according to Policy: ${reason}`)

// `{"name": "value"}` is short for `["eq", "$name", "value"]`.
const conditionsIn = (written: unknown): Condition[] => {
  if (Array.isArray(written)) return [written]
  if (typeof written !== 'object' || written === null) throw invalidDocument('A condition is neither list nor object.')
  return Object.entries(written).map(([name, value]) => ['eq', `$${name}`, value])
}

/** Reads a policy document in base64. Throws InvalidPolicyDocument. */
const readPolicy = (text: string): Policy => {
  let document: { expiration?: unknown; conditions?: unknown } | null
  try {
    document = JSON.parse(Buffer.from(text, 'base64').toString())
  } catch {
    throw invalidDocument('Invalid JSON.')
  }
  const { expiration, conditions } = document ?? {}
  const expires = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(expiration))
    ? Date.parse(String(expiration))
    : Number.NaN
  if (Number.isNaN(expires)) throw invalidDocument('Invalid expiration.')
  if (!Array.isArray(conditions)) throw invalidDocument('Invalid conditions.')
  return { expires, conditions: conditions.flatMap(conditionsIn) }
}

const nameIn = (variable: unknown): string => {
  if (typeof variable !== 'string' || !variable.startsWith('$')) throw invalidDocument('A condition names no field.')
  return variable.slice(1).toLowerCase()
}

const checkSize = ([, least, most]: Condition, size: number): void => {
  if (!Number.isInteger(least) || !Number.isInteger(most)) throw invalidDocument('Invalid content-length-range.')
  const proposed = { ProposedSize: String(size) }
  if (size > Number(most))
    throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
      ...proposed,
      MaxSizeAllowed: String(most),
    })
  if (size < Number(least))
    throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
      ...proposed,
      MinSizeAllowed: String(least),
    })
}

const holds = ([operator, variable, wanted]: Condition, fields: FormFields): boolean => {
  const value = fields.get(nameIn(variable))
  if (typeof wanted !== 'string') throw invalidDocument('A condition has no text.')
  if (operator === 'eq') return value === wanted
  if (operator === 'starts-with') return value?.startsWith(wanted) ?? false
  throw invalidDocument('Unknown operation.')
}

// These are signed, or are what was signed, or are meant to be ignored.
const needsNoCondition = (name: string): boolean => /^(policy|x-amz-signature)$|^x-ignore-/.test(name)

/**
 * Checks a form against its policy document in base64: time, every condition, and that every field has one. `fields`
 * includes the bucket; `size` is that of the file in bytes. Throws the S3Error of S3.
 */
export const checkPolicy = (text: string, fields: FormFields, size: number, now: number): void => {
  const { expires, conditions } = readPolicy(text)
  if (expires < now) throw accessDenied('Policy expired.')
  const [sizes, others] = [true, false].map(isSize =>
    conditions.filter(([operator]) => (operator === 'content-length-range') === isSize),
  ) as [Condition[], Condition[]]
  const failed = others.find(condition => !holds(condition, fields))
  if (failed) throw accessDenied(`Policy Condition failed: ${JSON.stringify(failed)}`)
  const covered = new Set(others.map(([, variable]) => nameIn(variable)))
  const extra = [...fields.keys()].filter(name => !covered.has(name) && !needsNoCondition(name))
  if (extra.length > 0) throw accessDenied(`Extra input fields: ${extra.join(', ')}`)
  for (const one of sizes) checkSize(one, size)
}
