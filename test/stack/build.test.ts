import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleNames, openBuild } from '../../lib/twin/build/build.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weinkontor-build-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const asFolder = (path: string) => mkdir(join(folder, path, 'within'), { recursive: true })

// Other damage is tried without a synthesis, in unit/twin-build.
test('a folder in place of a built file and of the manifest is replaced by the next build', async () => {
  await Promise.all([asFolder('template/template.json'), asFolder('manifest.json')])
  const build = await openBuild(folder, { withBundles: false })
  await build.close()
  expect(bundleNames(build.template())).toContain('unknown')
  expect((await readdir(folder)).sort()).toEqual(['manifest.json', 'template'])
})
