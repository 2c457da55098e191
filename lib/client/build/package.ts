import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const folder = join(import.meta.dirname, '..')
const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')

const head = '// Made by `npm run client`.\n'

const code = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'index.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    tsconfigRaw: {},
  })
  return head + (outputFiles[0]?.text ?? '')
}

const imported = /(?<=from ')\.\/(\w+)\.ts(?=')/g

/** The declarations that index.ts leads to; they name one another as .js, which every TypeScript understands. */
const declarationsIn = async (made: string, name = 'index', found: Record<string, string> = {}) => {
  const text = await readFile(join(made, `${name}.d.ts`), 'utf8')
  found[`${name}.d.ts`] = head + text.replace(imported, './$1.js')
  for (const [, next = ''] of text.matchAll(imported)) {
    if (!Object.hasOwn(found, `${next}.d.ts`)) await declarationsIn(made, next, found)
  }
  return found
}

const declarations = async (): Promise<Record<string, string>> => {
  const made = await mkdtemp(join(tmpdir(), 'weinkontor-client-'))
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', folder, '--outDir', made])
    return await declarationsIn(made)
  } finally {
    await rm(made, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The files of lib/client/dist by their names: the client as JavaScript, and its types. Rejects when a source is wrong. */
export const packageFiles = async (): Promise<Record<string, string>> => ({
  'index.js': await code(),
  ...(await declarations()),
})
