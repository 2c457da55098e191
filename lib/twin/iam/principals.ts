import { randomBytes } from 'node:crypto'
import type { S3Call } from '../s3/errors.ts'
import { resourceOf } from '../s3/errors.ts'
import type { Model } from '../template/model.ts'
import { isAllowed, type RequestedAction, type Statement } from './policy.ts'

/** The callers of AWS services on this machine, their rights, and the number of their requests. */
export type Principals = {
  /** Takes over the functions of a template with their statements; who is known already keeps the secret. */
  apply(model: Model): void
  secretOf(accessKeyId: string): string | undefined
  /** True if a caller's own statements allow an action on a table or a function. */
  allows(accessKeyId: string, action: RequestedAction): boolean
  allowsFile(call: S3Call): boolean
  count(accessKeyId: string, operation: string): void
  /** Requests so far: function or operator → operation → number. */
  counts(): Record<string, Record<string, number>>
}

/** The access key id of the person at this machine, who may do what the template's policy of operators allows. */
export const operator = 'OPERATOR'

const prefix = 'TWIN'
// In addition, tests start jobs, and benches fill tables.
const forTests: Statement = {
  effect: 'Allow',
  actions: ['lambda:InvokeFunction', 'dynamodb:BatchWriteItem'],
  resources: ['*'],
  conditions: {},
}

/** The access key id of a function; AWS's own lead to its role in the same way. */
export const accessKeyIdOf = (functionName: string): string => `${prefix}${functionName}`

export const createPrincipals = (): Principals => {
  const statements = new Map<string, Statement[]>()
  const secrets = new Map<string, string>()
  const counted: Record<string, Record<string, number>> = {}
  let denials: Statement[] = []

  const secretOf = (accessKeyId: string): string | undefined => {
    if (!statements.has(accessKeyId)) return undefined
    const secret = secrets.get(accessKeyId) ?? randomBytes(20).toString('hex')
    secrets.set(accessKeyId, secret)
    return secret
  }

  const apply = ({ functions, bucket, operators }: Model): void => {
    denials = bucket.policy.filter(({ effect }) => effect === 'Deny')
    statements.clear()
    statements.set(operator, [...operators, forTests])
    for (const { name, statements: own } of functions) statements.set(accessKeyIdOf(name), own)
  }

  return {
    apply,
    secretOf,
    allows: (accessKeyId, action) => isAllowed(statements.get(accessKeyId) ?? [], action),
    allowsFile: call => {
      // Loopback counts as TLS here: nothing leaves the machine.
      const always = { 'aws:SecureTransport': 'true', 's3:signatureAge': String(call.signatureAgeMs) }
      const context = call.action === 's3:ListBucket' ? { ...always, 's3:prefix': call.key } : always
      const requested = { action: call.action, resource: resourceOf(call), context }
      return isAllowed([...(statements.get(call.principal) ?? []), ...denials], requested)
    },
    count: (accessKeyId, operation) => {
      const name = accessKeyId.startsWith(prefix) ? accessKeyId.slice(prefix.length) : accessKeyId
      const own = counted[name] ?? {}
      own[operation] = (own[operation] ?? 0) + 1
      counted[name] = own
    },
    counts: () => counted,
  }
}
