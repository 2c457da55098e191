import { type MerchantId, partition } from '../../shared/table/keys.ts'

/** A partition of the table that nobody else uses. */
export const newPartition = (): string =>
  partition('address', { merchant: Math.floor(1e12 + Math.random() * 1e12) as MerchantId })

/** What a promise was rejected with. */
export const refusal = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('not refused'),
    (error: Error) => error,
  )

/** The numbers from 1 to n. */
export const counted = (n: number): number[] => Array.from({ length: n }, (_, at) => at + 1)
