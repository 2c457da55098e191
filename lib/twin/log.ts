import { appendFile } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { makePrivate } from './private-files.ts'

/**
 * A log that appends to a file, whole pieces at a time. It never fails: what cannot be written is lost, and `warn` is
 * called the first time.
 */
export const openLog = async (file: string, warn: (message: string) => void): Promise<Writable> => {
  await makePrivate(file)
  let hasWarned = false

  const append = async (data: Buffer): Promise<void> => {
    try {
      await appendFile(file, data, { mode: 0o600 })
    } catch (error) {
      if (!hasWarned) warn(`${file} cannot be written, what belongs there is lost: ${(error as Error).message}`)
      hasWarned = true
    }
  }

  const log = new Writable({
    writev: (chunks, done) => {
      append(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done())
    },
  })
  // Every instance of every function writes to it.
  log.setMaxListeners(0)
  return log
}
