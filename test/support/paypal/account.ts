import { changePayPal } from '../../../lib/tool/paypal.ts'
import { merchantIdOf } from '../../../shared/platform/table/keys.ts'

/** Gives a merchant the account that the tests have at their PayPal, or one at another API on this machine. */
export const givePayPal = ({ id }: { id: number }, baseUrl = process.env.TEST_PAYPAL ?? '', webhookId?: string) =>
  changePayPal(merchantIdOf(id), {
    clientId: 'test-client',
    clientSecret: 'test-secret',
    baseUrl,
    ...(webhookId && { webhookId }),
  })
