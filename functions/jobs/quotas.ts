import type { Context } from 'aws-lambda'
import { recountNear } from '../../shared/catalogue/recount.ts'
import { visitMerchants } from '../../shared/merchants/directory.ts'
import { conclude } from '../../shared/platform/jobs/conclude.ts'
import { withMetrics } from '../../shared/platform/log.ts'

// The longest count of a merchant's records.
const reserveMs = 60_000

export const handler = withMetrics(async (_: unknown, context: Context) => {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs
  const counted = await visitMerchants(recountNear, deadline)
  conclude('counted quotas', 'what a merchant takes of its quotas could not be counted', counted)
})
