import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The start of the twin that all service tests share: the lines it wrote, or why it failed. */
type Start = { lines: string[] } | { failure: string }

const fileOf = (folder: string): string => join(folder, 'started.json')

/** Reports to all test files that the twin of a folder has started, or never will. */
export const tellStart = async (folder: string, start: Start): Promise<void> => {
  await writeFile(`${fileOf(folder)}.new`, JSON.stringify(start))
  await rename(`${fileOf(folder)}.new`, fileOf(folder))
}

/** Waits for the twin of a folder; returns the lines it wrote. Rejects when it could not start. */
export const whenStarted = async (folder: string): Promise<string[]> => {
  while (!existsSync(fileOf(folder))) await pause(50)
  const start = JSON.parse(await readFile(fileOf(folder), 'utf8')) as Start
  if ('failure' in start) throw new Error(start.failure)
  return start.lines
}
