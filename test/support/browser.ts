import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { connect, executablePath } from './chromium.ts'
import { twin } from './harness.ts'

const { SCREENSHOTS, TEST_BROWSER = '' } = process.env

/** Tests in a real browser; where there is none they are left out, and say so. */
export const inBrowser = executablePath ? describe : describe.skip

if (!executablePath)
  console.warn('skipped: no Chromium is on this machine (Debian: apt-get install chromium), nor does CHROMIUM name one')

/** The widths at which pages are looked at, in pixels. */
export const widths = { phone: 360, desktop: 1280 } as const
export type Width = keyof typeof widths

let browser: Browser | undefined

const started = async (): Promise<Browser> => {
  browser ??= await connect(TEST_BROWSER)
  return browser
}

afterAll(async () => browser?.close())

/** Returns the faults of a page: errors, and requests to anywhere but the service. */
const watched = (context: BrowserContext): string[] => {
  const faults: string[] = []
  context.on('console', message => {
    // A refusal of the service is an answer like any other; the browser logs it by itself.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with a status of 4')
    if (message.type() === 'error' && !isRefusal) faults.push(message.text())
  })
  context.on('weberror', error => faults.push(String(error.error())))
  context.on('request', request => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${twin.url}/`) && !isLocal(request.url()))
      faults.push(`asks ${request.url()}`)
  })
  return faults
}

// The twin has two names.
const isLocal = (url: string): boolean => new URL(url).port === new URL(twin.url).port

export type Visitor = { page: Page; faults: readonly string[]; close(): Promise<void> }

/** Opens a page of the service in a browser of a visitor's own. */
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
  const faults = watched(context)
  const page = await context.newPage()
  await page.goto(path)
  return { page, faults, close: () => context.close() }
}

/** Keeps a picture of the whole page where SCREENSHOTS names a folder. */
export const screenshot = async (page: Page, name: string): Promise<void> => {
  if (!SCREENSHOTS) return
  // Pictures further down come when they are scrolled to.
  await page.evaluate(`Promise.all([...document.images].map(image => {
    image.loading = 'eager'
    return image.decode()
  }))`)
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

type Violation = { id: string; impact: string | null; help: string; nodes: { target: string[]; html: string }[] }

/** Returns the serious and critical faults that axe finds on a page, as sentences. */
export const barriers = async (page: Page): Promise<string[]> => {
  // Evaluated, not added as an element: the page's policy takes no foreign script.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(readFileSync(axe, 'utf8'))
  const violations = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as { violations: Violation[] }
  return violations.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help} (${nodes.map(({ target, html }) => `${target} ${html.slice(0, 120)}`).join('; ')})`,
    )
}
