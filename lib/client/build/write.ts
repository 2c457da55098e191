import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFiles } from './package.ts'
import { generatedSources } from './sources.ts'

const client = join(import.meta.dirname, '..')

/** Writes files by name into a folder; unchanged files are not written, so that watchers see no change. */
const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  }
}

/** Writes these files into a folder and deletes all others. */
export const writeWhole = (folder: string, files: Readonly<Record<string, string>>): void => {
  write(folder, files)
  for (const name of readdirSync(folder)) if (!Object.hasOwn(files, name)) rmSync(join(folder, name))
}

/** Generates the typed client: its sources that depend on the routes, and its package in dist/. */
export const writeClient = async (): Promise<void> => {
  write(client, await generatedSources())
  writeWhole(join(client, 'dist'), await packageFiles())
}
