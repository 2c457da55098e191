import { changePayPal } from '../../../lib/tool/paypal.ts'
import { merchantIdOf } from '../../../shared/platform/table/keys.ts'
import { afterFile } from '../jest/environment.ts'
import { startParameters } from '../parameters.ts'
import { startPayPalTwin } from './server.ts'

// Beside a table alone (table.ts), a test file has a PayPal and a Parameter Store of its own.
if (process.env.TEST_TABLE) {
  const { url, close } = await startPayPalTwin()
  Object.assign(process.env, { TEST_PAYPAL: url }, (await startParameters()).environment)
  afterFile(close)
}

/** Gives a merchant the account that the tests have at their PayPal, or one at another API on this machine. */
export const givePayPal = ({ id }: { id: number }, baseUrl = process.env.TEST_PAYPAL ?? '', webhookId?: string) =>
  changePayPal(merchantIdOf(id), {
    clientId: 'test-client',
    clientSecret: 'test-secret',
    baseUrl,
    ...(webhookId && { webhookId }),
  })
