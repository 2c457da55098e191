import { Problem } from '../contract/errors.ts'
import { log } from '../http/log.ts'

/** Logs why a provider cannot serve, and answers what to throw: payment_provider_error. No secrets in `fields`. */
export const failed = (says: string, fields: Record<string, unknown> = {}): Problem => {
  log.error(says, fields)
  return new Problem('payment_provider_error')
}
