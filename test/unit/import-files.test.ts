import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { cellOf, valueIn } from '../../lib/tool/imports/cells.ts'
import { columnLines, exampleOf } from '../../lib/tool/imports/columns.ts'
import { readRows } from '../../lib/tool/imports/files.ts'
import { fileKinds } from '../../lib/tool/imports/kinds.ts'
import { wines } from '../../lib/tool/imports/wines.ts'
import { Refused } from '../../lib/tool/merchants.ts'
import { toolProcess } from '../support/tool.ts'

const folder = mkdtempSync(join(tmpdir(), 'weinkontor-import-'))
afterAll(() => rmSync(folder, { recursive: true }))

const stored = (name: string, text: string, encoding: BufferEncoding): string => {
  const file = join(folder, name)
  writeFileSync(file, text, encoding)
  return file
}

const csv = 'articlenumber,name,type,countrycode,region\nA-1,Grüner Veltliner,white,de,1005\n'
const json = '[{"articlenumber":"A-1","name":"Grüner Veltliner","type":"white","countrycode":"de","region":1005}]'

describe.each([
  ['wines.csv', csv],
  ['wines.json', json],
])('%s', (name, text) => {
  test('in UTF-16 is refused instead of read with wrong letters', () => {
    const file = stored(name, text, 'utf16le')
    const read = () => readRows(file, 'wines', wines.format)
    expect(read).toThrow(Refused)
    expect(read).toThrow(`${file}: the file is not UTF-8`)
  })

  test.each(['', '\ufeff'])('in UTF-8 is read, with and without a byte order mark: %j', mark => {
    const { rows, refusals } = readRows(stored(name, mark + text, 'utf8'), 'wines', wines.format)
    expect([rows[0]?.name, refusals]).toEqual(['Grüner Veltliner', []])
  })
})

test('a JSON file in Windows-1252 is refused', () => {
  const file = stored('latin.json', json, 'latin1')
  expect(() => readRows(file, 'wines', wines.format)).toThrow(`${file}: the file is not UTF-8`)
})

describe('a CSV file as Excel writes it', () => {
  const german = [
    'articlenumber;name;type;countrycode;region;gross;taxrate;alcohol;prices',
    'A-1;"Grüner; Veltliner „4,5“";white;de;1005;1.234,50;19;12,5;Gastro=7,50|Nr. 1,5=1.008,00',
    'A-2;4,5;white;de;1005;9.90;19;;',
  ].join('\r\n')
  // Windows-1252 has quotes and the euro sign, Latin-1 lacks them.
  const bytes = Buffer.from(german, 'latin1')
  const quotes: Record<string, number> = { '„': 0x84, '“': 0x93 }
  for (const [sign, byte] of Object.entries(quotes)) bytes[german.indexOf(sign)] = byte

  test.each([
    ['Windows-1252', bytes, ['Windows-1252', 'semicolons between columns', 'decimal commas']],
    ['UTF-8', Buffer.from(german), ['semicolons between columns', 'decimal commas']],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${german}`), ['semicolons between columns', 'decimal commas']],
    [
      'tabs',
      Buffer.from(german.replaceAll(';', '\t').replace('\t Velt', '; Velt')),
      ['tabs between columns', 'decimal commas'],
    ],
  ])('in German, in %s, is read correctly, and its traits are reported', (_, content, traits) => {
    const file = join(folder, 'excel.csv')
    writeFileSync(file, content)
    const read = readRows(file, 'wines', wines.format)
    expect([read.refusals, read.traits]).toEqual([[], traits])
    expect(read.rows).toMatchObject([
      {
        name: 'Grüner; Veltliner „4,5“',
        gross: '1234.50',
        alcohol: '12.5',
        prices: [
          { priceRange: 'Gastro', gross: '7.50' },
          { priceRange: 'Nr. 1,5', gross: '1008.00' },
        ],
      },
      // A text keeps its comma.
      { name: '4,5', gross: '9.90' },
    ])
  })

  test('with commas and points has no traits', () => {
    expect(readRows(stored('plain.csv', csv, 'utf8'), 'wines', wines.format).traits).toEqual([])
  })
})

test.each([
  ['x.png', ['image']],
  ['https://elsewhere.example/x.png', ['image']],
  ['/Images/Wine/12.png', ['image']],
  ['drawn', []],
  ['', []],
  ['/Images/wine/12/0123456789abcdef0123456789abcdef-720x1600.webp', []],
])('an image %j is accepted only where the service can show it', (image, refused) => {
  const { refusals } = readRows(
    stored('image.csv', `${csv.trim().replace('\n', `,image\n`)},${image}\n`, 'utf8'),
    'wines',
    wines.format,
  )
  expect(refusals.map(({ column }) => column)).toEqual(refused)
  for (const { expected } of refusals) expect(expected).toMatch(/^null, drawn, or a path/)
})

describe.each(fileKinds)('the columns of $name', ({ columns }) => {
  test.each(
    columns.map(column => [column.name, column] as const),
  )('%s has a description, and a valid example', (_, column) => {
    expect(column.field.description).toMatch(/^[A-Z0-9].+\.$/)
    const example = exampleOf(column)
    expect(v.parse(column.schema, valueIn(cellOf(example), column.schema))).toEqual(v.parse(column.schema, example))
  })
})

test('import --columns explains the columns without a file, a merchant or a service', async () => {
  const { code, out, errors } = await toolProcess(['import', 'wines', '--columns'], folder)
  const { columns } = wines.format
  expect([code, errors, out]).toEqual([0, '', `${columnLines(columns).join('\n')}\n`])
  expect(out.match(/^\S+/gm)).toEqual(columns.map(({ name }) => name))
})

test('a column is explained by its description, its rules, its default and an example', () => {
  const linesOf = (kind: string, ...names: string[]) => {
    const columns = fileKinds.find(({ name }) => name === kind)?.columns ?? []
    return columnLines(columns.filter(({ name }) => names.includes(name)))
  }
  expect(linesOf('wines', 'name', 'vintage', 'cap', 'bio', 'prices', 'winery_mail')).toEqual([
    'name         Name of the wine.',
    '             at most 255 characters long, filled in; required; example: Riesling Kalkstein',
    'vintage      Year of the harvest.',
    '             a whole number of 0 or more, at least 1000, at most 9999; optional; example: 2021',
    'cap          Closure of the bottle.',
    '             one of screw, cork, crownCap, plastic, glas; optional; example: cork',
    'bio          1 marks an organic wine.',
    '             0 or 1; default 0; example: 1',
    "prices       Prices that replace the wine's own price for clients of a price range. With tax, in euros; the import adds price ranges that are missing.",
    '             list with | between items, at most 100 of them, written priceRange=gross, free of duplicates; optional; example: Gastronomie=7.50',
    'winery_mail  Mail address.',
    '             at most 254 characters long, a mail address such as name@example.org; optional; example: gut@example.org',
  ])
  expect(linesOf('clients', 'tax_free', 'active', 'rebate')).toEqual([
    'rebate    Rebate on each order, in percent.',
    '          a whole number of 0 or more, at least 0, at most 100; optional; example: 5',
    'tax_free  1 sells to the client without tax, for the `net` price.',
    '          0 or 1; default 0; example: 1',
    'active    0 keeps the client from signing in.',
    '          0 or 1; default 1; example: 0',
  ])
})
