import { textOf } from '../support/expertise-sheet-reader.ts'
import { call, type Json, newShop, twin } from '../support/harness.ts'
import { readQr } from '../support/qr-reader.ts'
import { newFolder, patience, tool } from '../support/tool.ts'

// A merchant's way to electronic labels over HTTPS alone, on the twin with built functions: a file with facts, the label and
// its QR code, the next vintage.

const shop = await newShop('Weingut Etikett')
const folder = await newFolder()

const header = 'articlenumber,name,type,countrycode,region,vintage,gross,alcohol,sweetness,acid,public,shop'
const factsHeader = 'facts_ingredients,facts_glycerol,facts_negligible,facts_packaging'
const wine = (number: string, name: string) => `${number},${name},white,de,1008,2024,9.50,12,3,6,1,1`
const ingredients = 'grapes|tartaric_acid=and_or|malic_acid=and_or|sulphites'
const facts = `${ingredients},7,fat|saturates|protein|salt,bottle=GL 71`
const operator = { role: 'bottled_by', name: 'Weingut Etikett', address: 'Hauptstraße 1, 54470 Bernkastel' }

const desk = async (route: string, body: Json = {}): Promise<Json> => {
  const { status, json } = await shop.call(route, body)
  if (status !== 200) throw new Error(`${route}: ${status} ${json.error} ${json.details}`)
  return json
}
const refusal = async (route: string, body: Json) => {
  const { status, json } = await shop.call(route, body)
  return [status, json.error, json.fields?.map(({ path }: Json) => path)]
}
/** The label as a buyer's device reads it: without a session. */
const label = (hash: string, language = 'de') => call('/elabels/get', { uuid: hash, language })
const pageAt = async (url: string, language: string) => {
  const response = await fetch(url, { headers: { accept: 'text/html', 'accept-language': language } })
  return [response.status, await response.text()]
}
/** The words of wines/check by article number. */
const missing = async (): Promise<Json> =>
  Object.fromEntries(
    (await desk('wines/check')).data.map((one: Json) => [one.articlenumber, one.missing.map(({ word }: Json) => word)]),
  )
const energyIn = (rows: Json[]) =>
  rows.filter(({ key }) => key === 'energy').map(({ quantity, unit }) => `${quantity} ${unit}`)

test(
  'a merchant imports wines with facts, publishes a label, and its code stays true after the next vintage',
  async () => {
    // A file of two wines, one without facts.
    const file = await folder.lines(
      `${header},${factsHeader}`,
      `${wine('SL-1', 'Schiefer')},${facts}`,
      `${wine('SL-2', 'Ohne Angaben')},,,,`,
    )
    const { code, out } = await tool('import', 'wines', file, '--merchant', String(shop.id))
    expect([code, out]).toEqual([0, expect.stringContaining('2 wines added')])
    const wines = (await desk('wines/getAll', { orderBy: 'articlenumber ASC' })).data
    expect(wines.map(({ articlenumber }: Json) => articlenumber)).toEqual(['SL-1', 'SL-2'])
    const [{ id, hash, path_segment }, plain] = wines

    const nothingGiven = ['allergens', 'bottler', 'ingredients', 'nutrition']
    expect(await missing()).toEqual({ 'SL-1': ['allergens', 'bottler'], 'SL-2': nothingGiven })

    // A shop shows them before the order; the wine without facts has none.
    const shown = await desk('facts/getAll', { wine_id: id, language: 'en' })
    expect(energyIn(shown.data)).toEqual(['294 kJ', '71 kcal'])
    expect(shown.label).toEqual({ status: 'none', url: null })
    expect((await desk('facts/getAll', { wine_id: plain.id })).data).toEqual([])

    // The label lacks its operator; then it is published.
    expect(await refusal('wines/edit', { id, data: { facts: { published: 1 } } })).toEqual([
      ...[422, 'label_incomplete'],
      ['data.facts.operator'],
    ])
    expect((await label(hash)).status).toBe(404)
    await desk('wines/edit', { id, data: { allergenIds: [12], facts: { operator, published: 1 } } })
    expect(await missing()).toEqual({ 'SL-1': [], 'SL-2': nothingGiven })
    const { url } = (await desk('facts/getAll', { wine_id: id })).label
    expect(url).toBe(`${twin.url}/e/${hash}`)
    const published = (await label(hash)).json.data
    expect(energyIn(published)).toEqual(['294 kJ', '71 kcal'])
    const printed = Buffer.from(await (await fetch(`${url}/qr.png`)).arrayBuffer())
    expect((await readQr(printed))?.text).toBe(url)
    expect(await pageAt(url, 'de')).toEqual([200, expect.stringContaining('E (100 ml): 294 kJ / 71 kcal')])
    expect((await label(hash, 'fr')).json.data.find(({ key }: Json) => key === 'grapes').name).toBe('raisins')

    // The sheet shows the same.
    const { pdf } = await desk('wines/getExpertise', { id })
    const sheet = textOf(Buffer.from(await (await fetch(twin.url + pdf)).arrayBuffer()))
    expect(sheet).toContain('E (100 ml): 294 kJ / 71 kcal')
    expect(sheet).toContain(
      'Trauben; Säureregulatoren: enthält Weinsäure und/oder Äpfelsäure; Konservierungsstoff: SULFITE',
    )

    // Printed bottles show this vintage: it cannot become another wine, and the next vintage has a code of its own.
    for (const data of [{ vintage: 2025 }, { alcohol: '12.5' }])
      expect((await refusal('wines/edit', { id, data }))[1]).toBe('label_published')
    const next = (await desk('wines/rollOver', { id, vintage: 2025 })).data
    expect(next).toMatchObject({ vintage: 2025, path_segment, predecessor_id: id })
    expect(next.hash).not.toBe(hash)
    expect((await label(next.hash)).status).toBe(404)
    const analysis = { alcohol: '11.0', sweetness: '8.0', acid: '7.0' }
    await desk('wines/edit', { id: next.id, data: { ...analysis, facts: { ...shown.facts, operator, published: 1 } } })
    expect(energyIn((await label(next.hash)).json.data)).not.toEqual(['294 kJ', '71 kcal'])

    // The code on the old bottles still leads to their own facts, also when the wine is no longer sold.
    await desk('wines/edit', { id, data: { active: 0, public: 0, shop: 0 } })
    expect((await label(hash)).json.data).toEqual(published)
    const page = await pageAt(`${url}?lang=de`, 'de')
    expect(page).toEqual([200, expect.stringContaining('2024')])
    expect(page[1]).toContain('E (100 ml): 294 kJ / 71 kcal')

    // Only the merchant withdraws it.
    await desk('wines/edit', { id, data: { facts: { published: 0 } } })
    expect((await label(hash)).status).toBe(410)
    expect((await label(next.hash)).status).toBe(200)
  },
  patience,
)
