import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestOf, digestOfFiles, type Sources, unfinished } from './sources.ts'

/** Something built; its name is the path of its folder below the build folder. */
export type Product = {
  /** The source files it was made from, paths from the root, and a digest of their contents at that time. */
  inputs: string[]
  inputDigest: string
  /** Its files, paths below its folder → SHA-256. */
  outputs: Record<string, string>
}

type Manifest = { settings: string; products: Record<string, Product> }

/** The products of earlier builds that are still there and as they were written. */
export type Cache = {
  isFresh(name: string, sources: Sources): boolean
  has(name: string): boolean
  /** Notes products, for later starts as well. */
  add(products: readonly [name: string, product: Product][]): Promise<void>
}

const manifestFile = 'manifest.json'

export const templateFile = 'template.json'

/** Writes a file whole or not at all. */
export const writeWhole = async (file: string, data: string | Buffer): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  const fresh = join(dirname(file), `${unfinished}${randomUUID()}`)
  await writeFile(fresh, data)
  await rename(fresh, file).catch(async error => {
    if (error.code !== 'EISDIR') throw error
    await rm(file, { recursive: true })
    await rename(fresh, file)
  })
}

/** The products of the manifest, if it is valid, and its settings are the present settings. */
const readProducts = async (folder: string, settings: string): Promise<[name: string, product: Product][]> => {
  try {
    const manifest = JSON.parse(await readFile(join(folder, manifestFile), 'utf8')) as Manifest
    return manifest.settings === settings ? Object.entries(manifest.products) : []
  } catch {
    return []
  }
}

const isWhole = async (folder: string, product: Product): Promise<boolean> => {
  try {
    const checks = Object.entries(product.outputs).map(
      async ([file, digest]) => digestOf(await readFile(join(folder, file))) === digest,
    )
    return (await Promise.all(checks)).every(Boolean)
  } catch {
    return false
  }
}

/** Opens the cache of a build folder; what is damaged, or was built under other settings, counts as not there. */
export const openCache = async (folder: string, settings: string): Promise<Cache> => {
  const stored = await readProducts(folder, settings)
  const whole = await Promise.all(stored.map(([name, product]) => isWhole(join(folder, name), product)))
  const products = new Map(stored.filter((_, n) => whole[n]))
  let writing = Promise.resolve()
  return {
    has: name => products.has(name),
    isFresh: (name, sources) => {
      const product = products.get(name)
      return product !== undefined && digestOfFiles(sources, product.inputs) === product.inputDigest
    },
    add: async made => {
      for (const [name, product] of made) products.set(name, product)
      const write = () =>
        writeWhole(join(folder, manifestFile), JSON.stringify({ settings, products: Object.fromEntries(products) }))
      writing = writing.then(write, write)
      await writing
    },
  }
}
