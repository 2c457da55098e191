import type { Context } from 'aws-lambda'
import { readSweepEvent, sweepMerchant } from '../../shared/orders/checkout/sweep.ts'
import { count, log, withMetrics } from '../../shared/platform/log.ts'

// The longest reconciliation of one payment: a few requests to its provider of ten seconds each, and as many to the table.
const reserveMs = 60_000

// CloudWatch truncates longer lines.
const maxLogged = 100

export const handler = withMetrics(async (event: unknown, context: Context) => {
  const { merchant } = readSweepEvent(event)
  const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  const { failures, ...counts } = await sweepMerchant(merchant, { until })
  count('PaymentsLeft', counts.left + counts.skipped)
  count('SweepFailures', failures.length)
  log.info('swept', { merchant, ...counts, failed: failures.length })
  if (failures.length > 0)
    log.warn('payments were not reconciled', { merchant, failures: failures.slice(0, maxLogged) })
  // A failed provider is asked again in a later run; anything else must count in Lambda's error metric.
  if (counts.unexpected > 0) throw new Error(`merchant ${merchant}: ${counts.unexpected} payments met with a fault`)
})
