import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFiles } from './package.ts'
import { generatedSources } from './sources.ts'

const client = join(import.meta.dirname, '..')

/** Writes files by their names into a folder, but for those that are the same there: what follows them sees no change. */
const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  }
}

/** Leaves a folder with these files and no others. */
export const writeWhole = (folder: string, files: Readonly<Record<string, string>>): void => {
  write(folder, files)
  for (const name of readdirSync(folder)) if (!Object.hasOwn(files, name)) rmSync(join(folder, name))
}

/** Makes the typed client from the route objects: its sources that know the routes, and its package in dist/. */
export const writeClient = async (): Promise<void> => {
  write(client, await generatedSources())
  writeWhole(join(client, 'dist'), await packageFiles())
}
