import { readFile, removeFile, writeFile } from '../../platform/files/files.ts'

/*
 * Pieces of a snapshot are written before the list that names them. A writer that ends in between, or whose list comes too
 * late, leaves pieces that nobody knows, and nobody may list the bucket. So each writer first notes what it is going to
 * write; who comes later removes what has been noted for long and is in no list.
 */

/** When pieces were noted, by their names: in milliseconds of the time of day. */
type Ledger = Record<string, number>

const keyOf = (folder: string): string => `${folder}/written`

// Far longer than a writer runs: what was noted so long ago is in its list by now, or will never be.
const settledMs = 60 * 60 * 1000

const mostBytes = 1024 * 1024

const readLedger = async (folder: string): Promise<Ledger> => {
  try {
    return JSON.parse((await readFile(keyOf(folder), mostBytes))?.body.toString() || '{}') ?? {}
  } catch (error) {
    // What is damaged tells nothing. The pieces in it stay for good.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Removes all pieces that were noted, and the notes. */
export const removeNoted = async (folder: string): Promise<void> => {
  const names = Object.keys(await readLedger(folder))
  await Promise.all(names.map(name => removeFile(`${folder}/${name}`)))
  await removeFile(keyOf(folder))
}

/** Notes pieces before they are written, and removes those that were noted long ago and are not among the `listed` ones. */
export const notePieces = async (folder: string, names: readonly string[], listed: Set<string>): Promise<void> => {
  const now = Date.now()
  const noted = Object.entries(await readLedger(folder))
  const lost = noted.filter(([name, since]) => now - since > settledMs && !listed.has(name) && !names.includes(name))
  await Promise.all(lost.map(([name]) => removeFile(`${folder}/${name}`)))
  const young = noted.filter(([, since]) => now - since <= settledMs)
  const ledger: Ledger = { ...Object.fromEntries(young), ...Object.fromEntries(names.map(name => [name, now])) }
  await writeFile(keyOf(folder), Buffer.from(JSON.stringify(ledger)), 'application/json', 'anything')
}
