import { readFileSync } from 'node:fs'
import { cp, readFile, rm } from 'node:fs/promises'
import { builtinModules, findPackageJSON } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { jobs, publish } from '../../shared/contract/jobs.ts'
import { type FileRight, fileOf } from '../../shared/contract/route.ts'
import { fallback, routes } from '../../shared/contract/routes/index.ts'
import { clientPackage, docs, docsAssets, openApi } from '../../shared/contract/routes/reference.ts'
import { hyphenPackage, hyphenPatterns } from '../../shared/documents/typesetting/hyphens.ts'
import { clientFolder, writeClientPackage } from './client-package.ts'
import { pageFolder, writePage, writePageAssets } from './reference-page.ts'

const root = join(import.meta.dirname, '../..')

/** The bundles: one folder a function, at the path of its source below `functions/`. */
export const bundleFolder = join(root, 'dist/functions')

/** The names of all functions: their files below `functions/`, without the ending. */
export const functionNames = (): string[] => [...[...routes, fallback].map(fileOf), ...jobs.map(({ file }) => file)]

/** The source file of a function, from the root. */
export const sourceOf = (name: string): string => `functions/${name}.ts`

// An ESM bundle has no `require`, but some CommonJS packages inside call it.
const banner = `const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);`

// An `import` of a Node module reads all of its exports, and reading some of them loads more of Node: fetch for WebSocket,
// all streams for fs. That is a quarter of a function's start. This plugin reads only the exports that are used.
const ofNode = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)
const builtins: Plugin = {
  name: 'builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: ofNode }, ({ path, kind }) => {
      if (kind !== 'import-statement') return { path, external: true }
      return { path: path.replace('node:', ''), namespace: 'builtins' }
    })
    onLoad({ filter: /./, namespace: 'builtins' }, ({ path }) => {
      const names = Object.getOwnPropertyNames(process.getBuiltinModule(path) ?? {}).filter(name =>
        /^(?!default$)[a-zA-Z]\w*$/.test(name),
      )
      const read = names.map(
        name => `const ${name}_ = /* @__PURE__ */ (() => all.${name})(); export { ${name}_ as ${name} }`,
      )
      return {
        contents: `const all = process.getBuiltinModule('node:${path}'); export default all; ${read.join('; ')}`,
      }
    })
  },
}

// esbuild removes nothing from a module that is imported dynamically if the bundle is one file. No operation that we use
// streams events.
const noEventStreams: Plugin = {
  name: 'no-event-streams',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'no-event-streams' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'no-event-streams' }, () => ({ contents: 'export {}' }))
  },
}

// The SDK's schemas of all operations of a service. Their keys are constants in brackets, which esbuild treats as side
// effects; with literal keys it removes the unused schemas.
const spelledSchemas: Plugin = {
  name: 'spelled-schemas',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]dist-es[/\\]schemas[/\\]schemas_0\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const texts = new Map([...source.matchAll(/^const (\w+) = ("[^"]*");$/gm)].map(([, name, text]) => [name, text]))
      return { contents: source.replace(/\[(\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key)) }
    })
  },
}

// Lambda passes credentials in the environment. The SDK's other credential providers (SSO, profiles, instance metadata)
// would be a quarter of a bundle, read at every start.
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

// Bundles contain sharp's WebAssembly build, which runs on Lambda's processors and on the developer's: the uploaded build
// is the tested build. It reads its own files, so the package is copied next to the bundle.
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

const declaredBy = (name: string) =>
  routes.find(route => fileOf(route) === name) ?? jobs.find(({ file }) => file === name)
const filesOf = (name: string): readonly FileRight[] => declaredBy(name)?.files ?? []
const writesAny = (name: string, ...rights: FileRight[]) => filesOf(name).some(right => rights.includes(right))

/** True for functions that draw such files; uploads are stored as they were supplied. */
const draws = (name: string, ...rights: FileRight[]) => writesAny(name, ...rights) && !writesAny(name, 'readUploads')

const reference = {
  document: fileOf(openApi),
  page: fileOf(docs),
  assets: fileOf(docsAssets),
  client: fileOf(clientPackage),
}

/**
 * Folders, from the root, that are copied next to a function's bundle: fonts for functions that draw letters, guides
 * for the reference.
 */
const copiedFoldersOf = (name: string): string[] => [
  ...(draws(name, 'writeExpertise', 'writeDocuments', 'writePictures') ? ['shared/media/letters/fonts'] : []),
  ...(name === reference.document || name === reference.page ? ['shared/reference/guides'] : []),
]

