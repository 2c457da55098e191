import { type Key, merchantIdOf, type Partition, partition } from '../../shared/platform/table/keys.ts'

/** A partition of the table that nobody else uses. */
export const newPartition = (): Partition<Probe> =>
  partition('address', { merchant: merchantIdOf(Math.floor(1e12 + Math.random() * 1e12)) })

/** Returns the error of a promise. */
export const refusal = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('not refused'),
    (error: Error) => error,
  )

/** The numbers from 1 to n. */
export const counted = (n: number): number[] => Array.from({ length: n }, (_, at) => at + 1)

/** An item with whatever a test puts into it. */
export type Probe = Record<string, unknown>

/** The key of such an item. */
export const probeKey = (pk: string, sk: string): Key<Probe> => ({ pk, sk })
