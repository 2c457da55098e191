import type { MerchantId } from '../table/keys.ts'

/** What starts the job that tells the bus of what happened, apart from the clock: whose changes it is about. */
export type Changed = { merchants: number[] }

// Apart from tell.ts: who starts the job needs nothing that speaks to the bus.
export const changedAt = (merchants: Iterable<MerchantId>): Changed => ({ merchants: [...new Set(merchants)] })
