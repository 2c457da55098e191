import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'

const keyBytes = 32

/** Reads the key from a file, or creates it. Throws if the file has another length. */
export const readCookieKey = async (file: string): Promise<Buffer> => {
  await writeFile(file, randomBytes(keyBytes), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const key = await readFile(file)
  if (key.length !== keyBytes) throw new Error(`${file} does not hold ${keyBytes} bytes: remove it for a new key`)
  return key
}
