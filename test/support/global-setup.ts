import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paypalEnvironment } from './paypal/environment.ts'
import { type PayPalTwin, startPayPalTwin } from './paypal/server.ts'
import { copyData, startTwinProcess, type TwinProcess } from './running-twin.ts'

const shared = globalThis as { twinOfTests?: TwinProcess; twinFolder?: string; payPalOfTests?: PayPalTwin }

/**
 * One twin with the demo cellar, and one PayPal beside it, serve all service tests; each test file makes merchants of
 * its own.
 */
export default async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-test-'))
  shared.twinFolder = folder
  // What a service on this machine built last; whatever was not made from the present sources is built anew.
  await cp('.local/build', join(folder, 'build'), { recursive: true }).catch(() => {})
  shared.payPalOfTests = await startPayPalTwin()
  const { url } = shared.payPalOfTests
  // A sweep of time's own would look after payments in the middle of a test.
  const { TEST_INSTANCES = '2' } = process.env
  shared.twinOfTests = await startTwinProcess(folder, {
    environment: { TIMERS: 'no', INSTANCES: TEST_INSTANCES, ...paypalEnvironment(url) },
  })
  // As a first start leaves it: nobody has sent a request yet.
  await copyData(folder, join(folder, 'first-start'))
  process.env.TEST_TWIN = folder
  process.env.TEST_PAYPAL = url
  process.env.TEST_TWIN_LINES = JSON.stringify(shared.twinOfTests.lines)
}
