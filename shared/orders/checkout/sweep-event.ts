import * as v from 'valibot'
import { Id } from '../../contract/wire.ts'
import { type MerchantId, merchantIdOf } from '../../platform/table/keys.ts'

/** What starts the sweep of one merchant. */
export type SweepEvent = { merchant: MerchantId }

const Event = v.object({ merchant: Id })

/** Reads the event that started a sweep. Throws what valibot throws when it names no merchant. */
export const readSweepEvent = (event: unknown): SweepEvent => ({
  merchant: merchantIdOf(v.parse(Event, event).merchant),
})
