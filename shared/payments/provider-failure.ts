import { Problem } from '../contract/errors.ts'
import { log } from '../platform/log.ts'

/** Logs why a provider failed, and returns payment_provider_error to throw. No secrets in `fields`. */
export const providerFailure = (message: string, fields: Record<string, unknown> = {}): Problem => {
  log.error(message, fields)
  return new Problem('payment_provider_error', { because: message })
}

/** The merchant's provider cannot take payments until the merchant or the provider is set up. */
export class ProviderUnusable extends Problem {
  constructor(because: string) {
    super('payment_provider_error', { because })
  }
}

/** Logs why a merchant has no usable provider, and returns what to throw. No secrets in `fields`. */
export const providerUnusable = (message: string, fields: Record<string, unknown>): ProviderUnusable => {
  log.error(message, fields)
  return new ProviderUnusable(message)
}

/** True for every error by which a provider could not serve. */
export const isProviderFailure = (error: unknown): error is Problem =>
  error instanceof Problem && error.word.startsWith('payment_provider')

/**
 * A provider's definite refusal: nothing was done, and the same request id would be refused again. After any other
 * payment_provider_error or payment_provider_timeout it is unknown what was done.
 */
export class ProviderRefusal extends Problem {
  /** The provider's reason code, /^[A-Z0-9_]{1,64}$/; null if it gave none. */
  readonly reason: string | null

  constructor(reason: string | null) {
    super('payment_provider_error', { because: reason ?? 'the provider refused' })
    this.reason = reason
  }
}

/** Throws ProviderUnusable in stages where the sandbox, which moves no money, must not take payments. */
export const checkSandboxAllowed = (): void => {
  const { STAGE: stage, ALLOW_SANDBOX } = process.env
  if (stage === 'twin' || ALLOW_SANDBOX === '1') return
  throw providerUnusable('the sandbox payment provider takes no payments in this stage; set the merchant to another', {
    stage,
  })
}
