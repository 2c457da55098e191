import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, digestOfFiles, readSources, root } from '../../twin/build/sources.ts'
import { listMerchants } from '../merchants.ts'
import { demoCredentials } from './credentials.ts'

const markFile = 'demo.json'
const wines = 'lib/tool/demo/data/xwines-slim-1007.csv'

/** A digest of all that decides what the demo is: its data and the code that brings them in. */
const presentDigest = async (): Promise<string> => {
  const data = await readFile(join(root, wines))
  const sources = readSources()
  const files = [...sources.keys()].filter(file => /^(lib\/tool|shared)\//.test(file)).sort()
  return digestOf(`${digestOfFiles(sources, files)} ${digestOf(data)}`)
}

/**
 * Whether the demo in a data folder is complete and of the present code, so that nothing has to be looked up wine by
 * wine. The table may be another than the folder knew: the demo merchants must be in it.
 */
export const isDemoComplete = async (folder: string): Promise<boolean> => {
  const mark = await readFile(join(folder, markFile), 'utf8').catch(() => '')
  if (mark !== (await presentDigest())) return false
  const present = new Set((await listMerchants()).map(({ authid }) => authid))
  return demoCredentials().every(({ authid }) => present.has(authid))
}

/** Notes that the demo is complete. */
export const markDemo = async (folder: string): Promise<void> =>
  writeFile(join(folder, markFile), await presentDigest())
