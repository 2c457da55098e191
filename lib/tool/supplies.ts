import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { maxFileBytes } from '../../shared/values/supplied-file.ts'
import type { Progress } from './imports/run.ts'
import { Refused } from './merchants.ts'

/** A file that was refused, and the reason. */
export type RefusedFile = { file: string; reason: string }

/** The file at a path, or the files of a folder whose names match. */
export const filesAt = (path: string, ending: RegExp): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter(name => ending.test(name))
        .sort()
        .map(name => join(path, name))
    : [path]

/** The bytes of a file. Throws Refused if it is no file or above 20 MB. */
export const bytesOf = (file: string): Buffer => {
  const status = statSync(file)
  if (!status.isFile()) throw new Refused('is no file')
  if (status.size > maxFileBytes) throw new Refused('is larger than 20 MB')
  return readFileSync(file)
}

/** Supplies one file after another; returns the number of accepted files, and the refused files with their reasons. */
export const supplyEach = async (
  files: readonly string[],
  progress: Progress,
  supply: (file: string) => Promise<void>,
): Promise<{ taken: number; refused: RefusedFile[] }> => {
  const refused: RefusedFile[] = []
  for (const [n, file] of files.entries()) {
    progress(n, files.length)
    try {
      await supply(file)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refused.push({ file, reason: error.message })
    }
  }
  progress(files.length, files.length)
  return { taken: files.length - refused.length, refused }
}
