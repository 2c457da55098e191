import { Problem } from '../contract/errors.ts'
import { log } from '../platform/log.ts'

/** Logs why a provider cannot serve, and returns what to throw: payment_provider_error. No secrets in `fields`. */
export const providerFailure = (says: string, fields: Record<string, unknown> = {}): Problem => {
  log.error(says, fields)
  return new Problem('payment_provider_error')
}

/** A merchant is set to a provider at which nothing can be paid, until somebody sets up either. */
export class ProviderUnusable extends Problem {
  constructor() {
    super('payment_provider_error')
  }
}

/** Logs why a merchant has no usable provider, and returns what to throw. No secrets in `fields`. */
export const providerUnusable = (says: string, fields: Record<string, unknown>): ProviderUnusable => {
  log.error(says, fields)
  return new ProviderUnusable()
}

/** Whether a provider could not serve, for whatever reason. */
export const isProviderFailure = (error: unknown): error is Problem =>
  error instanceof Problem && error.word.startsWith('payment_provider')

/**
 * A provider's definite no to a request: nothing was done, and the same request id would only bring the same no again.
 * Any other payment_provider_error or payment_provider_timeout leaves open what was done.
 */
export class ProviderRefusal extends Problem {
  /** The provider's own word, /^[A-Z0-9_]{1,64}$/; null when it gave none. */
  readonly reason: string | null

  constructor(reason: string | null) {
    super('payment_provider_error')
    this.reason = reason
  }
}

/** Throws ProviderUnusable in stages where the sandbox, which is no money, takes no payments. */
export const checkSandboxAllowed = (): void => {
  const { STAGE: stage, ALLOW_SANDBOX } = process.env
  if (stage !== 'twin' && ALLOW_SANDBOX !== '1') {
    throw providerUnusable(
      'the sandbox payment provider takes no payments in this stage; set the merchant to another',
      {
        stage,
      },
    )
  }
}
