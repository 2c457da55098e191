import { completeProduct } from '../../shared/contract/records/product.ts'
import { abridgedBytes, abridgedRecord, jsonBytes } from '../../shared/contract/records/size.ts'
import type { Wine } from '../../shared/contract/records/wine.ts'
import { completeWinery } from '../../shared/contract/records/winery.ts'
import { abridge, withShortTexts } from '../../shared/values/text.ts'
import { bare } from '../support/expertise-sheet-samples.ts'
import { counted } from '../support/partitions.ts'

const most = Number.MAX_SAFE_INTEGER

/** A wine whose texts consist of one character and have their maximum length. */
const fullOf = (sign: string): Wine => {
  const line = sign.repeat(255)
  const wine: Wine = {
    ...bare,
    ...{ id: most, customers_id: most, winery_id: most, name: line, place: line, quality: line, quality_note: line },
    ...{ articlenumber: line, terroir: line, maturation: line, drinktemperature: line, nostocktext: line, image: line },
    ...{ description: sign.repeat(10_000), path_segment: 'x'.repeat(200), pdf: line },
    expertisePdf: `/PDF/${most}/${encodeURIComponent(line)}`,
    ...{ categoryIds: counted(100).map(n => most - n), grapetypeIds: counted(100).map(n => most - n) },
  }
  const winery = completeWinery({
    ...{ id: most, name: line, customers_id: most, crstamp: bare.crstamp, chstamp: bare.chstamp },
    ...{ company: line, taxid: line, address: line, zip: line, city: line, mail: line, phone: line, fax: line },
    ...{ www: line, vineyard: line, harvest: line, bestplaces: line, memberof: line, image: line },
    freetext: sign.repeat(10_000),
  })
  const amounts = { taxrate: 19, net: '999999999.99', tax: '999999999.99', gross: '999999999.99' }
  const prices = counted(100).map(n => ({ wine_id: most, price_range_id: most - n, priceRangeName: line, ...amounts }))
  return { ...wine, winery, prices }
}

test.each([
  '🍷',
  '"',
  '\\',
  '\n',
  'ü',
])('a wine whose texts are all %j, at their longest, takes 40 KB and keeps its short fields', sign => {
  const wine = fullOf(sign)
  expect(jsonBytes(wine)).toBeGreaterThan(90_000)
  const short = abridgedRecord({ ...wine, quantity: 7 })
  expect(jsonBytes(short)).toBeLessThanOrEqual(abridgedBytes)
  expect(Object.keys(short)).toEqual([...Object.keys(wine), 'quantity'])
  const { id, hash, path_segment, gross, crstamp, categoryIds, expertisePdf, quality } = wine
  expect(short).toMatchObject({
    id,
    hash,
    path_segment,
    gross,
    crstamp,
    categoryIds,
    expertisePdf,
    quality,
    quantity: 7,
  })
  expect(short.prices).toMatchObject(wine.prices.map(({ priceRangeName, ...price }) => price))
  expect(JSON.stringify(short).isWellFormed()).toBe(true)
})

test('the description is cut first, by no more than needed', () => {
  const wine = { ...bare, terroir: 'x'.repeat(255), description: `${'ü"'.repeat(20_000)}` }
  const { description, ...rest } = abridgedRecord(wine)
  expect(rest).toEqual({ ...wine, description: undefined })
  expect(description).toMatch(/^(ü")+ü?…$/)
  expect(jsonBytes({ ...rest, description })).toBeGreaterThan(abridgedBytes - 4)
})

test('the winery’s texts are cut next', () => {
  const winery = completeWinery({
    ...{ id: 1, name: 'Gut', customers_id: 1, crstamp: '', chstamp: '', freetext: '🍷'.repeat(10_000) },
  })
  const short = abridgedRecord({ ...bare, winery, terroir: 'x'.repeat(4000), description: 'y'.repeat(9000) })
  expect(short).toMatchObject({ terroir: 'x'.repeat(4000), description: '…', winery: { name: 'Gut' } })
  expect(jsonBytes(short)).toBeGreaterThan(abridgedBytes - 8)
})

test('a small record stays as it is', () => {
  const product = completeProduct({ ...bare, prices: [], name: 'Karaffe', description: 'x'.repeat(38_000) })
  expect(abridgedRecord(product)).toBe(product)
  expect(abridgedRecord({ other: 'x'.repeat(50_000) })).toEqual({ other: expect.stringMatching(/^x{249}…$/) })
})

test('a text is cut between characters, not within one', () => {
  expect(abridge('🍷🍷🍷', 3)).toBe('🍷🍷🍷')
  expect(abridge('🍷🍷🍷🍷', 3)).toBe('🍷🍷…')
  expect(abridge('abc', 3)).toBe('abc')
  expect(withShortTexts({ a: ['abcd', 1, null], b: { c: 'abcde', d: true } }, 3)).toEqual({
    a: ['ab…', 1, null],
    b: { c: 'ab…', d: true },
  })
})
