import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { connect, executablePath } from './chromium.ts'
import { twin } from './harness.ts'

const { SCREENSHOTS, TEST_BROWSER = '' } = process.env

/** Tests in a real browser; skipped with a warning if there is none. */
export const inBrowser = executablePath ? describe : describe.skip

if (!executablePath)
  console.warn('skipped: no Chromium is on this machine (Debian: apt-get install chromium), nor does CHROMIUM name one')

/** In pixels. */
export const widths = { phone: 360, desktop: 1280 } as const
export type Width = keyof typeof widths

let browser: Browser | undefined

const started = async (): Promise<Browser> => {
  browser ??= await connect(TEST_BROWSER)
  return browser
}

const open = new Set<Visitor>()

// A test that does not close its visitors itself also asserts that their pages did nothing wrong.
afterEach(async () => {
  const visitors = [...open]
  for (const { close } of visitors) await close()
  expect(visitors.flatMap(({ faults }) => faults)).toEqual([])
})

afterAll(async () => browser?.close())

/** Collects the errors of a page, and its requests to other servers. */
const faultsOf = (context: BrowserContext): string[] => {
  const faults: string[] = []
  context.on('console', message => {
    // The browser itself logs each response with a 4xx status.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with a status of 4')
    if (message.type() === 'error' && !isRefusal) faults.push(message.text())
  })
  context.on('weberror', error => faults.push(String(error.error())))
  context.on('request', request => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${twin.url}/`) && !isLocal(request.url()))
      faults.push(`requests ${request.url()}`)
  })
  return faults
}

// The twin has two names.
const isLocal = (url: string): boolean => new URL(url).port === new URL(twin.url).port

export type Visitor = { page: Page; faults: readonly string[]; close(): Promise<void> }

/** Opens a page of the service in a new browser context. */
export const visitor = async (
  path: string,
  { width = 'desktop' as Width, locale = 'de-DE', density = 1 } = {},
): Promise<Visitor> => {
  const context = await (await started()).newContext({
    baseURL: twin.url,
    locale,
    viewport: { width: widths[width], height: 800 },
    deviceScaleFactor: density,
    acceptDownloads: true,
  })
  context.setDefaultTimeout(60_000)
  const faults = faultsOf(context)
  const page = await context.newPage()
  await page.goto(path)
  const visit: Visitor = {
    page,
    faults,
    close: async () => {
      open.delete(visit)
      await context.close()
    },
  }
  open.add(visit)
  return visit
}

/** Writes a picture of the whole page if SCREENSHOTS names a folder. */
export const screenshot = async (page: Page, name: string): Promise<void> => {
  if (!SCREENSHOTS) return
  // Lazy pictures are loaded only when scrolled to.
  await page.evaluate(`Promise.all([...document.images].map(image => {
    image.loading = 'eager'
    return image.decode()
  }))`)
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

type Violation = { id: string; impact: string | null; help: string; nodes: { target: string[]; html: string }[] }

/** Returns the serious and critical violations that axe finds, as sentences. */
export const barriers = async (page: Page): Promise<string[]> => {
  // Evaluated, because the page's policy allows no foreign script.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(readFileSync(axe, 'utf8'))
  const violations = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as { violations: Violation[] }
  return violations.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help} (${nodes.map(({ target, html }) => `${target} ${html.slice(0, 120)}`).join('; ')})`,
    )
}
