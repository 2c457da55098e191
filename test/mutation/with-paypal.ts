import { afterFile } from '../support/jest/environment.ts'
import { paypalEnvironment } from '../support/paypal/environment.ts'
import { startPayPalTwin } from '../support/paypal/server.ts'

// Each run of a file has a PayPal of its own, whose books know nothing of what other mutants did.
if (expect.getState().testPath?.includes('/test/service/')) {
  const { url, close } = await startPayPalTwin()
  Object.assign(process.env, { TEST_PAYPAL: url }, paypalEnvironment(url))
  afterFile(close)
}
