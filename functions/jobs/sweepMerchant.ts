import type { Context } from 'aws-lambda'
import { sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { readSweepEvent } from '../../shared/orders/checkout/sweep-event.ts'
import { count, log, measured } from '../../shared/platform/log.ts'

// What one payment takes at most: a few requests to its provider, of ten seconds each, and as many to the table.
const reserveMs = 60_000

// CloudWatch cuts longer lines.
const mostTold = 100

export const handler = measured(async (event: unknown, context: Context) => {
  const { merchant } = readSweepEvent(event)
  const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  const { failures, ...counts } = await sweepMerchant(merchant, { until })
  count('PaymentsLeft', counts.left + counts.skipped)
  count('SweepFailures', failures.length)
  log.info('swept', { merchant, ...counts, failed: failures.length })
  if (failures.length > 0)
    log.warn('payments were not looked after', { merchant, failures: failures.slice(0, mostTold) })
  // A provider that fails is asked again in a later run. Of anything else Lambda's error metric must know.
  if (counts.unexpected > 0) throw new Error(`merchant ${merchant}: ${counts.unexpected} payments met with a fault`)
})
