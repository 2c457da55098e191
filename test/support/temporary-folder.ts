import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from './jest/environment.ts'

/** Makes a folder that is removed at the end of the test file. */
export const temporaryFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `weinkontor-${name}-`))
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
