import type { Page } from 'playwright-core'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { errors } from '../../shared/contract/errors.ts'
import { guides } from '../../shared/reference/guides.ts'
import { barriers, inBrowser, visitor, type Width } from '../support/browser.ts'

type Violations = { violations: string[] }

// The renderer and all guides take seconds of a core, and tests beside these have the others.
const patience = 50_000

/** Opens the page and collects violations of its content security policy. */
const opened = async (width: Width) => {
  // A small file of the service first, because the listener must exist before the page.
  const visit = await visitor('/docs-assets/page.css', { width, locale: 'en-GB' })
  const { page } = visit
  await page.addInitScript(() => {
    const kept = globalThis as unknown as Violations & EventTarget
    kept.violations = []
    kept.addEventListener('securitypolicyviolation', event => {
      const { violatedDirective, blockedURI } = event as unknown as Record<string, string>
      kept.violations.push(`${violatedDirective} ${blockedURI}`)
    })
  })
  page.setDefaultTimeout(patience)
  await page.goto('/docs')
  await page
    .getByRole('heading', { name: guides[0]?.title ?? '' })
    .first()
    .waitFor({ state: 'attached' })
  return visit
}

const violations = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as Violations).violations)

/** Opens a route, sends its request with a body if one is given, and waits for the service's answer. */
const tryOut = async (page: Page, place: string, label: string, path: string, body?: string) => {
  await page.evaluate(hash => {
    ;(globalThis as unknown as { location: { hash: string } }).location.hash = hash
  }, place)
  // By an event: the page still grows above what is to be clicked.
  await page.locator('button', { hasText: label }).first().dispatchEvent('click')
  const send = page.locator('[role=dialog] button', { hasText: 'Send' }).first()
  await send.waitFor()
  if (body) {
    await page.locator('[role=dialog] .cm-content').first().focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(body)
  }
  const answered = page.waitForResponse(response => new URL(response.url()).pathname === path)
  await send.dispatchEvent('click')
  return answered
}

inBrowser('the reference page', () => {
  test.each<Width>([
    'phone',
    'desktop',
  ])('fits a %s, is accessible in both colour schemes, obeys its policy, and requests no other host', async width => {
    const { page, faults, close } = await opened(width)
    expect(await page.title()).toMatch(/Weinkontor/)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`body.${colorScheme}-mode`).waitFor()
      expect([colorScheme, ...(await barriers(page))]).toEqual([colorScheme])
    }
    expect([faults, await violations(page)]).toEqual([[], []])
    await close()
  })

  test('is searched, and its requests are tried by the service that it is from', async () => {
    const { page, faults, close } = await opened('desktop')
    await page.locator('button', { hasText: 'Search' }).first().dispatchEvent('click')
    const search = page.locator('[role=dialog] input').first()
    const foundBy = async (text: string, name: string) => {
      await search.fill(text)
      const found = page.locator('[role=option]', { hasText: name }).first()
      await found.waitFor()
      return found
    }
    await foundBy(errors.price_mismatch[1], 'price_mismatch')
    await foundBy('Places an order', '/service/orders/add')
    const found = await foundBy('packaging/find', '/service/packaging/find')
    await found.dispatchEvent('click')
    const lists = await tryOut(page, '#tag/public-wines/GET/wines/getAll', '(get /wines/getAll)', '/wines/getAll')
    expect([lists.status(), (await lists.json()).info]).toEqual([200, 'success'])
    await page.keyboard.press('Escape')
    const { authid, token } = credentialsOf('elbufer')
    const body = JSON.stringify({ authid, token })
    const place = '#tag/signing-in/POST/service/login'
    const login = await tryOut(page, place, '(post /service/login)', '/service/login', body)
    expect([login.status(), (await login.json()).token]).toEqual([200, expect.stringMatching(/^wks_/)])
    expect([faults, await violations(page)]).toEqual([[], []])
    await close()
  })
})

inBrowser('the document of the service', () => {
  test('opens in a browser, as JSON', async () => {
    const { page, faults, close } = await visitor('/openapi.json')
    expect(JSON.parse((await page.textContent('pre')) ?? '{}')).toMatchObject({ openapi: '3.1.1' })
    expect(faults).toEqual([])
    await close()
  })
})
