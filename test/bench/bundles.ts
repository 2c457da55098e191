import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleFunctions, functionNames } from '../../lib/stack/bundle.ts'
import { median, printTable } from './median.ts'

// Measures the size of the code that a cold start loads, and the duration of a synthesis.

const typical = 'service/addresses/get'
const runs = 11
const synths = 3

const folder = mkdtempSync(join(tmpdir(), 'weinkontor-bundles-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const bundleOf = (name: string) => join(folder, name, 'index.mjs')
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KB`

const importing = `
  const before = performance.now()
  await import(process.argv[1])
  process.stdout.write(String(performance.now() - before))
`

/** Milliseconds that a fresh process takes to import a module. */
const importTime = (file: string): number =>
  Number(execFileSync(process.execPath, ['--input-type=module', '-e', importing, pathToFileURL(file).href]))

const timed = (work: () => void): number => {
  const before = performance.now()
  work()
  return (performance.now() - before) / 1000
}

const before = performance.now()
await bundleFunctions({ folder })
const bundling = (performance.now() - before) / 1000

const sizes = functionNames().map(name => {
  const code = readFileSync(bundleOf(name))
  return { name, bytes: code.length, zipped: gzipSync(code).length }
})
printTable([
  ['function', 'size', 'zipped'],
  ...sizes
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes, zipped }) => [name, kilobytes(bytes), kilobytes(zipped)]),
])

const empty = join(folder, 'empty.mjs')
writeFileSync(empty, '')
const pairs = Array.from({ length: runs }, () => [importTime(bundleOf(typical)), importTime(empty)] as const)
const [one, none] = [median(pairs.map(([time]) => time)), median(pairs.map(([, time]) => time))]
// The CDK runs the app with the first `node` in PATH.
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
const synth = ['synth', '--quiet', '--no-notices', '--output', join(folder, 'cdk.out')]
const commands = Array.from({ length: synths }, () =>
  timed(() => execFileSync('node_modules/.bin/cdk', synth, { env, stdio: ['ignore', 'ignore', 'pipe'] })),
)

const lines = [
  `import of ${typical}: ${one.toFixed(0)} ms, of an empty module: ${none.toFixed(0)} ms (median of ${runs}, fresh processes)`,
  `bundling all ${sizes.length} functions: ${bundling.toFixed(1)} s`,
  `cdk synth, bundling included: ${median(commands).toFixed(1)} s (median of ${synths})`,
]
process.stdout.write(`\n${lines.join('\n')}\n`)
