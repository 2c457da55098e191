import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleNames, openBuild } from '../../lib/twin/build/build.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string

beforeEach(() => {
  folder = temporaryFolder('build')
})

const asFolder = (path: string) => mkdir(join(folder, path, 'within'), { recursive: true })

// Other damage is tried without a synthesis, in unit/twin-build.
test('a folder in place of a built file and of the manifest is replaced by the next build', async () => {
  await Promise.all([asFolder('template/template.json'), asFolder('manifest.json')])
  const build = await openBuild(folder)
  await build.close()
  expect(bundleNames(build.template())).toContain('unknown')
  expect((await readdir(folder)).sort()).toEqual(['manifest.json', 'template'])
})
