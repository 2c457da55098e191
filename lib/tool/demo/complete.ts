import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '../../twin/build/sources.ts'
import { listMerchants } from '../merchants.ts'
import { demoCredentials } from './credentials.ts'

const data = join(import.meta.dirname, 'data')

const presentDigest = (): string => {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return digestOf(`${files.map(({ parentPath, name }) => digestOf(readFileSync(join(parentPath, name)))).sort()}`)
}

const fileIn = (folder: string): string => join(folder, 'demo.json')

/**
 * True if the demo in a data folder is complete and of the present data, so that no wine has to be looked up. The demo
 * merchants must be in the table, which may be another table than before.
 */
export const isDemoComplete = async (folder: string): Promise<boolean> => {
  const digest = await readFile(fileIn(folder), 'utf8').catch(() => '')
  if (digest !== presentDigest()) return false
  const present = new Set((await listMerchants()).map(({ authid }) => authid))
  return demoCredentials().every(({ authid }) => present.has(authid))
}

/** Records that the demo is complete. */
export const markDemoComplete = (folder: string): Promise<void> => writeFile(fileIn(folder), presentDigest())
