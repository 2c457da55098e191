import { writeFile } from 'node:fs/promises'
import { readRows, rowsText } from '../../lib/tool/imports/files.ts'
import { importWines, wines as kind } from '../../lib/tool/imports/wines.ts'
import { columnSample, fieldOf, fieldsWith } from '../support/field-samples.ts'
import type { Json } from '../support/harness.ts'
import { newFolder } from '../support/tool.ts'
import { newWineShop } from '../support/wine-shop.ts'

// Walks the table of a wine's fields: what files have a column for, an import brings in and an export takes out. A field
// that is added to the table needs no line here.

const shop = await newWineShop()
const folder = await newFolder()
// These name a wine without an article number, or a translation.
const naming = ['id', 'origin_id', 'original']
const columns = fieldsWith(field => field.column).filter(name => !naming.includes(name))
// These two tell which wine a row is, here and for people.
const telling = ['articlenumber', 'name']
// An export says gross and tax rate; these follow.
const following = ['net', 'tax']

const least = (series: string, name: string) => ({
  articlenumber: `${series}-${name}`,
  name: `${series} ${name} von ${shop.id}`,
  type: 'white' as const,
  countrycode: 'de',
  region: 1005,
})
/** A value of a column; no two wines have the same name in URLs. */
const sampleOf = (series: string, name: string) =>
  name === 'path_segment' ? { given: { [name]: `link-${series}` }, shown: `link-${series}` } : columnSample(name)

/** For each column a row with it and the required columns. */
const rowsOf = (series: string) =>
  columns.map(name => ({
    ...least(series, name),
    ...(!telling.includes(name) && sampleOf(series, name).given),
  }))
const shownOf = (series: string, name: string): unknown =>
  telling.includes(name)
    ? Object.entries(least(series, name)).find(([one]) => one === name)?.[1]
    : sampleOf(series, name).shown

const readBack = async (series: string) => {
  const { json } = await shop.call('wines/getAll', { query: { articlenumber: `${series}-` }, pageSize: 100 })
  const { rows } = kind.exportRows(await kind.read(shop.id))
  return {
    wines: new Map(json.data.map((wine: Json) => [wine.articlenumber, wine])),
    rows: new Map(rows.map((row): [string, Json] => [row.articlenumber ?? '', row])),
  }
}

const expectTaken = async (series: string) => {
  const { wines, rows } = await readBack(series)
  for (const name of columns) {
    const [wine, row] = [wines.get(`${series}-${name}`), rows.get(`${series}-${name}`)] as [Json, Json]
    const shown = { [name]: shownOf(series, name) }
    // A field whose form in files is that of the record.
    if (fieldOf(name).schema === fieldOf(name).column) expect(wine).toMatchObject(shown)
    if (following.includes(name)) expect(row).not.toHaveProperty(name)
    else expect(row).toMatchObject(shown)
  }
  return [...rows.values()]
}

const expectUnchanged = async (path: string) => {
  const { rows, lines, refusals } = readRows(path, 'wines', kind.format)
  const plan = kind.plan(await kind.read(shop.id), rows, lines)
  expect([refusals, plan.additions, plan.changes, plan.refusals]).toEqual([[], [], [], []])
}

test.each(['csv', 'json'])('a file (%s) imports every column, and an export contains it', async ending => {
  const [path, copy] = [folder.path(ending), folder.path(ending)]
  await writeFile(path, rowsText(path, rowsOf(ending), kind.format))
  const { rows, refusals } = readRows(path, 'wines', kind.format)
  expect(refusals).toEqual([])
  expect(rows).toMatchObject(rowsOf(ending))
  await importWines(shop.id, rows)
  await writeFile(copy, rowsText(copy, await expectTaken(ending), kind.format))
  for (const one of [path, copy]) await expectUnchanged(one)
})

test('a plan shows the change of each column, and an import executes it', async () => {
  await importWines(
    shop.id,
    columns.map(name => least('later', name)),
  )
  const rows = rowsOf('later')
  const { changes, refusals } = kind.plan(await kind.read(shop.id), rows)
  expect(refusals).toEqual([])
  const shown = changes.map(({ record, fields }) => ({
    number: record.articlenumber,
    names: fields.map(({ name }) => name),
  }))
  for (const name of columns.filter(one => !telling.includes(one)))
    expect(shown).toContainEqual({ number: `later-${name}`, names: expect.arrayContaining([name]) })
  await importWines(shop.id, rows)
  await expectTaken('later')
})
