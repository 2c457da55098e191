import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { folderHolder, lockFolder } from '../../lib/twin/lock.ts'
import { findTwin, removeConnection, type TwinConnection, twinFile, writeConnection } from '../../lib/twin/twin-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const silence =
  'is held by a service that does not answer; it may have been paused by Ctrl-Z: continue it by fg, or end it'

let folder: string

beforeEach(() => {
  folder = temporaryFolder('lock')
})

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const takesFolder = `import { lockFolder } from ${JSON.stringify(resolve('lib/twin/lock.ts'))}
  await lockFolder(process.argv[1])`

/** A process that locks the folder until it is killed. */
const holder = async (takes = takesFolder): Promise<ChildProcess> => {
  const script = `${takes}
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout, 'data')
  return child
}

const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('a folder is locked once, by whatever path, and is free again afterwards', async () => {
  const link = `${folder}-link`
  await symlink(folder, link)
  const held = await lockFolder(folder)
  for (const path of [folder, `${folder}/`, link])
    await expect(lockFolder(path)).rejects.toThrow(`${path} is running already (process ${process.pid})`)
  expect(await folderHolder(link)).toBe(process.pid)
  await held.close()
  await rm(link)
  expect(await folderHolder(folder)).toBeUndefined()
  await (await lockFolder(folder)).close()
})

test('one of many concurrent attempts gets the lock', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)))
  const winners = tries.filter(one => one.status === 'fulfilled')
  expect(winners).toHaveLength(1)
  await winners[0]?.value.close()
})

test('another folder has another lock', async () => {
  const held = await lockFolder(folder)
  const other = await mkdtemp(join(tmpdir(), 'weinkontor-lock-'))
  await (await lockFolder(other)).close()
  await held.close()
  await rm(other, { recursive: true })
})

test('a process locks its folder until it ends, even if it is killed', async () => {
  const child = await holder()
  await expect(lockFolder(folder)).rejects.toThrow(`(process ${child.pid})`)
  await kill(child)
  await (await lockFolder(folder)).close()
})

test('a lock excludes processes in other containers, which share its files but have other addresses', async () => {
  const child = await holder(`import { DatabaseSync } from 'node:sqlite'
    globalThis.kept = new DatabaseSync(process.argv[1] + '/lock.db')
    kept.exec('BEGIN EXCLUSIVE')`)
  await expect(lockFolder(folder)).rejects.toThrow(`${folder} is running already; stop it`)
  expect(await folderHolder(folder)).toBeUndefined()
  await kill(child)
  await (await lockFolder(folder)).close()
})

test('a paused process with the lock is reported, instead of waited for', async () => {
  const child = await holder()
  await writeFile(twinFile(folder), JSON.stringify({ pid: child.pid }))
  child.kill('SIGSTOP')
  const asked = await Promise.allSettled([findTwin(folder), lockFolder(folder)])
  for (const one of asked) expect(one).toMatchObject({ reason: { message: `${folder} ${silence}` } })
})

describe('the file of a twin', () => {
  const left = { pid: process.pid, url: 'http://localhost:3000', table: 'weinkontor-twin' } as TwinConnection

  test('is valid while its process has the lock', async () => {
    await writeFile(twinFile(folder), JSON.stringify(left))
    const held = await lockFolder(folder)
    expect(await findTwin(folder)).toEqual(left)
    await held.close()
  })

  test('is deleted by its own twin, and by no other', async () => {
    const held = await lockFolder(folder)
    await writeConnection(folder, left)
    expect((await stat(twinFile(folder))).mode & 0o777).toBe(0o600)
    await removeConnection(folder, { ...left, pid: left.pid + 1 })
    await removeConnection(folder, { ...left, url: 'http://localhost:3001' })
    expect(await findTwin(folder)).toEqual(left)
    await removeConnection(folder, left)
    expect(await findTwin(folder)).toBeUndefined()
    await removeConnection(folder, left)
    await held.close()
  })

  test('is invalid if another process has its id by now', async () => {
    await writeFile(twinFile(folder), JSON.stringify(left))
    expect(await findTwin(folder)).toBeUndefined()
  })

  test('is invalid while the next twin has not written its own', async () => {
    const child = await holder()
    await writeFile(twinFile(folder), JSON.stringify(left))
    expect(await findTwin(folder)).toBeUndefined()
    await kill(child)
  })

  test('may be missing, incomplete, or in a missing folder', async () => {
    expect(await findTwin(folder)).toBeUndefined()
    await writeFile(twinFile(folder), '{"pid":')
    expect(await findTwin(folder)).toBeUndefined()
    expect(await findTwin(join(folder, 'nowhere'))).toBeUndefined()
  })
})
