import { demoWinesOf } from '../../lib/tool/demo/cellar.ts'
import { credentialsOf } from '../../lib/tool/demo/credentials.ts'
import { translateDemo } from '../../lib/tool/demo/translations.ts'
import { readCatalogue } from '../../lib/tool/imports/wine-writes.ts'
import { importWines } from '../../lib/tool/imports/wines.ts'
import { createMerchant } from '../../lib/tool/merchants.ts'
import { merchantIdOf } from '../../shared/platform/table/keys.ts'

const { name, authid } = credentialsOf('elbufer')
const merchant = merchantIdOf((await createMerchant({ name, authid })).id)
const rows = demoWinesOf('elbufer').slice(0, 40)
await importWines(merchant, rows)
const isSold = ({ active, public: shown, shop }: { active?: 0 | 1; public?: 0 | 1; shop?: 0 | 1 }) =>
  active === 1 && shown === 1 && shop === 1
const sold = rows.filter(isSold)

const read = async () => {
  const { wines, versions } = await readCatalogue(merchant)
  return { wines, versions, translations: wines.filter(({ origin_id }) => origin_id !== null) }
}

/** A signal that aborts after a number of reads. */
const abortingAfter = (times: number) => {
  let asked = 0
  return {
    get aborted() {
      return ++asked > times
    },
  } as AbortSignal
}

test('an interrupted translation of the demo continues at the next start, and a complete one changes nothing', async () => {
  await translateDemo(abortingAfter(10))
  const begun = (await read()).translations.length
  expect(begun).toBeGreaterThan(0)
  expect(begun).toBeLessThan(sold.length)
  await translateDemo(new AbortController().signal)
  const complete = await read()
  expect(complete.translations).toHaveLength(sold.length)
  await translateDemo(new AbortController().signal)
  expect((await read()).versions).toEqual(complete.versions)
})

test('a demo wine for sale has one English translation, which its original lists and no shop sells', async () => {
  const { wines, translations } = await read()
  expect(wines.filter(isSold)).toHaveLength(sold.length)
  expect(translations.map(({ articlenumber }) => articlenumber).toSorted()).toEqual(
    sold.map(({ articlenumber }) => articlenumber).toSorted(),
  )
  for (const translation of translations) {
    const { id, language, name, path_segment } = translation
    const original = wines.find(one => one.id === translation.origin_id)
    expect(original?.translations).toEqual([{ id, language, name, path_segment }])
    expect(translation).toMatchObject({ language: 'en', active: 1, public: 1, shop: 0, image: null })
    expect(translation.description).toMatch(/ made from .+\. Goes well with /)
    expect(original?.description).toMatch(/ aus .+\. Passt zu /)
    for (const field of ['name', 'vintage', 'gross', 'net', 'winery', 'categoryIds', 'grapetypeIds'] as const)
      expect(translation[field]).toEqual(original?.[field])
  }
})
