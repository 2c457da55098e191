import { appendFile, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** An event as a rule's target is given it. */
export type StoredEvent = {
  id: string
  time: string
  source: string
  'detail-type': string
  detail: Record<string, unknown>
}

const fileIn = (folder: string): string => join(folder, 'events.jsonl')
const olderIn = (folder: string): string => `${fileIn(folder)}.1`

// Some ten thousand events; as many of the events before are in the older file.
const maxBytes = 5_000_000

/** Appends events, in order, to those of a twin's folder; of the oldest events no more is kept than two files hold. */
export const eventStore = (folder: string) => {
  let last: Promise<unknown> = Promise.resolve()

  const append = async (events: readonly StoredEvent[]): Promise<void> => {
    const { size } = await stat(fileIn(folder)).catch(() => ({ size: 0 }))
    if (size > maxBytes) await rename(fileIn(folder), olderIn(folder))
    const lines = events.map(event => `${JSON.stringify(event)}\n`)
    await appendFile(fileIn(folder), lines.join(''), { mode: 0o600 })
  }

  return {
    append: (events: readonly StoredEvent[]): Promise<void> => {
      const done = last.then(() => append(events))
      last = done.catch(() => {})
      return done
    },
  }
}

/** A value that changes when a twin's folder holds other events. */
export const eventsStamp = async (folder: string): Promise<string> => {
  const { size, ino } = await stat(fileIn(folder)).catch(() => ({ size: 0, ino: 0 }))
  return `${ino} ${size}`
}

const linesOf = async (file: string): Promise<string[]> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  // The text after the last line end is still being written.
  return text.split('\n').slice(0, -1)
}

/** The events that a twin's folder holds, the oldest first, one JSON text each. */
export const storedEvents = async (folder: string): Promise<string[]> => {
  const older = await linesOf(olderIn(folder))
  return [...older, ...(await linesOf(fileIn(folder)))]
}
