import { Problem } from '../contract/errors.ts'
import type { OrderRecord } from './record.ts'

/** A step or decision is not possible now. */
export class StepRefused extends Problem {
  /** `order` is refused; its status is in the answer as well. */
  constructor(
    details: string,
    order?: OrderRecord,
    word: 'not_in_this_status' | 'payment_refunded' = 'not_in_this_status',
  ) {
    super(word, { details, ...(order && { topLevel: { status: order.header.status } }) })
  }
}
