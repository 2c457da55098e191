import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { oneAtATime } from './one-at-a-time.ts'

/** What is kept beside an object's bytes; `modified` is epoch milliseconds, `etag` the quoted MD5. */
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

/** Looks at the present object (undefined when there is none) and throws to stop the change. */
export type Precondition = (present: ObjectMeta | undefined) => void

/** Objects of several buckets as files; every change is atomic and on the disk before its promise resolves. */
export type ObjectStore = {
  put(bucket: string, meta: ObjectMeta, data: Buffer, precondition: Precondition): Promise<void>
  open(bucket: string, key: string): Promise<OpenObject | undefined>
  remove(bucket: string, key: string, precondition: Precondition): Promise<void>
  list(bucket: string): Promise<ObjectMeta[]>
}

const OBJECT_FILE = /^[0-9a-f]{64}$/
const LENGTH_BYTES = 4

/**
 * Opens the store below `dir`, creating a folder for each bucket. A file is named by the SHA-256 of its key and holds
 * the bytes, then the metadata as JSON, then the length of that JSON in four bytes.
 */
export const openObjectStore = async (dir: string, buckets: string[]): Promise<ObjectStore> => {
  const unfinished = join(dir, '.unfinished')
  const pathOf = (bucket: string, key: string) => join(dir, bucket, createHash('sha256').update(key).digest('hex'))
  const inTurn = oneAtATime()
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  for (const bucket of buckets) await mkdir(join(dir, bucket), { recursive: true })

  const put: ObjectStore['put'] = (bucket, meta, data, precondition) => {
    const path = pathOf(bucket, meta.key)
    return inTurn(path, async () => {
      precondition(await readMetaAt(path))
      const fresh = join(unfinished, randomUUID())
      try {
        await writeObject(fresh, meta, data)
        await rename(fresh, path)
      } catch (error) {
        await rm(fresh, { force: true })
        throw error
      }
      await syncFolder(join(dir, bucket))
    })
  }

  const remove: ObjectStore['remove'] = (bucket, key, precondition) => {
    const path = pathOf(bucket, key)
    return inTurn(path, async () => {
      const present = await readMetaAt(path)
      precondition(present)
      if (!present) return
      await unlink(path)
      await syncFolder(join(dir, bucket))
    })
  }

  const list: ObjectStore['list'] = async bucket => {
    const names = await readdir(join(dir, bucket))
    const found: ObjectMeta[] = []
    for (const name of names.filter(file => OBJECT_FILE.test(file))) {
      const meta = await readMetaAt(join(dir, bucket, name))
      if (meta) found.push(meta)
    }
    return found
  }

  return { put, remove, list, open: (bucket, key) => openObject(pathOf(bucket, key)) }
}

const writeObject = async (path: string, meta: ObjectMeta, data: Buffer): Promise<void> => {
  const json = Buffer.from(JSON.stringify(meta))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(json.length)
  const file = await open(path, 'wx')
  try {
    await file.writeFile([data, json, length])
    await file.sync()
  } finally {
    await file.close()
  }
}

const openObject = async (path: string): Promise<OpenObject | undefined> => {
  const file = await openExisting(path)
  if (!file) return undefined
  try {
    const meta = await readMeta(file)
    return {
      meta,
      stream: (start, end) => file.createReadStream({ start, end }),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

const readMetaAt = async (path: string): Promise<ObjectMeta | undefined> => {
  const object = await openObject(path)
  await object?.close()
  return object?.meta
}

const openExisting = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const readMeta = async (file: FileHandle): Promise<ObjectMeta> => {
  const { size } = await file.stat()
  const length = await readAt(file, size - LENGTH_BYTES, LENGTH_BYTES)
  const jsonLength = length.readUInt32BE()
  const json = await readAt(file, size - LENGTH_BYTES - jsonLength, jsonLength)
  return JSON.parse(json.toString())
}

const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead !== length) throw new Error('An object file is shorter than its footer says')
  return buffer
}

const syncFolder = async (path: string): Promise<void> => {
  // Windows cannot open folders; its rename is on the disk as soon as the file system writes its journal.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync()
  await folder.close()
}
