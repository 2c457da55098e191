import { importWines } from '../../lib/tool/imports/wines.ts'
import { newShop } from '../support/harness.ts'
import { tool } from '../support/tool.ts'
import { analysis, facts } from '../support/wine-facts.ts'

const shop = await newShop('Kellerei Gesetz')
const wine = { type: 'white', countrycode: 'de', region: 1008, vintage: 2024, shop: 1, allergenIds: [12] }

test('the command check prints what wines/check answers, counts it, and exits with 1 while anything is missing', async () => {
  const whole = { ...wine, ...analysis, name: 'Riesling', articlenumber: 'A', gross: '9.50' }
  await shop.call('wines/add', { data: { ...whole, facts: { ...facts, published: 1 } } })
  const bare = await shop.call('wines/add', {
    data: { ...wine, name: 'Silvaner', facts: { operator: facts.operator } },
  })
  const { code, out, errors } = await tool('check', String(shop.id), '--language', 'de')
  expect([code, out.split('\n'), errors]).toEqual([
    1,
    [
      expect.stringMatching(/^\d+ Silvaner 2024$/),
      '  alcohol: Der Alkoholgehalt fehlt.',
      '  base_price: Der Preis fehlt, und mit ihm der Preis je Liter.',
      '  ingredients: Die Zutaten fehlen.',
      '  nutrition: In der Nährwertdeklaration fehlt: Brennwert, Fett, gesättigte Fettsäuren, Kohlenhydrate, Zucker, Eiweiß, Salz.',
      '',
    ],
    '1 of 2 wines for sale lack something: alcohol 1, base_price 1, ingredients 1, nutrition 1\n',
  ])
  const data = { ...analysis, gross: '7.90', facts: { ...facts, published: 1 } }
  await shop.call('wines/edit', { id: bare.json.data.id, data })
  expect(await tool('check', String(shop.id))).toEqual({ code: 0, out: '2 wines for sale lack nothing\n', errors: '' })
})

test('the command check reads all pages', async () => {
  const many = await newShop('Kellerei Viele')
  const rows = Array.from({ length: 130 }, (_, n) => ({
    ...wine,
    countrycode: 'de' as const,
    type: 'white' as const,
    name: `W ${n}`,
    articlenumber: `W-${n}`,
  }))
  await importWines(
    many.id,
    rows.map(row => ({ ...row, shop: 1 as const })),
  )
  const { out, errors } = await tool('check', String(many.id))
  expect(out.match(/^W-/gm)).toHaveLength(130)
  expect(errors).toMatch(/^130 of 130 wines for sale lack something: alcohol 130,/)
})
