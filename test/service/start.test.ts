import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { demoCredentials } from '../../lib/tool/demo/credentials.ts'
import { twinFile } from '../../lib/twin/twin-file.ts'
import { twin as firstTwin } from '../support/harness.ts'
import { copyData, startTwinProcess, type TwinProcess } from '../support/running-twin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The first start of the folder was that of the twin of all tests.
const firstLines = JSON.parse(process.env.TEST_TWIN_LINES ?? '[]') as string[]

const folder = temporaryFolder('start')
let twin: TwinProcess

beforeAll(async () => {
  await copyData(join(process.env.TEST_TWIN ?? '', 'first-start'), folder)
  twin = await startTwinProcess(folder)
})

afterAll(async () => {
  await twin.stop('SIGKILL')
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

const usual = [
  ...demoCredentials().map(
    ({ name, authid, token, deskToken }) => `merchant ${name} authid ${authid} token ${token} desk token ${deskToken}`,
  ),
  expect.stringMatching(/^shop http:\/\/localhost:\d+\/$/),
  expect.stringMatching(/^ready http:\/\/localhost:\d+$/),
]

test('a first start imports the demo and prints the credentials, then that it is ready', async () => {
  expect(firstLines.slice(-usual.length)).toEqual(usual)
  expect(firstLines.filter(line => /^\d+ wines of /.test(line))).toHaveLength(demoCredentials().length)
  expect(await signIn(firstTwin)).toMatch(/^wks_/)
})

test('a later start keeps all records and imports nothing again', async () => {
  expect(twin.lines).toEqual(usual)
  const token = await signIn(twin.connection)
  const { totalCount } = await call(twin.connection, 'wines/getAll', {}, token)
  expect(totalCount).toBeGreaterThan(1000)
})

test('a clean stop ends with 0', async () => {
  expect(await twin.stop('SIGINT')).toBe(0)
  expect(existsSync(twinFile(folder))).toBe(false)
})
