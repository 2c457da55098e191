import { Problem, validationProblem } from '../contract/errors.ts'
import { equals } from '../platform/table/expressions.ts'
import { ConditionFailed, jitter, poll } from '../platform/table/failures.ts'
import type { Merchant } from '../platform/table/items.ts'
import { key, type MerchantId } from '../platform/table/keys.ts'
import { updateItem } from '../platform/table/table.ts'
import { readMerchant } from './settings.ts'

/** The fields of a merchant that can be changed; those that only the operator changes included. */
export type MerchantChange = Partial<Omit<Merchant, 'id' | 'name' | 'authid' | 'crstamp'>>

/** Throws validation_failed if a merchant does not offer its default payment type. */
export const checkDefault = ({ payment_types, default_payment_type }: Merchant): void => {
  if (payment_types.includes(default_payment_type)) return
  const expected = `one of the payment types that are offered: ${payment_types.join(', ')}`
  throw validationProblem([{ path: 'data.default_payment_type', rule: 'offered', expected }])
}

/** The condition of a write: what checkDefault looked at is unchanged. */
export const unchangedTypes = ({ payment_types, default_payment_type }: Merchant) => [
  equals('payment_types', payment_types),
  equals('default_payment_type', default_payment_type),
]

/**
 * Changes some fields of a merchant and returns the merchant. Throws nothing_to_change without any, and validation_failed
 * if the default payment type is not offered after the change.
 */
export const changeMerchant = (merchant: MerchantId, change: MerchantChange): Promise<Merchant> => {
  if (Object.keys(change).length === 0) throw new Problem('nothing_to_change')
  return poll(async tried => {
    const present = await readMerchant(merchant)
    checkDefault({ ...present, ...change })
    try {
      return await updateItem(key('merchant', { merchant }), { set: change }, unchangedTypes(present))
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tried === 20) throw error
      return undefined
    }
  }, jitter)
}
