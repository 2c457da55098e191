import type { Context } from 'aws-lambda'
import { log } from '../../shared/log.ts'
import { visitMerchants } from '../../shared/merchants/directory.ts'
import { measured } from '../../shared/metrics.ts'
import { isNear, recount } from '../../shared/usage/recount.ts'

// What counting the records of a merchant at its limits takes.
const reserveMs = 60_000

export const handler = measured(async (_: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  const { failures, ...counts } = await visitMerchants(merchant => recount(merchant, isNear), deadline)
  log.info('counted quotas', { ...counts, failed: failures.length })
  for (const { merchant, error } of failures)
    log.error('what a merchant takes of its quotas could not be counted', { merchant, error: error as Error })
  // Lambda's error metric counts what is thrown; by now everybody else was counted.
  if (failures.length > 0) throw new Error(`the quotas of ${failures.length} merchants could not be counted`)
})
