import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRows } from '../../lib/tool/imports/files.ts'
import { wines } from '../../lib/tool/imports/wines.ts'
import { Refused } from '../../lib/tool/merchants.ts'

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
  test.each(['latin1', 'utf16le'] as const)('in %s is refused instead of read with wrong letters', encoding => {
    const file = stored(name, text, encoding)
    const read = () => readRows(file, 'wines', wines.format)
    expect(read).toThrow(Refused)
    expect(read).toThrow(`${file}: the file is not UTF-8`)
  })

  test.each(['', '\ufeff'])('in UTF-8 is read, with and without a byte order mark: %j', mark => {
    const { rows, refusals } = readRows(stored(name, mark + text, 'utf8'), 'wines', wines.format)
    expect([rows[0]?.name, refusals]).toEqual(['Grüner Veltliner', []])
  })
})
