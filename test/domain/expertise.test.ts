import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { templateVersion } from '../../shared/documents/expertise/sheet.ts'
import { supplyExpertise } from '../../shared/media/wine-pdf.ts'
import { key } from '../../shared/platform/table/keys.ts'
import { getItem, putItem } from '../../shared/platform/table/table.ts'
import { parseTimestamp, unixSeconds } from '../../shared/values/time.ts'
import { setMerchant } from '../support/checkout.ts'
import { pageCount, textOf, wordsIn } from '../support/expertise-sheet-reader.ts'
import { call, type Json } from '../support/harness.ts'
import { hiddenItems } from '../support/hidden-items.ts'
import { download, fetchRaw, fileBytes, objectFiles, pdfOf } from '../support/pdf-files.ts'
import { crowd } from '../support/sampling.ts'
import { hookedTable } from '../support/table-hook.ts'
import { newWineShop, refusal } from '../support/wine-shop.ts'

const shop = await newWineShop('Weinhandlung Übermut')
const { edit, get, winery } = shop
const hide = hiddenItems()
const table = hookedTable()
const expertise = (id: number) => shop.call('wines/getExpertise', { id })
const drawn = async (id: number): Promise<Json> => {
  const { status, json } = await expertise(id)
  expect([status, json.info]).toEqual([200, 'success'])
  return json
}
const bytesOf = async (id: number): Promise<Buffer> => (await fetchRaw((await get(id)).expertisePdf)).bytes

const text = {
  name: 'Weißburgunder „Große Lage“ Ürzig',
  place: 'Ürziger Würzgarten',
  description: 'Ein stiller, süßer Wein: Äpfel, Öl und Rauch.',
  terroir: 'Löß über Schiefer',
}
const details = { ...text, public: 1, winery_id: winery, vintage: 2023, taste_id: 1, alcohol: '12.5', acid: '6.8' }

