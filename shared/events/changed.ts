import * as v from 'valibot'
import type { MerchantId } from '../table/keys.ts'

// Apart from tell.ts: who starts the job needs not what speaks to the bus.

/** What starts the job, apart from the clock. */
export const Changed = v.object({ merchants: v.array(v.number()) })

/** What starts the job that tells the bus of what happened at some merchants. */
export const changedAt = (merchants: Iterable<MerchantId>): v.InferOutput<typeof Changed> => ({
  merchants: [...new Set(merchants)],
})
