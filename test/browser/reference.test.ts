import { inBrowser, visitor } from '../support/browser.ts'

inBrowser('the document of the service', () => {
  test('opens in a browser, as JSON', async () => {
    const { page, faults, close } = await visitor('/openapi.json')
    expect(JSON.parse((await page.textContent('pre')) ?? '{}')).toMatchObject({ openapi: '3.1.1' })
    expect(faults).toEqual([])
    await close()
  })
})
