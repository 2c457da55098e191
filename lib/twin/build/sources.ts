import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Metafile } from 'esbuild'

export const root = join(import.meta.dirname, '../../..')

/** Prefix of the names of incomplete files and folders. */
export const unfinished = 'unfinished-'

/** The project's own source files: path from the root → SHA-256 of the content. */
export type Sources = ReadonlyMap<string, string>

export const sourceFolders = ['functions', 'shared', 'lib']

/** Files that affect every product, the installed packages included. */
const settingFiles = [
  'package.json',
  'package-lock.json',
  // The packages that are installed, whatever the lock file says.
  'node_modules/.package-lock.json',
  'cdk.json',
  'tsconfig.json',
  'lib/stack/bundle.ts',
  'lib/stack/client-package.ts',
  'lib/stack/reference-page.ts',
  'lib/twin/build/cache.ts',
  'lib/twin/build/make.ts',
]

export const digestOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const filesBelow = (folder: string): string[] => {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** A path as it is written from a folder above it, with slashes. */
export const pathBelow = (folder: string, file: string): string => file.slice(folder.length + 1).replaceAll('\\', '/')

const contentOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** Reads all source files. A file that goes meanwhile is left out. */
export const readSources = (): Sources => {
  // Synchronously, because with files this small the promises cost more than the reading.
  const pairs = sourceFolders.flatMap(filesBelow).flatMap(file => {
    const content = contentOf(file)
    return content ? [[pathBelow(root, file), digestOf(content)] as const] : []
  })
  return new Map(pairs)
}

/** A digest of everything besides the sources that decides what is built. */
export const settingsDigest = async (): Promise<string> => {
  const contents = settingFiles.map(file => readFile(join(root, file), 'utf8').catch(() => ''))
  return digestOf(JSON.stringify([process.version, ...(await Promise.all(contents))]))
}

/** A digest of some of the sources; that of a file which is not there is different every time. */
export const digestOfFiles = (sources: Sources, files: readonly string[]): string =>
  digestOf(files.map(file => `${file} ${sources.get(file) ?? Math.random()}`).join('\n'))

/**
 * The project's own files that an entry point loads, by esbuild's account, those it uses nothing of included: a change
 * may be that it does.
 */
export const ownInputs = ({ inputs }: Metafile, entry: string): string[] => {
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (
      found.has(file) ||
      posix.normalize(file).startsWith('../') ||
      file.includes('node_modules/') ||
      // Made by the bundler.
      /^[a-z-]+:/.test(file)
    )
      return
    found.add(file)
    for (const { path, external } of inputs[file]?.imports ?? []) if (!external) visit(path)
  }
  visit(entry)
  return [...found].sort()
}
