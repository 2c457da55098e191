import { randomBytes } from 'node:crypto'
import type { S3Call } from '../s3/server.ts'
import type { FunctionModel, Model } from '../template/model.ts'
import { isAllowed, type RequestedAction, type Statement } from './policy.ts'

/** Who asks DynamoDB and S3 on this machine, what each may do, and how often each asked. */
export type Principals = {
  /** The access key id of a function; AWS's own lead to its role in the same way. */
  keyIdOf(model: Pick<FunctionModel, 'name'>): string
  secretOf(keyId: string): string | undefined
  mayTable(keyId: string, access: RequestedAction): boolean
  mayFile(call: S3Call): { allowed: boolean }
  count(keyId: string, operation: string): void
  /** Requests so far: function or operator → operation → number. */
  counts(): Record<string, Record<string, number>>
}

/** The access key id of the person at this machine, who may do everything. */
export const operator = 'OPERATOR'

const everything: Statement = { effect: 'Allow', actions: ['*'], resources: ['*'], conditions: {} }

const keyIdOf = ({ name }: Pick<FunctionModel, 'name'>): string => `TWIN${name}`

/** The principals of a template: each function with the statements of its own role, and the operator. */
export const principalsOf = (model: Model): Principals => {
  const statements = new Map<string, Statement[]>(model.functions.map(one => [keyIdOf(one), one.statements]))
  statements.set(operator, [everything])
  const secrets = new Map([...statements.keys()].map(id => [id, randomBytes(20).toString('hex')]))
  const counted: Record<string, Record<string, number>> = {}
  const denials = model.bucket.policy.filter(({ effect }) => effect === 'Deny')
  return {
    keyIdOf,
    secretOf: keyId => secrets.get(keyId),
    mayTable: (keyId, access) => isAllowed(statements.get(keyId) ?? [], access),
    mayFile: ({ principal, action, bucket, key, signatureAgeMs }) => {
      const resource = `arn:aws:s3:::${bucket}${key && `/${key}`}`
      // Loopback stands for TLS here: nothing leaves the machine.
      const context = { 'aws:SecureTransport': 'true', 's3:signatureAge': String(signatureAgeMs) }
      return { allowed: isAllowed([...(statements.get(principal) ?? []), ...denials], { action, resource, context }) }
    },
    count: (keyId, operation) => {
      const name = keyId.replace(/^TWIN/, '')
      const own = counted[name] ?? {}
      own[operation] = (own[operation] ?? 0) + 1
      counted[name] = own
    },
    counts: () => counted,
  }
}
