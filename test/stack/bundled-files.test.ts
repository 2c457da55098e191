import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assetFoldersOf, bundleFunctions, functionNames } from '../../lib/stack/bundle.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const pictures = 'Images/[kind]/[id]/[file]'
const invoices = 'service/orders/getDocument'
const sheets = 'service/wines/getExpertise'
const typedClient = 'weinkontor-client.tgz'
const assets = 'docs-assets/[file]'

const folder = temporaryFolder('bundles')
await bundleFunctions({ folder, names: [pictures, invoices, sheets, typedClient, 'docs', assets] })

test('the function of pictures contains the library’s WebAssembly build with its dependencies, and no other build', async () => {
  const packages = join(folder, pictures, 'node_modules')
  expect((await readdir(packages)).sort()).toEqual(['@emnapi', '@img', 'tslib'])
  expect(await readdir(join(packages, '@img'))).toEqual(['sharp-wasm32'])
  expect((await readdir(join(folder, pictures, 'fonts'))).filter(name => name.endsWith('.ttf'))).toHaveLength(11)
  // Lambda allows 250 MB.
  expect((await stat(join(folder, pictures, 'index.mjs'))).size).toBeLessThan(3_000_000)
})

test('functions that draw letters have fonts next to them, and no others do', () => {
  const withFonts = functionNames().filter(name => assetFoldersOf(name).includes('shared/media/letters/fonts'))
  expect(withFonts.sort()).toEqual([pictures, 'PDF/[id]/[file]', invoices, sheets, 'wines/downloadExpertise'])
})

test('the function that draws invoices has the colour profile of PDF/A next to it, and no code for drawing at its start', async () => {
  const name = invoices
  expect(await readdir(join(folder, name, 'data'))).toEqual(['sRGB_IEC61966_2_1.icc'])
  expect((await stat(join(folder, name, 'index.mjs'))).size).toBeLessThan(1_000_000)
})

test('functions that draw sheets contain the hyphenation patterns of their languages only', async () => {
  const name = sheets
  expect((await readdir(join(folder, name, 'node_modules/hyphen/patterns'))).sort()).toEqual(['de-1996.js', 'en-gb.js'])
  expect((await readdir(join(folder, name, 'fonts'))).filter(file => file.endsWith('.ttf'))).toHaveLength(11)
  expect((await stat(join(folder, name, 'index.mjs'))).size).toBeLessThan(3_000_000)
})

test('functions of the reference have the guides next to them, and no others do', () => {
  const withGuides = functionNames().filter(name => assetFoldersOf(name).includes('shared/reference/guides'))
  expect(withGuides.sort()).toEqual(['docs', 'openapi.json'])
})

test('the typed client is next to the function that serves it, the same bytes from every build', async () => {
  const served = join(folder, typedClient, 'served')
  expect(await readdir(served)).toEqual([typedClient])
  const first = await readFile(join(served, typedClient))
  expect(gunzipSync(first).includes('package/dist/index.d.ts')).toBe(true)
  const again = temporaryFolder('bundles')
  await bundleFunctions({ folder: again, names: [typedClient] })
  expect((await readFile(join(again, typedClient, 'served', typedClient))).equals(first)).toBe(true)
})

describe('the reference page', () => {
  const files = ['before.js', 'favicon.svg', 'page.css', 'page.js', 'scalar.js']
  const digests = async (name: string) => JSON.parse(await readFile(join(folder, name, 'served/digests.json'), 'utf8'))

  test('has its files next to the function that serves them: plain, and in two encodings', async () => {
    const served = join(folder, assets, 'served')
    const forms = files.flatMap(file => [file, `${file}.br`, `${file}.gz`])
    expect((await readdir(served)).sort()).toEqual([...forms, 'digests.json'].sort())
    for (const file of files) {
      const [plain, brotli, gzip] = await Promise.all(['', '.br', '.gz'].map(end => readFile(join(served, file + end))))
      expect([file, brotliDecompressSync(brotli as Buffer).equals(plain as Buffer)]).toEqual([file, true])
      expect([file, gunzipSync(gzip as Buffer).equals(plain as Buffer)]).toEqual([file, true])
    }
  })

  test('has no file that is too large for an answer of Lambda, in base64', async () => {
    for (const name of await readdir(join(folder, assets, 'served'))) {
      const { size } = await stat(join(folder, assets, 'served', name))
      expect([name, Math.ceil(size / 3) * 4 < 6 * 1024 * 1024 - 10_000]).toEqual([name, true])
    }
  })

  test('contains the digests of the same files and not the files, so its function stays small', async () => {
    expect((await readdir(join(folder, 'docs'))).sort()).toEqual(['guides', 'index.mjs', 'served'])
    expect((await readdir(join(folder, 'docs/served'))).sort()).toEqual(['digests.json', 'index.html'])
    expect(await digests('docs')).toEqual(await digests(assets))
    expect(Object.keys(await digests('docs')).sort()).toEqual(files)
  })

  test('loads existing files only', async () => {
    const page = await readFile(join(folder, 'docs/served/index.html'), 'utf8')
    expect([...page.matchAll(/\/docs-assets\/([\w.-]+)/g)].map(([, name]) => name).sort()).toEqual(files)
  })
})
