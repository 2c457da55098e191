import { mkdir, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { demoCredentials } from '../../lib/tool/demo/credentials.ts'
import { databaseOf, killDatabase } from '../support/database-process.ts'
import { startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder('trouble')
let twin: TwinProcess

beforeAll(async () => {
  await mkdir(join(folder, 'files'), { mode: 0o755 })
  await symlink('/dev/full', join(folder, 'service.log'))
  twin = await startTwinProcess(folder, { environment: { DEMO: 'no' } })
})

afterAll(async () => {
  await twin.stop('SIGKILL')
})

const stranger = { authid: 'nobody', token: `wka_${'0'.repeat(12)}_${'0'.repeat(64)}_00000000` }

const askAt = async (
  { connection }: TwinProcess,
  body: object = stranger,
): Promise<[status: number, word: unknown]> => {
  const response = await fetch(`${connection.url}/service/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [response.status, ((await response.json()) as { error: unknown }).error]
}
const ask = () => askAt(twin)
const served = [401, 'credentials_invalid']
const busy = [503, 'temporarily_unavailable']

test('without the demo no merchant may sign in, there is no shop, and only the address is printed', async () => {
  expect(twin.lines).toEqual([`ready ${twin.connection.url}`])
  const [demo] = demoCredentials()
  expect(await askAt(twin, { authid: demo?.authid, token: demo?.token })).toEqual(served)
  const start = await fetch(`${twin.connection.url}/`)
  expect([start.status, await start.json()]).toEqual([404, expect.objectContaining({ error: 'route_not_found' })])
})

test('a full disk is reported once, and the service continues', async () => {
  expect(await ask()).toEqual(served)
  expect(await ask()).toEqual(served)
  const warning = `${join(folder, 'service.log')} cannot be written, what belongs there is lost: ENOSPC`
  expect(twin.errors().split(warning)).toHaveLength(2)
})

test('only the owner may read the files', async () => {
  expect((await stat(join(folder, 'files'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'table.db'))).mode & 0o777).toBe(0o600)
})

test('a database that is killed is restarted; requests meanwhile get 503, later requests are served', async () => {
  const before = databaseOf(folder)
  killDatabase(folder)
  const answers = await Promise.all(Array.from({ length: 10 }, ask))
  for (const answer of answers) expect([served, busy]).toContainEqual(answer)
  while ((await ask())[0] === 503);
  expect(await ask()).toEqual(served)
  expect(databaseOf(folder)).not.toBe(before)
  expect(twin.errors()).toContain('the database ended (SIGKILL) and is started again\n')
})

test('a database that ends again and again is reported, and the twin stops with 1', async () => {
  const exited = new Promise(done => twin.child.once('exit', done))
  let isOver = false
  exited.then(() => {
    isOver = true
  })
  while (!isOver) {
    const pid = databaseOf(folder)
    if (pid) process.kill(pid, 'SIGKILL')
    await new Promise(setImmediate)
  }
  expect(await exited).toBe(1)
  expect(twin.errors()).toMatch(/the database ended 5 times soon after its start, at last: .*\n$/)
})

test('a twin continues when its output is no longer read', async () => {
  const own = join(folder, 'unread')
  await mkdir(own)
  await symlink('/dev/full', join(own, 'service.log'))
  const unread = await startTwinProcess(own, { environment: { DEMO: 'no' } })
  unread.child.stderr?.destroy()
  expect(await askAt(unread)).toEqual(served)
  expect(await askAt(unread)).toEqual(served)
  expect(await unread.stop()).toBe(0)
})
