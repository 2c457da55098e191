import { motifOf } from '../../shared/catalogue/wines/stored.ts'
import { page } from '../../shared/documents/expertise/design.ts'
import { drawSheet } from '../../shared/documents/expertise/sheet.ts'
import { drawWine } from '../../shared/media/pictures/drawn/picture.ts'
import { runsOf, textOf, wordsIn } from '../support/expertise-sheet-reader.ts'
import { bare, full } from '../support/expertise-sheet-samples.ts'

const merchant = {
  name: 'Weinkontor Müller',
  company: 'Müller & Söhne GmbH',
  ...{ address: 'Große Bleiche 12', zip: '55116', city: 'Mainz', phone: '+49 6131 123456' },
  ...{ mail: 'kontor@example.org', www: 'www.example.org' },
}

const textsOf = (pdf: Buffer) => pdf.toString('latin1')

describe('a screen reader', () => {
  test('finds its language, its title and its parts', async () => {
    const pdf = textsOf(await drawSheet({ ...full, name: 'Müller & <Söhne>' }, { merchant }))
    expect(pdf).toContain('%PDF-1.7')
    expect(pdf).toMatch(/\/Lang \(de\)/)
    expect(pdf).toContain('/Marked true')
    expect(pdf).toContain('/DisplayDocTitle true')
    for (const part of ['Document', 'H1', 'H2', 'L', 'LI', 'Lbl', 'LBody', 'P']) expect(pdf).toContain(`/S /${part}\n`)
    expect(Buffer.from(pdf, 'latin1').toString()).toContain('Müller &amp; &lt;Söhne&gt; 2021')
  })

  test('gets the language of an English record, and the description of a picture', async () => {
    const wine = { ...full, language: 'en' }
    const pdf = textsOf(await drawSheet(wine, { picture: { drawing: drawWine(motifOf(wine)) } }))
    expect(pdf).toMatch(/\/Lang \(en\)/)
    expect(pdf).toMatch(/\/S \/Figure\n\/Alt \(Berg Schlossberg\)/)
  })
})

test('the footer contains the issuer of the sheet, with address and phone', async () => {
  const runs = runsOf(await drawSheet(full, { merchant })).filter(({ y }) => y > page.footer)
  const foot = wordsIn(runs.map(({ text }) => text).join(' '))
  for (const words of ['Weinkontor Müller, Müller & Söhne GmbH', 'Große Bleiche 12', '55116 Mainz', '+49 6131 123456'])
    expect(foot).toContain(words)
})

test('the sheet contains the producer with the whole address, and all grapes of the wine', async () => {
  const winery = full.winery && {
    ...full.winery,
    company: 'Sonne KG',
    phone: '+49 6722 1',
    www: 'https://sonne.example/',
  }
  const grapeNames = Array.from({ length: 22 }, (_, n) => `Rebe Nummer ${n + 1}`)
  const text = textOf(await drawSheet({ ...full, winery }, { grapeNames }))
  expect(text).toContain(
    'Weingut Sonnenberg Sonne KG Rheinstraße 12 65385 Rüdesheim Deutschland +49 6722 1 sonne.example',
  )
  for (const grape of grapeNames) expect(text).toContain(grape)
})

const lowest = (pdf: Buffer) => Math.max(...runsOf(pdf).flatMap(({ y }) => (y < page.footer ? [y] : [])))
const half = page.bodyEnd / 2
const short = { ...bare, description: 'Ein feiner Wein.', grapetypeIds: [129] }

test.each([
  ['of a full record with short texts', full, {}],
  ['of a record with one sentence', { ...short, winery: full.winery, taste_id: 1, articlenumber: '12' }, {}],
])('the page %s is not half empty', async (_, wine, details) => {
  expect(lowest(await drawSheet(wine, details))).toBeGreaterThan(half)
})

test('food, grape and region are added where they fit, in the language of the record', async () => {
  const german = textOf(await drawSheet(short))
  for (const words of ['Dazu passt Fisch', 'Riesling gibt Weine', 'Im Rheingau wendet']) expect(german).toContain(words)
  const english = textOf(await drawSheet({ ...short, language: 'en' }))
  for (const words of ['Goes well with Fish', 'Riesling gives wines', 'In the Rheingau'])
    expect(english).toContain(words)
})

test('the record’s own texts come before the added texts', async () => {
  const long = 'Feiner Duft von Weinbergspfirsich und kühler Mineralität. '.repeat(45)
  const text = textOf(await drawSheet({ ...short, description: long }))
  expect(text).not.toContain('Im Rheingau wendet')
  const winery = full.winery && { ...full.winery, freetext: 'Seit 1720 in einer Familie.' }
  expect(textOf(await drawSheet({ ...full, winery }))).toContain('Das Weingut Seit 1720 in einer Familie.')
})

test('words are hyphenated where a line would be too empty, by the rules of the record’s language', async () => {
  const linesOf = async (language: string, word: string) =>
    runsOf(await drawSheet({ ...bare, language, description: `Ein ${word} in der Nähe, `.repeat(50) })).map(
      ({ text }) => text,
    )
  expect((await linesOf('de', 'Spätburgundertraubenlese')).join('|')).toMatch(
    /(Spät|Spätbur|Spätburgun|Spätburgunder|trau|trauben)-\|/,
  )
  expect((await linesOf('en', 'characteristically')).join('|')).toMatch(
    /(char|charac|character|characteris|characteristi|characteristic)-\|/,
  )
})
