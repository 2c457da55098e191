import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleNames, openBuild } from '../../lib/twin/build/build.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weinkontor-build-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const open = async () => {
  const build = await openBuild(folder, false)
  await build.close()
  return build
}

const asFile = async (path: string) => {
  await rm(join(folder, path), { recursive: true })
  await writeFile(join(folder, path), '')
}

const asFolder = async (path: string) => {
  await mkdir(join(folder, path, 'within'), { recursive: true })
}

test.each<[string, () => Promise<unknown>]>([
  ['a file in place of the build folder', () => asFile('')],
  ['a file in place of a folder in it', () => writeFile(join(folder, 'template'), '')],
  [
    'a folder in place of a built file and of the manifest',
    () => Promise.all([asFolder('template/template.json'), asFolder('manifest.json')]),
  ],
])('%s is made good by building anew', async (_, damage) => {
  await damage()
  expect(bundleNames((await open()).template())).toContain('unknown')
  expect((await readdir(folder)).sort()).toEqual(['manifest.json', 'template'])
})
