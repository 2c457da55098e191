import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoCredentials } from '../../lib/tool/demo/credentials.ts'
import { findTwin, twinFile } from '../../lib/twin/twin-file.ts'
import { twin as firstTwin } from '../support/harness.ts'
import { copyData, startTwinProcess, type TwinProcess } from '../support/running-twin.ts'

// The first start of the folder was that of the twin of all tests.
const firstLines = JSON.parse(process.env.TEST_TWIN_LINES ?? '[]') as string[]

let folder: string
let twin: TwinProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weinkontor-start-'))
  await copyData(join(process.env.TEST_TWIN ?? '', 'first-start'), folder)
  twin = await startTwinProcess(folder)
})

afterAll(async () => {
  await twin.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const [demo] = demoCredentials()

const call = async (
  { url }: { url: string },
  route: string,
  body: object,
  token = '',
): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${url}/service/${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Record<string, unknown>
}

const signIn = async (at: { url: string }): Promise<string> => {
  const { token } = await call(at, 'login', { authid: demo?.authid, token: demo?.token })
  return token as string
}

/** Returns the exit code and stderr of a start that fails. */
const failureOf = async (environment: Record<string, string>): Promise<string> => {
  const empty = await mkdtemp(join(folder, 'refused-'))
  return startTwinProcess(empty, { environment }).then(
    async started => `started, and stopped with ${await started.stop()}`,
    (error: Error) => error.message,
  )
}

const usual = [
  ...demoCredentials().map(({ name, authid, token }) => `merchant ${name} authid ${authid} token ${token}`),
  expect.stringMatching(/^shop http:\/\/localhost:\d+\/$/),
  expect.stringMatching(/^ready http:\/\/localhost:\d+$/),
]

test('a first start brings the demo in and says who may sign in, then that it is ready', async () => {
  expect(firstLines.slice(-usual.length)).toEqual(usual)
  expect(firstLines.filter(line => /^\d+ wines of /.test(line))).toHaveLength(demoCredentials().length)
  expect(await signIn(firstTwin)).toMatch(/^wks_/)
})

test('a clean stop ends with 0, and a next start has everything as it was and brings nothing in again', async () => {
  expect(twin.lines).toEqual(usual)
  const token = await signIn(twin.connection)
  const { totalCount } = await call(twin.connection, 'wines/getAll', {}, token)
  expect(totalCount).toBeGreaterThan(1000)
  expect(await twin.stop('SIGINT')).toBe(0)
  expect(existsSync(twinFile(folder))).toBe(false)

  twin = await startTwinProcess(folder)
  expect(twin.lines).toEqual(usual)
  expect(await call(twin.connection, 'check/login', {}, token)).toMatchObject({ info: 'success' })
  expect(await call(twin.connection, 'wines/getAll', {}, token)).toMatchObject({ totalCount })
})

test('a folder that a running twin has is refused in one line on any port, and the exit code is 1', async () => {
  const { pid, url } = twin.connection
  const refusal = `the twin stopped with 1: a service with its data in ${folder} is running already (process ${pid}); stop it, or choose another folder with DATA_DIR=…\n`
  expect(await failureOf({ DATA_DIR: folder })).toBe(refusal)
  expect(await failureOf({ DATA_DIR: folder, PORT: new URL(url).port })).toBe(refusal)
  expect(await findTwin(folder)).toEqual(twin.connection)
  expect(await signIn(twin.connection)).toMatch(/^wks_/)
})

test('the folder of a twin that was killed is free immediately', async () => {
  await twin.stop('SIGKILL')
  expect(existsSync(twinFile(folder))).toBe(true)
  twin = await startTwinProcess(folder)
  expect(twin.lines).toEqual(usual)
})

test('a port that is taken is named in one line, and the exit code is 1', async () => {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const port = String((server.address() as AddressInfo).port)
  const failure = await failureOf({ PORT: port })
  server.close()
  expect(failure).toBe(`the twin stopped with 1: port ${port} is taken; choose another with PORT=…\n`)
})

test.each(['http', '70000', '-1', ''])('PORT=%s is refused in one line, and the exit code is 1', async port => {
  expect(await failureOf({ PORT: port })).toBe(
    `the twin stopped with 1: PORT must be a number up to 65535, not ${port}\n`,
  )
})

test('DEMO=maybe is refused in one line, and the exit code is 1', async () => {
  expect(await failureOf({ DEMO: 'maybe' })).toBe('the twin stopped with 1: DEMO must be yes or no, not maybe\n')
})
