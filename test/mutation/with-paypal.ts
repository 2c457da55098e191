import { afterFile } from '../support/jest/environment.ts'
import { startParameters } from '../support/parameters.ts'
import { startPayPalTwin } from '../support/paypal/server.ts'

// Each run of a file has a PayPal and a Parameter Store of its own, which know nothing of what other mutants did.
if (expect.getState().testPath?.includes('/test/service/')) {
  const { url, close } = await startPayPalTwin()
  Object.assign(process.env, { TEST_PAYPAL: url }, (await startParameters()).environment)
  afterFile(close)
}
