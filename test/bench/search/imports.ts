import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildOptions, bundleFunctions } from '../../../lib/stack/bundle.ts'
import { median } from '../median.ts'

/** A module, the bytes it reads, and the milliseconds a new process takes to import it: elapsed time and CPU. */
export type Import = { name: string; bytes: number; ms: number; cpu: number }

const rounds = 31

const importing = `
  const [before, used] = [performance.now(), process.cpuUsage()]
  await import(process.argv[1])
  const { user, system } = process.cpuUsage(used)
  process.stdout.write(JSON.stringify([performance.now() - before, (user + system) / 1000]))
`

// Enough of a function's environment for its modules to load.
const environment = { AWS_REGION: 'eu-central-1', TABLE_NAME: 'bench', BUCKET_NAME: 'bench' }

const importOf = (file: string): [ms: number, cpu: number] => {
  const given = ['--input-type=module', '-e', importing, pathToFileURL(file).href]
  return JSON.parse(execFileSync(process.execPath, given, { env: { ...process.env, ...environment } }).toString())
}

/** The size of a module and its static imports, if it is bundled in parts. */
const bytesAtStart = (file: string, seen = new Set<string>()): number => {
  if (seen.has(file)) return 0
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  const parts = [...source.matchAll(/\bfrom"(\.[^"]+)"/g)].map(([, part = '']) => join(dirname(file), part))
  return parts.reduce((sum, part) => sum + bytesAtStart(part, seen), Buffer.byteLength(source))
}

/** The start of functions, bundled as they are deployed, compared with an empty module and a minimal handler. */
export const measureImports = async (): Promise<Import[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'weinkontor-imports-'))
  const functions = join(folder, 'functions')
  const names = ['service/addresses/get', 'service/wines/search', 'wines/search', 'service/wines/getExpertise']
  await bundleFunctions({ folder: functions, names, logLevel: 'silent' })
  const plain = { plain: join(import.meta.dirname, 'plain-handler.ts') }
  const options = buildOptions(folder, [])
  await build({ ...options, entryPoints: plain, logLevel: 'silent' })
  // Bundled into a single file.
  const { minifyWhitespace, minifySyntax, plugins, ...usual } = options
  await build({ ...usual, entryPoints: { usual: plain.plain }, logLevel: 'silent' })
  writeFileSync(join(folder, 'empty.mjs'), '')
  const files: [name: string, file: string][] = [
    ['an empty module', join(folder, 'empty.mjs')],
    ['a plain DynamoDB handler', join(folder, 'usual.mjs')],
    ['the same, bundled as ours', join(folder, 'plain.mjs')],
    ...names.map((name): [string, string] => [name, join(functions, name, 'index.mjs')]),
  ]
  const runs = files.map((): [ms: number, cpu: number][] => [])
  // Forwards and backwards, because the previous run affects the processor's clock and caches.
  for (let round = 0; round < rounds; round += 1)
    for (const place of files.keys()) {
      const n = round % 2 ? files.length - 1 - place : place
      runs[n]?.push(importOf(files[n]?.[1] ?? ''))
    }
  const measured = files.map(([name, file], n) => ({
    name,
    bytes: bytesAtStart(file),
    ms: median((runs[n] ?? []).map(([ms]) => ms)),
    cpu: median((runs[n] ?? []).map(([, cpu]) => cpu)),
  }))
  rmSync(folder, { recursive: true, force: true })
  return measured
}