/** Folders, from the root, whose files determine the assets of a function. */
export const assetFoldersOf = (name: string): string[] => [
  ...copiedFoldersOf(name),
  ...(name === reference.page || name === reference.assets ? [pageFolder] : []),
  ...(name === reference.client ? [clientFolder] : []),
]

/** The packages that are copied next to a function's bundle, with their dependencies: folders by name. */
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
  if (draws(name, 'writeExpertise')) add(hyphenPackage, import.meta.url)
  return found
}

const colorProfile = join(root, 'node_modules/pdfkit/js/data/sRGB_IEC61966_2_1.icc')

// Of the hyphenation patterns, only those of the sheets' languages are needed.
const isNeeded = (file: string): boolean => {
  const [, patterns] = /[/\\]hyphen[/\\]patterns[/\\](.+)\.js$/.exec(file) ?? []
  return patterns === undefined || Object.values(hyphenPatterns).includes(patterns)
}

// The code that draws, reads files or reads secrets is large, and few calls need it; publishing need not wait for the code
// that starts the next job. Split into chunks, this code is not read at the start. Splitting all functions would make a
// build four times as long.
const isSplit = (name: string): boolean =>
  filesOf(name).length > 0 || declaredBy(name)?.secrets === true || name === publish.file

/**
 * The esbuild options that bundle functions into a folder, the AWS SDK included. By `sideEffects` in package.json, modules
 * of which nothing is used are left out. A split function needs a call of its
 * own: the functions of one call share their chunks.
 */
export const buildOptions = (folder: string, names: readonly string[]) =>
  ({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(names.map(name => [`${name}/index`, sourceOf(name)])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Identifiers are not minified: stack traces stay readable, and `keepNames` would slow every start.
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: { js: banner },
    plugins: [builtins, noEventStreams, spelledSchemas, lambdaCredentials, webAssembly],
    splitting: names.some(isSplit),
    chunkNames: `${names[0]}/[name]-[hash]`,
    metafile: true,
  }) satisfies BuildOptions

/** Copies the assets of functions next to their bundles. */
export const copyAssets = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    for (const assets of copiedFoldersOf(name))
      await cp(join(root, assets), join(folder, name, basename(assets)), { recursive: true })
    // pdfkit reads the colour profile of a PDF/A next to its own module.
    if (writesAny(name, 'writeDocuments')) await cp(colorProfile, join(folder, name, 'data', basename(colorProfile)))
    for (const [needed, from] of packagesOf(name))
      await cp(from, join(folder, name, 'node_modules', needed), {
        recursive: true,
        filter: file => file !== join(from, 'node_modules') && isNeeded(file),
      })
    if (name === reference.page) await writePage(join(folder, name))
    if (name === reference.assets) await writePageAssets(join(folder, name))
    if (name === reference.client) await writeClientPackage(join(folder, name))
  }
}

export type BundleOptions = {
  /** The output folder; it is emptied first. */
  folder?: string
  names?: readonly string[]
  /** esbuild's log level for stderr. */
  logLevel?: 'warning' | 'silent'
}

// Functions of one run share what esbuild reads: eight cost less than two runs of one. More would take more memory.
const groupSize = 8

/** The functions of each esbuild run: neighbours in `names`; a split function is alone. */
export const bundleGroups = (names: readonly string[]): string[][] => {
  const whole = names.filter(name => !isSplit(name))
  const starts = whole.keys().filter(n => n % groupSize === 0)
  const groups = Array.from(starts, start => whole.slice(start, start + groupSize))
  return [...groups, ...names.filter(isSplit).map(name => [name])]
}

/**
 * Bundles functions, by default all, one group after the other. Returns esbuild's metafile, with paths from the root.
 * Rejects with esbuild's BuildFailure.
 */
export const bundleFunctions = async ({
  folder = bundleFolder,
  names = functionNames(),
  logLevel = 'warning',
}: BundleOptions = {}): Promise<Metafile> => {
  await rm(folder, { recursive: true, force: true })
  const built: Metafile = { inputs: {}, outputs: {} }
  for (const group of bundleGroups(names)) {
    const { metafile } = await build({ ...buildOptions(folder, group), logLevel })
    Object.assign(built.inputs, metafile.inputs)
    Object.assign(built.outputs, metafile.outputs)
  }
  await copyAssets(folder, names)
  return built
}
