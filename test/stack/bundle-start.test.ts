import { readFileSync } from 'node:fs'
import { bundleFunctions } from '../../lib/stack/bundle.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder('bundles')

const drawing = [
  'PDF/[id]/[file]',
  'Images/[kind]/[id]/[file]',
  'service/wines/getExpertise',
  'wines/downloadExpertise',
]
const paying = 'service/orders/checkout/finish'
const labelPage = 'e/[path+]'
const names = [...drawing, paying, 'service/wines/search', 'service/addresses/get', labelPage]
const { outputs } = await bundleFunctions({ folder, names })

/** The inputs that a function reads at its start: those of its file and of its static imports. */
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

const outputsOf = (name: string) => Object.entries(outputs).filter(([file]) => file.includes(`/${name}/`))

const isReadLater = (name: string, what: RegExp): void => {
  const all = outputsOf(name).flatMap(([, { inputs }]) => Object.keys(inputs))
  expect(all.some(file => what.test(file))).toBe(true)
  expect(readAtStart(name).filter(file => what.test(file))).toEqual([])
}

test.each(drawing)('%s has its drawing code, and does not read it at its start', name => {
  isReadLater(name, /node_modules\/(pdfkit|fontkit|bidi-js)\/|shared\/pictures\/(make|raster)\.ts/)
})

test.each([...drawing, 'service/wines/search'])('%s has S3’s client, and does not read it at its start', name => {
  isReadLater(name, /node_modules\/@aws-sdk\/(client-s3|s3-request-presigner|checksums)\//)
})

test('a function with secrets has Parameter Store’s client, and does not read it at its start', () => {
  isReadLater(paying, /node_modules\/@aws-sdk\/client-ssm\//)
})

test.each(names)('%s imports none of Node’s modules as a whole', name => {
  const builtins = outputsOf(name).flatMap(([, { imports }]) =>
    imports.filter(one => one.external && one.kind === 'import-statement'),
  )
  expect(builtins).toEqual([])
})

test.each(
  names,
)('%s reads only the used exports of Node’s modules, because many load more of Node when they are read', name => {
  const sources = outputsOf(name).map(([file]) => readFileSync(file, 'utf8'))
  const found = new Set(sources.flatMap(source => [...source.matchAll(/\ball\d*\.(\w+)/g)].map(([, one]) => one ?? '')))
  expect(found).toContain('createHash')
  expect([...found].filter(one => /^(webcrypto|WebSocket|Duplex|Server|promises)$/.test(one))).toEqual([])
})

test.each([
  ['service/wines/search', 30_000],
  // Parameter Store is a part of a service of 150 operations, whose errors stay.
  [paying, 40_000],
])('of the SDK’s schemas, %s leaves out those of unused operations', (name, most) => {
  const inputs = outputsOf(name).flatMap(([, { inputs }]) => Object.entries(inputs))
  const schemas = inputs.filter(([file]) => /schemas_0\.js$/.test(file))
  expect(schemas).toHaveLength(2)
  for (const [, { bytesInOutput }] of schemas) expect(bytesInOutput).toBeLessThan(most)
})

test('a function that only reads the table has no code of event streams', () => {
  const inputs = readAtStart('service/addresses/get')
  expect(inputs.some(file => file.includes('client-dynamodb'))).toBe(true)
  expect(inputs.filter(file => /submodules\/event-streams\//.test(file))).toEqual([])
})

test('the page of electronic labels has its terms, and no fields of wines with their tables of regions and grapes', () => {
  const inputs = readAtStart(labelPage)
  expect(inputs).toContain('shared/contract/labels/elabel/de.json')
  expect(inputs.filter(file => /contract\/(records\/wine|labels)\.ts$|labels\/\w+(regions|grape)/.test(file))).toEqual(
    [],
  )
})
