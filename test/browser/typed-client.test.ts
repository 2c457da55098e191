import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inBrowser, visitor } from '../support/browser.ts'
import { newShop, twin } from '../support/harness.ts'

const code = readFileSync(join(import.meta.dirname, '../../lib/client/dist/index.js'), 'utf8')

/** The twin by its other name: to a browser that is another site. */
const elsewhere = () => {
  const url = new URL(twin.url)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url.origin
}

type Client = typeof import('../../lib/client/index.ts')

inBrowser('the typed client on a page of another site', () => {
  test('calls public routes, and gets all fields of their refusals', async () => {
    const { page, faults, close } = await visitor(`${elsewhere()}/openapi.json`)
    const seen = await page.evaluate(
      async ({ code, url }) => {
        const module = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
        const { createClient, isError } = (await import(module)) as Client
        const guest = createClient({ url })
        const found = await guest.call('/wines/search', { pageSize: 1, filter: { type: 'red' } })
        const { countries } = await guest.call('/localization/{path+}', { path: 'de' })
        const error = await guest.call('/wines/getPublic', { hash: '0'.repeat(32) }).catch(error => error)
        return {
          ...{ info: found.info, germany: countries.de },
          ...{ isNotFound: isError(error, 'wine_not_found'), requestId: error.requestId },
        }
      },
      { code, url: twin.url },
    )
    expect(seen).toMatchObject({ info: 'success', germany: 'Deutschland', isNotFound: true })
    expect(seen.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(new URL(page.url()).origin).not.toBe(new URL(twin.url).origin)
    expect(faults).toEqual([])
    await close()
  })

  test('reaches no route of a merchant: a credential does not belong there', async () => {
    const { authid, apiToken } = await newShop()
    const { page, close } = await visitor(`${elsewhere()}/openapi.json`)
    const name = await page.evaluate(
      async ({ code, url, authid, token }) => {
        const module = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
        const { createClient } = (await import(module)) as Client
        const shop = createClient({ url, authid, token, retries: 0 })
        return shop.call('/service/customers/getMy').catch(error => error.name)
      },
      { code, url: twin.url, authid, token: apiToken },
    )
    expect(name).toBe('ConnectionError')
    await close()
  })
})
