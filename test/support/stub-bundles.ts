import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { functionNames } from '../../lib/stack/bundle.ts'

const empty = 'export const handler = async () => ({ statusCode: 204 })\n'

/** A folder with a bundle for every function: the given module text, or one that answers nothing. */
export const stubBundles = (texts: Readonly<Record<string, string>> = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'weinkontor-bundles-'))
  for (const name of functionNames()) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'index.mjs'), texts[name] ?? empty)
  }
  return folder
}
