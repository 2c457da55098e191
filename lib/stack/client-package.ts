import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { servedFolder } from '../../shared/reference/assets.ts'
import { packageFile } from '../../shared/reference/client-package.ts'

const root = join(import.meta.dirname, '../..')

/** The folder, from the root, of the package that the service serves. */
export const clientFolder = 'lib/client'

/**
 * Writes the typed client, packed by npm, into the folder of a bundle. The bytes depend on the package's files only: npm
 * gives every file the same time and owner. Rejects if npm fails.
 */
export const writeClientPackage = async (bundle: string): Promise<void> => {
  const folder = join(bundle, servedFolder)
  await mkdir(folder, { recursive: true })
  // Imported here because these modules load slowly.
  const { writeClient } = await import('../client/build/write.ts')
  await writeClient()
  const made = await mkdtemp(join(folder, 'pack-'))
  try {
    const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', made]
    await promisify(execFile)('npm', words, { cwd: join(root, clientFolder), shell: process.platform === 'win32' })
    // npm's file name contains the version.
    const [name = ''] = await readdir(made)
    await rename(join(made, name), join(folder, packageFile))
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}
