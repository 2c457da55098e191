import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoCredentials } from '../../lib/tool/demo/setup.ts'
import { twinFile } from '../../lib/twin/twin-file.ts'
import { startTwinProcess, type TwinProcess } from '../support/running-twin.ts'

// Built once for all tests; only the first start here builds its own, as a person's does.
const built = { BUNDLES: process.env.TEST_BUNDLES ?? '' }

let folder: string
let first: TwinProcess
let second: TwinProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weinkontor-start-'))
  first = await startTwinProcess(folder)
}, 240_000)

afterAll(async () => {
  await first.stop('SIGKILL')
  await second?.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const [demo] = demoCredentials()

const call = async (twin: TwinProcess, route: string, body: object, token = ''): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const options = { method: 'POST', headers, body: JSON.stringify(body) }
  return (await (await fetch(`${twin.access.url}/service/${route}`, options)).json()) as Record<string, unknown>
}

const signIn = async (twin: TwinProcess): Promise<string> => {
  const { token } = await call(twin, 'login', { authid: demo?.authid, token: demo?.token })
  return token as string
}

/** How a start went that did not come to be ready: exit code and what stood on stderr. */
const failureOf = async (environment: Record<string, string>): Promise<string> => {
  const empty = await mkdtemp(join(folder, 'refused-'))
  return startTwinProcess(empty, { ...built, ...environment }).then(
    async started => `started, and stopped with ${await started.stop()}`,
    (error: Error) => error.message,
  )
}

const usual = [
  ...demoCredentials().map(({ name, authid, token }) => `merchant ${name} authid ${authid} token ${token}`),
  expect.stringMatching(/^ready http:\/\/localhost:\d+$/),
]

test('a first start brings the demo in and says who may sign in, then that it is ready', async () => {
  expect(first.lines.slice(-usual.length)).toEqual(usual)
  expect(first.lines.filter(line => /^\d+ wines of /.test(line))).toHaveLength(demoCredentials().length)
  expect(await signIn(first)).toMatch(/^wks_/)
})

test('a clean stop ends with 0, and a next start has everything as it was and brings nothing in again', async () => {
  const token = await signIn(first)
  const { totalCount } = await call(first, 'wines/getAll', {}, token)
  expect(await first.stop('SIGINT')).toBe(0)
  expect(existsSync(twinFile(folder))).toBe(false)

  second = await startTwinProcess(folder, built)
  expect(second.lines).toEqual(usual)
  expect(await call(second, 'check/login', {}, token)).toMatchObject({ info: 'success' })
  expect(await call(second, 'wines/getAll', {}, token)).toMatchObject({ totalCount })
}, 240_000)

test('a port that is taken is named in one line, and the exit code is 1', async () => {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const port = String((server.address() as AddressInfo).port)
  const failure = await failureOf({ PORT: port })
  server.close()
  expect(failure).toBe(`the twin stopped with 1: port ${port} is taken; choose another with PORT=…\n`)
}, 240_000)

test.each(['http', '70000', '-1', ''])('PORT=%s is refused in one line, and the exit code is 1', async port => {
  expect(await failureOf({ PORT: port })).toBe(
    `the twin stopped with 1: PORT must be a number up to 65535, not ${port}\n`,
  )
}, 30_000)
