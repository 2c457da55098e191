import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { fallback, routes } from '../../shared/contract/index.ts'
import { jobs } from '../../shared/contract/jobs.ts'
import { fileOf } from '../../shared/contract/route.ts'

const root = join(import.meta.dirname, '../..')

/** Where the bundles are built: one folder a function, at the path of its source below `functions/`. */
export const bundleFolder = join(root, 'dist')

/** The names of all functions: their files below `functions/`, without the ending. */
export const functionNames = (): string[] => [...[...routes, fallback].map(fileOf), ...jobs.map(({ file }) => file)]

// An ESM bundle has no `require`, but some CommonJS packages inside call it.
const banner = `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);`

// The sheet reads its fonts from beside its bundle.
const fontReaders = ['service/wines/getExpertise']

/** Bundles all functions in one esbuild call, the AWS SDK included; answers esbuild's account of what went in. */
export const bundleFunctions = async (folder = bundleFolder): Promise<Metafile> => {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: Object.fromEntries(
      functionNames().map(name => [`${name}/index`, join(root, 'functions', `${name}.ts`)]),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: { js: banner },
    metafile: true,
    logLevel: 'warning',
  })
  const fonts = join(root, 'shared/expertise/fonts')
  for (const name of fontReaders) await cp(fonts, join(folder, name, 'fonts'), { recursive: true })
  return metafile
}
