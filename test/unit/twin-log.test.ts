import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { openLog } from '../../lib/twin/log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder('log')
})

const write = (log: Writable, line: string) => new Promise(done => log.write(line, done))
const end = (log: Writable) => new Promise<void>(done => log.end(done))

test('a log keeps earlier lines, and only its owner may read it', async () => {
  const file = join(folder, 'service.log')
  await writeFile(file, 'before\n', { mode: 0o644 })
  const log = await openLog(file, () => {})
  log.write('one\n')
  log.write('two\n')
  await end(log)
  expect(await readFile(file, 'utf8')).toBe('before\none\ntwo\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a log that cannot be written warns once with the reason, and accepts further lines', async () => {
  const file = join(folder, 'service.log')
  await symlink('/dev/full', file)
  const warnings: string[] = []
  const log = await openLog(file, message => warnings.push(message))
  await write(log, 'one\n')
  await write(log, 'two\n')
  expect(warnings).toEqual([
    `${file} cannot be written, what belongs there is lost: ENOSPC: no space left on device, write`,
  ])
  expect(log.destroyed).toBe(false)
  await end(log)
})

test('a log continues as soon as it can be written again', async () => {
  const file = join(folder, 'logs', 'service.log')
  const warnings: string[] = []
  const log = await openLog(file, message => warnings.push(message))
  await write(log, 'lost\n')
  await mkdir(join(folder, 'logs'))
  await write(log, 'kept\n')
  await end(log)
  expect(await readFile(file, 'utf8')).toBe('kept\n')
  expect(warnings).toHaveLength(1)
})
