import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** The metadata of an object; `modified` is epoch milliseconds, `etag` the quoted MD5. */
export type ObjectMeta = {
  key: string
  size: number
  etag: string
  modified: number
  headers: Record<string, string>
  checksums: Record<string, string>
}

/** An object opened for reading; exactly one of `stream` and `close` must be called. */
export type OpenObject = { meta: ObjectMeta; stream(start: number, end: number): Readable; close(): Promise<void> }

/** Looks at the present object (undefined when there is none) and throws to stop the write. */
export type Precondition = (present: ObjectMeta | undefined) => void

/** Objects of several buckets as files; every write is atomic and on the disk before its promise resolves. */
export type ObjectStore = {
  put(bucket: string, meta: ObjectMeta, data: Buffer, precondition: Precondition): Promise<void>
  open(bucket: string, key: string): Promise<OpenObject | undefined>
  remove(bucket: string, key: string): Promise<void>
  /** Removes the objects below a prefix that were written before a time in milliseconds. */
  removeOlder(bucket: string, prefix: string, before: number): Promise<void>
}

const lengthBytes = 4

const openExisting = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead !== length) throw new Error('An object file is shorter than its footer says')
  return buffer
}

const readMeta = async (file: FileHandle): Promise<ObjectMeta> => {
  const { size } = await file.stat()
  const length = await readAt(file, size - lengthBytes, lengthBytes)
  const jsonLength = length.readUInt32BE()
  const json = await readAt(file, size - lengthBytes - jsonLength, jsonLength)
  return JSON.parse(json.toString())
}

const openObject = async (path: string): Promise<OpenObject | undefined> => {
  const file = await openExisting(path)
  if (!file) return undefined
  try {
    const meta = await readMeta(file)
    return { meta, stream: (start, end) => file.createReadStream({ start, end }), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

const writeObject = async (path: string, meta: ObjectMeta, data: Buffer): Promise<void> => {
  const json = Buffer.from(JSON.stringify(meta))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(json.length)
  const file = await open(path, 'wx')
  try {
    await file.writeFile([data, json, length])
    await file.sync()
  } finally {
    await file.close()
  }
}

const syncFolder = async (path: string): Promise<void> => {
  // Windows cannot open folders; its rename is on the disk as soon as the file system writes its journal.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync()
  await folder.close()
}

/** A queue for each name: a task starts when the earlier tasks of the same name have ended, well or badly. */
const queuesByName = () => {
  const last = new Map<string, Promise<void>>()
  return (name: string, task: () => Promise<void>): Promise<void> => {
    const turn = (last.get(name) ?? Promise.resolve()).then(task, task)
    last.set(name, turn)
    const forget = () => {
      if (last.get(name) === turn) last.delete(name)
    }
    turn.then(forget, forget)
    return turn
  }
}

/**
 * Opens the store, creating a folder for each bucket. A file is named by the SHA-256 of its key and holds the bytes,
 * then the metadata as JSON, then the length of that JSON in four bytes.
 */
export const openObjectStore = async (folder: string, buckets: string[]): Promise<ObjectStore> => {
  const unfinished = join(folder, '.unfinished')
  const pathOf = (bucket: string, key: string) => join(folder, bucket, createHash('sha256').update(key).digest('hex'))
  const inTurn = queuesByName()
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  for (const bucket of buckets) await mkdir(join(folder, bucket), { recursive: true })

  const put: ObjectStore['put'] = (bucket, meta, data, precondition) => {
    const path = pathOf(bucket, meta.key)
    return inTurn(path, async () => {
      const present = await openObject(path)
      await present?.close()
      precondition(present?.meta)
      const fresh = join(unfinished, randomUUID())
      try {
        await writeObject(fresh, meta, data)
        await rename(fresh, path)
      } catch (error) {
        await rm(fresh, { force: true })
        throw error
      }
      await syncFolder(join(folder, bucket))
    })
  }
  const unlink = async (bucket: string, path: string): Promise<void> => {
    await rm(path, { force: true })
    await syncFolder(join(folder, bucket))
  }
  const remove: ObjectStore['remove'] = (bucket, key) => {
    const path = pathOf(bucket, key)
    return inTurn(path, () => unlink(bucket, path))
  }
  const removeOlder: ObjectStore['removeOlder'] = async (bucket, prefix, before) => {
    for (const name of await readdir(join(folder, bucket))) {
      const path = join(folder, bucket, name)
      await inTurn(path, async () => {
        const object = await openObject(path)
        await object?.close()
        if (object?.meta.key.startsWith(prefix) && object.meta.modified < before) await unlink(bucket, path)
      })
    }
  }
  return { put, remove, removeOlder, open: (bucket, key) => openObject(pathOf(bucket, key)) }
}
