import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleFunctions } from '../../lib/stack/bundle.ts'

const folder = await mkdtemp(join(tmpdir(), 'weinkontor-bundles-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const drawing = [
  'PDF/[id]/[file]',
  'Images/[kind]/[id]/[file]',
  'service/wines/getExpertise',
  'wines/downloadExpertise',
]
const names = [...drawing, 'service/wines/search', 'service/addresses/get']
const { outputs } = await bundleFunctions({ folder, names })

/** What a function reads when it starts: the inputs of its file and of those that this one imports at once. */
const readAtStart = (name: string): string[] => {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') visit(path)
  }
  visit(Object.keys(outputs).find(file => file.endsWith(`/${name}/index.mjs`)) ?? '')
  return [...seen].flatMap(file => Object.keys(outputs[file]?.inputs ?? {}))
}

test.each(drawing)('%s has what it draws with, and does not read it at its start', name => {
  const drawn = /node_modules\/(pdfkit|fontkit|bidi-js)\/|shared\/pictures\/(make|raster)\.ts/
  const all = Object.entries(outputs).filter(([file]) => file.includes(`/${name}/`))
  expect(all.flatMap(([, { inputs }]) => Object.keys(inputs)).some(file => drawn.test(file))).toBe(true)
  expect(readAtStart(name).filter(file => drawn.test(file))).toEqual([])
})

test.each(names)('%s imports none of Node’s modules as a whole', name => {
  const all = Object.entries(outputs).filter(([file]) => file.includes(`/${name}/`))
  const builtins = all.flatMap(([, { imports }]) =>
    imports.filter(one => one.external && one.kind === 'import-statement'),
  )
  expect(builtins).toEqual([])
})

test('the SDK’s schemas of operations that nobody calls are left out', () => {
  const [search] = Object.entries(outputs).filter(([file]) => file.endsWith('/service/wines/search/index.mjs'))
  const schemas = Object.entries(search?.[1].inputs ?? {}).filter(([file]) => /schemas_0\.js$/.test(file))
  expect(schemas).toHaveLength(2)
  for (const [, { bytesInOutput }] of schemas) expect(bytesInOutput).toBeLessThan(30_000)
})

test('a function that reads the table alone has nothing of event streams', () => {
  const inputs = readAtStart('service/addresses/get')
  expect(inputs.some(file => file.includes('client-dynamodb'))).toBe(true)
  expect(inputs.filter(file => /submodules\/event-streams\//.test(file))).toEqual([])
})
