import { importWines } from '../../lib/tool/imports/wines.ts'
import { setMerchant } from '../support/checkout.ts'
import { newShop } from '../support/harness.ts'
import { tool } from '../support/tool.ts'
import { analysis, facts } from '../support/wine-facts.ts'

const shop = await newShop('Kellerei Gesetz')
const address = { address: 'Kai 1', zip: '20457', city: 'Hamburg', taxid: '27/123/45678' }
await setMerchant(shop, { ...address, contact_person: 'Ute Kai', phone: '+49 40 555', mail: 'kai@example.org' })
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

test('the command check names what invoices lack of the merchant, and exits with 1 for what all of them need', async () => {
  const bare = await newShop('Kellerei Ohne Anschrift')
  await setMerchant(bare, { ...address, zip: null, taxid: null, mail: 'kai@example.org', phone: '+49 40 555' })
  const lines = (...texts: string[]) => texts.map(text => `${text}\n`).join('')
  const contact = 'invoices of public buyers lack of the merchant: contact_person'
  expect(await tool('check', String(bare.id))).toEqual({
    code: 1,
    out: lines('invoices lack of the merchant: zip, taxid', contact, '0 wines for sale lack nothing'),
    errors: 'invoices lack of the merchant: zip, taxid\n',
  })
  await setMerchant(bare, address)
  expect(await tool('check', String(bare.id))).toEqual({
    code: 0,
    out: lines(contact, '0 wines for sale lack nothing'),
    errors: '',
  })
})
