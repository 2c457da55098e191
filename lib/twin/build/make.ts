import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type BuildContext, type BuildFailure, context, formatMessages, type Metafile, stop } from 'esbuild'
import { LRUCache } from 'lru-cache'
import {
  assetFoldersOf,
  buildOptions,
  bundleFunctions,
  bundleGroups,
  copyAssets,
  sourceOf,
} from '../../stack/bundle.ts'
import type { Template } from '../template/template.ts'
import { type Product, templateFile, writeWhole } from './cache.ts'
import { inputsOf } from './inputs.ts'
import { maxInUse } from './queue.ts'
import { digestOf, digestOfFiles, ownInputs, pathBelow, root, type Sources, unfinished } from './sources.ts'

// Loads the bundler and all routes: imported only when something has to be built.

/** Moves the files of a folder to their places, singly, so that each is always whole; returns their digests. */
const install = async (from: string, to: string): Promise<Record<string, string>> => {
  const files = (await readdir(from, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  const moved = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name)
    const path = pathBelow(from, file)
    const digest = digestOf(await readFile(file))
    await mkdir(dirname(join(to, path)), { recursive: true })
    await rename(file, join(to, path))
    return [path, digest] as const
  })
  return Object.fromEntries(await Promise.all(moved))
}

/** Moves a bundle from the folder of new bundles to its place; `metafile` is esbuild's account of it. */
const installBundle = async (
  staging: string,
  folder: string,
  name: string,
  metafile: Metafile,
  sources: Sources,
): Promise<Product> => {
  const assets = [...sources.keys()].filter(file => assetFoldersOf(name).some(one => file.startsWith(`${one}/`)))
  const inputs = [...ownInputs(metafile, sourceOf(name)), ...assets]
  const outputs = await install(join(staging, name), join(folder, name))
  return { inputs, inputDigest: digestOfFiles(sources, inputs), outputs }
}

const newStaging = (folder: string): string => join(dirname(folder), `${unfinished}${randomUUID()}`)

type Products = [name: string, product: Product][]

const makeGroup = async (folder: string, names: readonly string[], sources: Sources): Promise<Products> => {
  const staging = newStaging(folder)
  try {
    const metafile = await bundleFunctions({ folder: staging, names, logLevel: 'silent' })
    const products = names.map(
      async (name): Promise<[string, Product]> => [name, await installBundle(staging, folder, name, metafile, sources)],
    )
    return await Promise.all(products)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/**
 * Builds a bundle into its folder below `folder`, and those `outdated` bundles that are in its group. `sources` must
 * have been read before: what changes meanwhile makes the products outdated. Rejects with esbuild's BuildFailure.
 */
export const makeBundles = async (
  folder: string,
  name: string,
  outdated: readonly string[],
  sources: Sources,
): Promise<Products> => {
  const group = bundleGroups(outdated).find(names => names.includes(name)) ?? [name]
  try {
    return await makeGroup(folder, group, sources)
  } catch (error) {
    // The mistake may be in another bundle.
    if (group.length === 1) throw error
    return makeGroup(folder, [name], sources)
  }
}

type Rebuilder = { staging: string; context: BuildContext<ReturnType<typeof buildOptions>> }

// esbuild's memory of a bundle, some 50 MB each.
const rebuilders = new LRUCache<string, Rebuilder>({ max: maxInUse, dispose: ({ context }) => void context.dispose() })

const rebuilderOf = async (folder: string, name: string): Promise<Rebuilder> => {
  const known = rebuilders.get(name)
  if (known) return known
  const staging = newStaging(folder)
  const made = { staging, context: await context({ ...buildOptions(staging, [name]), logLevel: 'silent' }) }
  rebuilders.set(name, made)
  return made
}

/** Builds one bundle as makeBundles does, and remembers what is needed to build it again soon, in half the time. */
export const remakeBundle = async (folder: string, name: string, sources: Sources): Promise<Products[number]> => {
  const { staging, context } = await rebuilderOf(folder, name)
  try {
    const { metafile } = await context.rebuild()
    await copyAssets(staging, [name])
    return [name, await installBundle(staging, folder, name, metafile, sources)]
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

const stackEntry = 'lib/twin/build/synthesize.ts'

const synthesize = (leadingKeys: string): Promise<Template> =>
  new Promise((done, failed) => {
    const worker = new Worker(join(root, stackEntry), { workerData: { leadingKeys } })
    // Under `node --watch` the runtime posts messages of its own.
    worker.on('message', ({ template }: { template?: Template }) => template && done(template))
    worker.once('error', failed)
    worker.once('exit', code => failed(new Error(`the synthesis exited with code ${code}`)))
  })

/** Synthesizes the template and writes it into a folder; as makeBundles. Rejects with what the stack throws. */
export const makeTemplate = async (folder: string, sources: Sources, leadingKeys: string): Promise<Product> => {
  const [template, inputs] = await Promise.all([synthesize(leadingKeys), inputsOf(stackEntry)])
  const text = JSON.stringify(template)
  await writeWhole(join(folder, templateFile), text)
  return { inputs, inputDigest: digestOfFiles(sources, inputs), outputs: { [templateFile]: digestOf(text) } }
}

export const stopBundler = async (): Promise<void> => {
  rebuilders.clear()
  await stop()
}

export const warmUp = async (): Promise<void> => {
  await inputsOf(stackEntry)
}

/** Returns the reason of a failed build, for the developer. */
export const describeFailure = async (error: unknown): Promise<string> => {
  const { errors, message } = error as BuildFailure
  if (!errors) return message ?? String(error)
  return (await formatMessages(errors, { kind: 'error', color: process.stderr.isTTY })).join('').trimEnd()
}
