import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { digestsFile, encodings, pageFile, servedFolder } from '../../shared/reference/assets.ts'

/** The folder, from the root, of the page's own files. */
export const pageFolder = 'shared/reference/page'

// Scalar's reference in one file, from its package for Fastify: its own package has it as well, with 250 dependencies.
const renderer = { name: 'scalar.js', from: '@scalar/fastify-api-reference' }

const root = join(import.meta.dirname, '../..')

const brotli = (content: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(content, {
    // The highest quality takes ten times as long and saves a tenth.
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  })

/** A served file: its content in each encoding, and the digest in its name. */
type Served = { digest: string; forms: { ending: string; content: Buffer }[] }

const compressContent = async (content: Buffer): Promise<Served> => {
  const [small, compressed] = await Promise.all([brotli(content), promisify(gzip)(content, { level: 9 })])
  return {
    digest: createHash('sha256').update(content).digest('base64url').slice(0, 16),
    forms: [
      { ending: '', content },
      { ending: encodings.br, content: small },
      { ending: encodings.gzip, content: compressed },
    ],
  }
}

// Four megabytes that do not change while this process runs: read and compressed once.
let rendererServed: Promise<Served> | undefined

const rendererContent = async (): Promise<Buffer> => {
  const source = await readFile(fileURLToPath(import.meta.resolve(renderer.from)), 'utf8')
  const [, literal] = /^var standalone_default = (".*");$/m.exec(source) ?? []
  if (!literal) throw new Error(`${renderer.from} has no renderer where this version is known to have it`)
  return Buffer.from(runInNewContext(literal))
}

const readRenderer = (): Promise<Served> => {
  rendererServed ??= rendererContent().then(compressContent)
  return rendererServed
}

const readAssets = async (): Promise<Map<string, Served>> => {
  const names = (await readdir(join(root, pageFolder))).filter(name => name !== pageFile).sort()
  const own = names.map(
    async name => [name, await compressContent(await readFile(join(root, pageFolder, name)))] as const,
  )
  return new Map([...(await Promise.all(own)), [renderer.name, await readRenderer()]])
}

/** Creates the folder of served files next to a bundle, with the digests of all files of the page. */
const makeFolder = async (bundle: string, assets: ReadonlyMap<string, Served>): Promise<string> => {
  const folder = join(bundle, servedFolder)
  await mkdir(folder, { recursive: true })
  const digests = Object.fromEntries([...assets].map(([name, { digest }]) => [name, digest]))
  await writeFile(join(folder, digestsFile), JSON.stringify(digests))
  return folder
}

/** Writes the page next to the bundle in a folder, with the digests of its files. */
export const writePage = async (bundle: string): Promise<void> => {
  const folder = await makeFolder(bundle, await readAssets())
  await copyFile(join(root, pageFolder, pageFile), join(folder, pageFile))
}

/** Writes the files of the page next to the bundle in a folder: plain, and compressed. */
export const writePageAssets = async (bundle: string): Promise<void> => {
  const assets = await readAssets()
  const folder = await makeFolder(bundle, assets)
  for (const [name, { forms }] of assets)
    for (const { ending, content } of forms) await writeFile(join(folder, name + ending), content)
}
