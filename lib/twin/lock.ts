import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'

const isFile = process.platform !== 'linux' && process.platform !== 'win32'

// An address of the operating system's that is gone with the process that holds it, however that ends: abstract on
// Linux, a pipe on Windows. Elsewhere it is a file, which stays behind, but nobody listens there any more.
const addressOf = async (folder: string): Promise<string> => {
  const name = `weinkontor-${createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32)}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

/** A process holds a folder, but does not say which process it is. */
export class HolderSilent extends Error {
  constructor(folder: string) {
    super(
      `${folder} is held by a service that does not answer; ` +
        'it may have been paused by Ctrl-Z: continue it by fg, or end it',
    )
  }
}

const sqliteBusy = 5

// A running process answers immediately, or when it has done what keeps it busy, as at its start; a paused process
// never does.
const maxSilenceMs = 8000

/** The id of the process that holds a folder by its address; undefined when none does. Rejects with HolderSilent. */
const holderAt = async (address: string, folder: string): Promise<number | undefined> => {
  const socket = connect(address)
  socket.setTimeout(maxSilenceMs, () => socket.destroy(new HolderSilent(folder)))
  try {
    return Number(await text(socket))
  } catch (error) {
    if (error instanceof HolderSilent) throw error
    return undefined
  }
}

const listen = (address: string): Promise<Server> =>
  new Promise((listening, failed) => {
    // The answer is the holder's process id.
    const server = createServer(socket => socket.on('error', () => {}).end(String(process.pid)))
    server.once('error', failed).listen(address, () => listening(server))
    server.unref()
  })

const take = async (address: string): Promise<Server | undefined> => {
  try {
    return await listen(address)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return undefined
  }
}

/**
 * The id of the process that holds a folder; undefined when none does, or there is no such folder. Rejects with
 * HolderSilent.
 */
export const folderHolder = async (folder: string): Promise<number | undefined> => {
  const address = await addressOf(folder).catch(() => undefined)
  return address === undefined ? undefined : holderAt(address, folder)
}

type Held = { close(): void | Promise<void> }

const refusal = (folder: string, holder?: number): Error =>
  new Error(
    `a service with its data in ${folder} is running already${holder ? ` (process ${holder})` : ''}; ` +
      'stop it, or choose another folder with DATA_DIR=…',
  )

// The address belongs to a network namespace: a process in another container does not see it, but shares the file.
const takeFile = async (folder: string): Promise<Held> => {
  const file = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 })
  try {
    file.exec('BEGIN EXCLUSIVE')
    return file
  } catch (error) {
    file.close()
    throw (error as { errcode?: number }).errcode === sqliteBusy ? refusal(folder) : error
  }
}

const takeAddress = async (address: string, folder: string): Promise<Held | undefined> => {
  let server = await take(address)
  if (!server && isFile && (await holderAt(address, folder)) === undefined) {
    await rm(address, { force: true })
    server = await take(address)
  }
  const held = server
  return held && { close: () => new Promise(done => held.close(() => done())) }
}

/**
 * Holds a folder for this process, until it is closed or the process ends. Rejects when another process holds it,
 * naming that process if it can be asked, or with HolderSilent when that does not tell.
 */
export const lockFolder = async (folder: string): Promise<{ close(): Promise<void> }> => {
  const address = await addressOf(folder)
  const held = await takeAddress(address, folder)
  if (!held) throw refusal(folder, await holderAt(address, folder))
  const file = await takeFile(folder).catch(async error => {
    await held.close()
    throw error
  })
  return {
    close: async () => {
      await file.close()
      await held.close()
    },
  }
}
