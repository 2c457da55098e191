import { labelLanguages } from '../../shared/contract/labels/label-tables.ts'
import { termsIn } from '../../shared/documents/elabels/terms.ts'
import { barriers, inBrowser, screenshot, visitor } from '../support/browser.ts'
import { newShop } from '../support/harness.ts'
import { label } from '../support/label-samples.ts'

const published = async (): Promise<string> => {
  const { name, vintage, type, countrycode, region, alcohol, ingredients, packaging, operator } = label
  const { kj, kcal, carbohydrate, sugars, negligible } = label.nutrition
  const nutrition = { kj, kcal, carbohydrate, sugars, negligible }
  const facts = { ingredients, nutrition, packaging, operator, published: 1 }
  const shop = await newShop('Kellerei Etikett')
  const analysis = { sweetness: '3.0', acid: '6.0' }
  const data = { name, vintage, type, countrycode, region, alcohol, ...analysis, gross: '9.50', facts }
  return (await shop.call('wines/add', { data })).json.data.hash
}

inBrowser('the page of a label', () => {
  test('fits a phone in every language, is accessible in both colour schemes, obeys its policy, and requests nothing else', async () => {
    const hash = await published()
    const { page, close } = await visitor(`/e/${hash}`, { width: 'phone', locale: 'fr-CH', density: 2 })
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    for (const language of labelLanguages) {
      await page.locator(`nav a[lang=${language}]`).click()
      await page.waitForURL(`**/e/${hash}?lang=${language}`)
      const { headings, nutrients } = termsIn(language)
      await page.getByRole('heading', { name: headings.ingredients, exact: true }).waitFor()
      await page.getByRole('rowheader', { name: nutrients.energy, exact: true }).waitFor()
      expect([language, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([
        language,
        0,
      ])
      await screenshot(page, `label-${language}`)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect([colorScheme, ...(await barriers(page))]).toEqual([colorScheme])
    }
    await screenshot(page, 'label-dark')
    expect(new Set(requested)).toEqual(new Set([`/e/${hash}`]))
    expect(await page.context().cookies()).toEqual([])
    await close()
  })

  test('says in the language of the browser that there is no such label', async () => {
    const { page, close } = await visitor(`/e/${'0'.repeat(32)}`, { width: 'phone', locale: 'pl-PL' })
    await page.getByRole('heading', { name: termsIn('pl').sentences.not_found }).waitFor()
    expect(await barriers(page)).toEqual([])
    await close()
  })
})
