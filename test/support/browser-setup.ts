import type { BrowserServer } from 'playwright-core'
import { executablePath, launchServer } from './chromium.ts'
import setUpTwin from './global-setup.ts'

const shared = globalThis as { browserOfTests?: BrowserServer }

/** The twin, and one browser for all files: its start takes as long as many a test. */
export default async (): Promise<void> => {
  await setUpTwin()
  if (!executablePath) return
  shared.browserOfTests = await launchServer(executablePath)
  process.env.TEST_BROWSER = shared.browserOfTests.wsEndpoint()
}
