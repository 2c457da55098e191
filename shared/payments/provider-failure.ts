import { Problem } from '../contract/errors.ts'
import { log } from '../log.ts'

/** Logs why a provider cannot serve, and returns what to throw: payment_provider_error. No secrets in `fields`. */
export const providerFailure = (says: string, fields: Record<string, unknown> = {}): Problem => {
  log.error(says, fields)
  return new Problem('payment_provider_error')
}