describe('getExpertise', () => {
  test('draws a sheet, and returns its path', async () => {
    const before = await shop.added({ ...details, name: 'Erstes Blatt' })
    const now = unixSeconds(Date.now())
    const answer = await drawn(before.id)
    expect(answer).toEqual({
      info: 'success',
      pdf: `/PDF/${before.id}/erstes-blatt.pdf`,
      templateFile: templateVersion.file,
      'template-date': templateVersion.date,
      'wine-date': unixSeconds(parseTimestamp(before.chstamp)),
      'existingPDF-data': 0,
      action: 'created',
    })
    const after = await get(before.id)
    const { pdf, expertisePdf, version, ...others } = before
    expect(after).toEqual({ ...others, pdf: 'erstes-blatt.pdf', expertisePdf: answer.pdf, version: 2 })
    const again = await drawn(before.id)
    expect(again).toEqual({ ...answer, action: 'none', 'existingPDF-data': again['existingPDF-data'] })
    expect(again['existingPDF-data']).toBeGreaterThanOrEqual(now)
    expect((await get(before.id)).version).toBe(2)
  })

  test('names the grapes in the order of the wine: by their labels, and those without by the merchant’s own names', async () => {
    const own = { 129: 'Nicht Riesling', 900001: 'Hausrebe' }
    for (const [id, name] of Object.entries(own))
      await putItem(key('grape', { merchant: shop.id, id: Number(id) }), { name })
    const { id } = await shop.added({ ...details, name: 'Rebenblatt', grapetypeIds: [32, 900_001, 129, 900_002] })
    await drawn(id)
    expect(textOf(await bytesOf(id))).toContain('Chardonnay, Hausrebe, Riesling')
  })

  test('bears the day of the merchant’s time zone', async () => {
    // 25 hours apart: one of them has another day than UTC at any moment.
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await setMerchant(shop, { timezone })
      const { id, chstamp } = await shop.added({ ...details, name: 'Tagesblatt' })
      await drawn(id)
      const day = new Date(parseTimestamp(chstamp)).toLocaleDateString('de', { dateStyle: 'long', timeZone: timezone })
      expect(textOf(await bytesOf(id))).toContain(`Stand ${day}`)
    }
    await setMerchant(shop, { timezone: null })
  })

  test('draws it again after the wine has changed, under the same name', async () => {
    const { id } = await shop.added({ ...details, name: 'Altes Blatt', place: 'Altes Feld' })
    const { pdf } = await drawn(id)
    const existing = (await drawn(id))['existingPDF-data']
    await edit(id, { name: 'Neues Blatt', place: 'Neues Feld' })
    expect(await drawn(id)).toMatchObject({ action: 'updated', pdf, 'existingPDF-data': existing })
    expect(await drawn(id)).toMatchObject({ action: 'none', pdf })
    const sheet = textOf(await bytesOf(id))
    expect(sheet).toContain('Neues Blatt')
    expect(sheet).toContain('Neues Feld')
    expect(sheet).not.toMatch(/Altes/)
  })

  test('draws it again after the facts of the wine have changed', async () => {
    const nutrition = { glycerol: '7.0', negligible: ['fat', 'saturates', 'protein', 'salt'] }
    const given = { ...details, name: 'Blatt mit Zutaten', sweetness: '3.0' }
    const { id } = await shop.added({ ...given, facts: { ingredients: [{ key: 'grapes' }], nutrition } })
    await drawn(id)
    const before = textOf(await bytesOf(id))
    expect(before).toContain('Trauben')
    expect(before).toMatch(/E \(100 ml\): \d+ kJ \/ \d+ kcal/)
    await edit(id, { facts: { ingredients: [{ key: 'grapes' }, { key: 'sulphites' }] } })
    expect(await drawn(id)).toMatchObject({ action: 'updated' })
    expect(textOf(await bytesOf(id))).toContain('Trauben; Konservierungsstoff: SULFITE')
  })

  test('draws facts that do not show yet with the change of their wine', async () => {
    const { id } = await shop.added({ ...details, name: 'Blatt mit späten Zutaten' })
    await edit(id, { facts: { ingredients: [{ key: 'grapes' }] } })
    hide('facts', 1)
    expect(await drawn(id)).toMatchObject({ action: 'created' })
    expect(textOf(await bytesOf(id))).toContain('Trauben')
  })

  test('draws it again when the merchant sells without tax, and when it charges tax again', async () => {
    const { id, expertisePdf } = await shop.added({ ...details, name: 'Blatt ohne Steuer', gross: '11.90' })
    const path = expertisePdf || (await get(id)).expertisePdf
    for (const [tax_free, isTaxed] of [
      [0, true],
      [1, false],
      [0, true],
    ] as const) {
      await setMerchant(shop, { tax_free })
      // The public path draws it, too.
      expect(textOf((await fetchRaw(path)).bytes).includes('19 %')).toBe(isTaxed)
      expect(await drawn(id)).toMatchObject({ action: 'none' })
    }
    await setMerchant(shop, { tax_free: 1 })
    expect(await drawn(id)).toMatchObject({ action: 'updated' })
    await setMerchant(shop, { tax_free: 0 })
  })

  test('names the merchant in the footer, with address and phone, and nothing of its account', async () => {
    const place = key('merchant', { merchant: shop.id })
    const account = await getItem(place)
    if (!account) throw new Error('no merchant')
    const contact = { address: 'Am Hang 3', zip: '01067', city: 'Dresden', phone: '+49 351 1234' }
    await putItem(place, { ...account, ...contact, iban: 'DE89370400440532013000' })
    const { id } = await shop.added({ ...details, name: 'Mit Fuß' })
    await drawn(id)
    const words = textOf(await bytesOf(id))
    expect(words).toContain('Weinhandlung Übermut Am Hang 3 · 01067 Dresden · +49 351 1234')
    expect(words).not.toContain('DE89')
  })

  test('never draws over a PDF that the merchant supplied', async () => {
    const { id } = await shop.added({ ...details, name: 'Eigenes Blatt' })
    await drawn(id)
    const own = pdfOf(2000, 'own')
    await supplyExpertise(shop.id, id, 'Eigenes Blatt.pdf', own)
    for (const place of ['A', 'B']) {
      await edit(id, { place })
      expect(await drawn(id)).toMatchObject({ action: 'none', pdf: `/PDF/${id}/Eigenes%20Blatt.pdf` })
    }
    expect((await bytesOf(id)).equals(own)).toBe(true)
  })

  test('called many times concurrently, and by links, draws once: all get one sheet, and one object is stored', async () => {
    const name = 'Gedränge'
    const { id, expertisePdf } = await shop.added({ ...details, name })
    const { pk } = key('facts', { merchant: shop.id, id })
    const before = new Set(await objectFiles())
    let drawings = 0
    table.hook = (command, text) => {
      // A sheet is drawn with the facts of its wine.
      if (command === 'GetItemCommand' && text.includes(pk)) drawings += 1
    }
    // The clock is stopped: on a busy machine the lease would end before the sheet is drawn.
    const { now } = Date
    const moment = now()
    Date.now = () => moment
    const links = Promise.all(Array.from({ length: crowd }, () => fetchRaw(expertisePdf)))
    const answers = await Promise.all(Array.from({ length: crowd }, () => drawn(id)))
    const sheet = await bytesOf(id)
    for (const { status, bytes } of await links) expect([status, bytes.equals(sheet)]).toEqual([200, true])
    Date.now = now
    expect(answers.filter(({ action }) => action === 'created').length).toBeLessThanOrEqual(1)
    expect(new Set(answers.map(({ pdf }) => pdf))).toEqual(new Set([expertisePdf]))
    expect(drawings).toBe(1)
    expect((await get(id)).version).toBe(2)
    const added = (await objectFiles()).filter(file => !before.has(file))
    // Other tests may draw at this moment; their sheets are of other wines.
    const sheets = (await Promise.all(added.map(fileBytes))).filter(bytes => textOf(bytes).includes(name))
    expect(sheets).toHaveLength(1)
    expect(sheets[0]?.subarray(0, sheet.length).equals(sheet)).toBe(true)
  })

  test('does not release the lease of a later request if its own has expired', async () => {
    const { id } = await shop.added({ ...details, name: 'Langsam gezeichnet' })
    const lease = key('sheetLease', { merchant: shop.id, wine: id })
    const later = { owner: 'a later request', until: Date.now() + 60_000 }
    const { pk } = key('facts', { merchant: shop.id, id })
    table.hook = async (command, text) => {
      // The request that has the lease reads them.
      if (command === 'GetItemCommand' && text.includes(pk)) await putItem(lease, later)
    }
    expect((await drawn(id)).action).toBe('created')
    expect(await getItem(lease)).toEqual(later)
  })

  test('finds no missing wine', async () => {
    const other = await newWineShop()
    const foreign = await other.added(details)
    for (const id of [2 ** 52, foreign.id])
      expect(refusal(await expertise(id))).toEqual([404, 'wine_not_found', undefined])
    expect(refusal(await shop.call('wines/getExpertise', {}))).toEqual([400, 'validation_failed', 'id'])
    expect((await other.get(foreign.id)).version).toBe(1)
  })
})

