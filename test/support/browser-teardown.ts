import type { BrowserServer } from 'playwright-core'
import tearDownTwin from './global-teardown.ts'

const shared = globalThis as { browserOfTests?: BrowserServer }

export default async (): Promise<void> => {
  await shared.browserOfTests?.close()
  await tearDownTwin()
}
