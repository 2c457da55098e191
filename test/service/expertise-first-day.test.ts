import { importWines } from '../../lib/tool/imports/wines.ts'
import { supplyExpertise } from '../../shared/media/wine-pdf.ts'
import { textOf } from '../support/expertise-sheet-reader.ts'
import { call } from '../support/harness.ts'
import { download, fetchRaw, pdfOf } from '../support/pdf-files.ts'
import { untilPublished } from '../support/until-published.ts'
import { newWineShop } from '../support/wine-shop.ts'

const shop = await newWineShop()
const clicked = (wineId: number, expertiseFileName: string) =>
  call('/wines/downloadExpertise', { wineId, expertiseFileName })

test('a wine has the link of its PDF from the start, whether it was added or imported', async () => {
  const added = await shop.added({ name: 'Erster Tag', public: 1 })
  expect(added).toMatchObject({ pdf: 'erster-tag.pdf', expertisePdf: `/PDF/${added.id}/erster-tag.pdf` })
  expect(await shop.get(added.id)).toEqual(added)
  await importWines(shop.id, [
    { articlenumber: 'T-1', name: 'Zweiter Tag', type: 'red', countrycode: 'de', region: 1005, public: 1 },
  ])
  const [imported] = (await shop.call('wines/getAll', { query: { articlenumber: 'T-1' } })).json.data
  expect(imported).toMatchObject({ pdf: 'zweiter-tag.pdf', expertisePdf: `/PDF/${imported.id}/zweiter-tag.pdf` })
  await untilPublished(shop.id)
  const { json } = await call('/wines/getPublic', { id: imported.id })
  expect(json.data).toMatchObject({ pdf: imported.pdf, expertisePdf: imported.expertisePdf })
})

test('a click draws as well, and getExpertise then finds the sheet', async () => {
  const { id, pdf } = await shop.added({ name: 'Erster Klick', public: 1 })
  const { status, headers } = await clicked(id, pdf)
  expect(status).toBe(302)
  expect(textOf((await download(headers.get('location') ?? '')).bytes)).toContain('Erster Klick')
  expect((await shop.call('wines/getExpertise', { id })).json.action).toBe('none')
})

test('a public link leads to a sheet of the present wine, under its first name', async () => {
  const { id, expertisePdf } = await shop.added({ name: 'Alter Name', public: 1 })
  await shop.edit(id, { name: 'Neuer Name' })
  expect(await shop.get(id)).toMatchObject({ path_segment: 'neuer-name', expertisePdf })
  expect(textOf((await fetchRaw(expertisePdf)).bytes)).toContain('Neuer Name')
  await shop.edit(id, { place: 'Neuer Ort' })
  expect(textOf((await fetchRaw(expertisePdf)).bytes)).toContain('Neuer Ort')
  await supplyExpertise(shop.id, id, 'Eigenes.pdf', pdfOf(500, 'own'))
  expect((await fetchRaw(expertisePdf)).bytes.equals(pdfOf(500, 'own'))).toBe(true)
})

test('an edit with a version is not refused because of a concurrent click', async () => {
  const { id, expertisePdf, version } = await shop.added({ name: 'Besucht', public: 1 })
  const edit = (data: object) => shop.call('wines/edit', { id, data })
  expect((await fetchRaw(expertisePdf)).status).toBe(200)
  const edited = await edit({ place: 'Neu', version })
  expect([edited.status, edited.json.data?.place]).toEqual([200, 'Neu'])
  // Another client's edit is a change, drawn or not.
  expect((await edit({ place: 'Verloren', version })).json.error).toBe('version_conflict')
  expect((await fetchRaw(expertisePdf)).status).toBe(200)
  expect((await edit({ place: 'Verloren', version })).json.error).toBe('version_conflict')
  expect((await shop.get(id)).place).toBe('Neu')
})

test('no sheet is drawn for another name or for a wine that is not public', async () => {
  const [shown, hidden] = [await shop.added({ public: 1 }), await shop.added({ public: 0 })]
  for (const [{ id }, name] of [
    [shown, 'other.pdf'],
    [hidden, hidden.pdf],
  ] as const) {
    expect([(await fetchRaw(`/PDF/${id}/${name}`)).status, (await clicked(id, name)).status]).toEqual([404, 404])
    expect((await shop.get(id)).version).toBe(1)
  }
})
