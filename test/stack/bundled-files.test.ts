import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assetFoldersOf, bundleFunctions, functionNames } from '../../lib/stack/bundle.ts'

const pictures = 'Images/[kind]/[id]/[file]'

test('the function of pictures carries the library’s WebAssembly build, what that needs, and no other build', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-bundles-'))
  try {
    await bundleFunctions({ folder, names: [pictures] })
    const packages = join(folder, pictures, 'node_modules')
    expect((await readdir(packages)).sort()).toEqual(['@emnapi', '@img', 'tslib'])
    expect(await readdir(join(packages, '@img'))).toEqual(['sharp-wasm32'])
    expect((await readdir(join(folder, pictures, 'fonts'))).filter(name => name.endsWith('.ttf'))).toHaveLength(3)
    // Of what Lambda allows, 250 MB, a twentieth.
    expect((await stat(join(folder, pictures, 'index.mjs'))).size).toBeLessThan(3_000_000)
  } finally {
    await rm(folder, { recursive: true })
  }
}, 30_000)

test('whatever draws letters has its fonts beside it, and nothing else has', () => {
  const withFonts = functionNames().filter(name => assetFoldersOf(name).includes('shared/fonts'))
  expect(withFonts.sort()).toEqual([
    pictures,
    'PDF/[id]/[file]',
    'service/wines/getExpertise',
    'wines/downloadExpertise',
  ])
})
