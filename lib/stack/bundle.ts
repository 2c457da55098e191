import { readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { fallback, routes } from '../../shared/contract/index.ts'
import { jobs } from '../../shared/contract/jobs.ts'
import { docs, docsAssets, openApi } from '../../shared/contract/reference.ts'
import { type FileRight, fileOf } from '../../shared/contract/route.ts'
import { hyphenPackage, hyphenPatterns } from '../../shared/expertise/hyphens.ts'
import { pageFolder, writePage, writePageAssets } from './reference-page.ts'

const root = join(import.meta.dirname, '../..')

/** Where the bundles are built: one folder a function, at the path of its source below `functions/`. */
export const bundleFolder = join(root, 'dist')

/** The names of all functions: their files below `functions/`, without the ending. */
export const functionNames = (): string[] => [...[...routes, fallback].map(fileOf), ...jobs.map(({ file }) => file)]

/** The source file of a function, from the root. */
export const sourceOf = (name: string): string => `functions/${name}.ts`

// An ESM bundle has no `require`, but some CommonJS packages inside call it.
const banner = `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);`

// An `import` of these reads all that they export, WebSocket among it, for which Node loads its whole fetch: a quarter of
// the start of a function. A `require` does not.
const required: Plugin = {
  name: 'required',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?(http|https|http2)$/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path: path.replace('node:', ''), namespace: 'required' },
    )
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('node:${path}')`,
    }))
  },
}

// Lambda hands its credentials over in the environment. The SDK would bring along all the other ways to come by some
// (sign-in servers, profiles, instance metadata): a quarter of a bundle, read at every start.
const lambdaCredentials: Plugin = {
  name: 'lambda-credentials',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ path, resolveDir }) => ({
      path,
      namespace: 'lambda-credentials',
      pluginData: resolveDir,
    }))
    onLoad({ filter: /./, namespace: 'lambda-credentials' }, ({ pluginData: resolveDir }) => ({
      contents: `export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'`,
      resolveDir,
    }))
  },
}

// Of sharp's builds a bundle takes the one in WebAssembly, which runs on Lambda's processors and on those of whoever
// bundles: what was tried here is what is uploaded. It reads files of its own, so it lies beside the bundle.
const wasm = '@img/sharp-wasm32'
const webAssembly: Plugin = {
  name: 'web-assembly',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]sharp[/\\]dist[/\\]sharp\.mjs$/ }, () => ({
      contents: `import { createRequire } from 'node:module'
        export default createRequire(import.meta.url)('${wasm}/sharp.node')`,
    }))
  },
}

const filesOf = (name: string): readonly FileRight[] => routes.find(route => fileOf(route) === name)?.files ?? []
const writesAny = (name: string, ...rights: FileRight[]) => filesOf(name).some(right => rights.includes(right))

const reference = { document: fileOf(openApi), page: fileOf(docs), assets: fileOf(docsAssets) }

/**
 * Folders, from the root, whose files lie beside a function's bundle as they are: whatever draws letters reads its fonts
 * there, and what draws sheets those for every script; what tells callers of the service reads the guides.
 */
const copiedFoldersOf = (name: string): string[] => [
  ...(writesAny(name, 'writeExpertise', 'writePictures') ? ['shared/fonts'] : []),
  ...(writesAny(name, 'writeExpertise') ? ['shared/expertise/fonts'] : []),
  ...(name === reference.document || name === reference.page ? ['shared/reference/guides'] : []),
]

/** Folders, from the root, that decide what lies beside a function's bundle. */
export const assetFoldersOf = (name: string): string[] => [
  ...copiedFoldersOf(name),
  ...(name === reference.page || name === reference.assets ? [pageFolder] : []),
]

/** The packages that lie beside a function's bundle, with those they need, each by its folder. */
const packagesOf = (name: string): Map<string, string> => {
  const found = new Map<string, string>()
  const add = (needed: string, from: string): void => {
    const folder = findPackageJSON(needed, from)
    if (!folder || found.has(needed)) return
    found.set(needed, dirname(folder))
    const { dependencies = {} } = JSON.parse(readFileSync(folder, 'utf8'))
    for (const one of Object.keys(dependencies)) add(one, folder)
  }
  if (writesAny(name, 'writePictures')) add(wasm, import.meta.url)
  if (writesAny(name, 'writeExpertise')) add(hyphenPackage, import.meta.url)
  return found
}

// Of the patterns for all languages a sheet needs those of its own.
const isNeeded = (file: string): boolean => {
  const [, patterns] = /[/\\]hyphen[/\\]patterns[/\\](.+)\.js$/.exec(file) ?? []
  return patterns === undefined || Object.values(hyphenPatterns).includes(patterns)
}

/** What esbuild is told to bundle functions into a folder, the AWS SDK included. */
export const buildOptions = (folder: string, names: readonly string[]) =>
  ({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(names.map(name => [`${name}/index`, sourceOf(name)])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Names stay as they are: errors show where they come from, and calls that set names back would slow every start.
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: { js: banner },
    plugins: [required, lambdaCredentials, webAssembly],
    metafile: true,
  }) satisfies BuildOptions

/** Puts the files that lie beside functions' bundles into the folder of the bundles. */
export const copyAssets = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    for (const assets of copiedFoldersOf(name))
      await cp(join(root, assets), join(folder, name, basename(assets)), { recursive: true })
    for (const [needed, from] of packagesOf(name))
      await cp(from, join(folder, name, 'node_modules', needed), {
        recursive: true,
        filter: file => file !== join(from, 'node_modules') && isNeeded(file),
      })
    if (name === reference.page) await writePage(join(folder, name))
    if (name === reference.assets) await writePageAssets(join(folder, name))
  }
}

export type BundleOptions = {
  /** Where to; it is emptied first. */
  folder?: string
  names?: readonly string[]
  /** What esbuild writes to stderr. */
  logLevel?: 'warning' | 'silent'
}

/**
 * Bundles functions, all unless told otherwise, in one esbuild call. Returns esbuild's account of what went in, by paths
 * from the root. Rejects with esbuild's BuildFailure.
 */
export const bundleFunctions = async ({
  folder = bundleFolder,
  names = functionNames(),
  logLevel = 'warning',
}: BundleOptions = {}): Promise<Metafile> => {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({ ...buildOptions(folder, names), logLevel })
  await copyAssets(folder, names)
  return metafile
}