describe('the sheet', () => {
  const sheet = (async () => {
    const { id } = await shop.added(details)
    await drawn(id)
    return bytesOf(id)
  })()
  const expected = [...Object.values(text), 'Gut Sonne', 'Weinhandlung Übermut', '2023', '12,5', '6,8']

  test('is one page with the text of the wine', async () => {
    expect(pageCount(await sheet)).toBe(1)
    const words = textOf(await sheet)
    for (const part of expected) expect(words).toContain(part)
  })

  test('can be read by other programs, umlauts included', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weinkontor-sheet-'))
    const file = join(folder, 'sheet.pdf')
    await writeFile(file, await sheet)
    try {
      const words = wordsIn(execFileSync('pdftotext', [file, '-']).toString())
      for (const part of expected) expect(words).toContain(part)
      expect(execFileSync('pdfinfo', [file]).toString()).toMatch(/Pages: +1\n[\s\S]*A4/)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      console.warn('pdftotext is not installed (poppler-utils): no other program has read the sheet')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('is available while its wine is active and public or in the shop', async () => {
    const { id } = await shop.added({ ...details, name: 'Bald öffentlich', public: 0 })
    expect((await drawn(id)).pdf).toBe('')
    const path = `/PDF/${id}/bald-oeffentlich.pdf`
    const statusAfter = async (data: object) => {
      await edit(id, data)
      const { expertisePdf } = await get(id)
      return [(await fetchRaw(path)).status, expertisePdf]
    }
    expect((await fetchRaw(path)).status).toBe(404)
    expect(await statusAfter({ public: 1 })).toEqual([200, path])
    expect(await statusAfter({ public: 0 })).toEqual([404, null])
    expect(await statusAfter({ shop: 1 })).toEqual([200, path])
    expect(await statusAfter({ active: 0 })).toEqual([404, null])
  })
})

test('a link made for a click leads to the file, with its name and type', async () => {
  const { id } = await shop.added({ ...details, name: 'Ein Klick' })
  await drawn(id)
  const parameters = { wineId: id, expertiseFileName: 'ein-klick.pdf' }
  const link = `/wines/downloadExpertise?${new URLSearchParams({ ...parameters, wineId: String(id) })}`
  for (const answer of [
    await call('/wines/downloadExpertise', parameters),
    await call(link, undefined, { method: 'GET' }),
  ]) {
    expect([answer.status, answer.text]).toEqual([302, ''])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const location = answer.headers.get('location') ?? ''
    expect(new URL(location).searchParams.get('X-Amz-Expires')).toBe('300')
    expect(location).not.toContain('OPERATOR')
    const { status, headers, bytes } = await download(location)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''ein-klick.pdf")
    expect(bytes.equals(await bytesOf(id))).toBe(true)
  }
})
