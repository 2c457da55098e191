import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTwin } from '../../lib/twin/twin-file.ts'
import { newShop } from '../support/harness.ts'
import { startTwinProcess } from '../support/running-twin.ts'

/** Returns the exit code and stderr of a start that fails. */
const failureOf = async (environment: Record<string, string>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-refused-'))
  const failure = await startTwinProcess(folder, { environment, isSeeded: false }).then(
    async started => `started, and stopped with ${await started.stop()}`,
    (error: Error) => error.message,
  )
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  return failure
}

test('a folder that a running twin uses is refused in one line on any port, and the exit code is 1', async () => {
  const folder = process.env.TEST_TWIN ?? ''
  const running = await findTwin(folder)
  const refusal = `the twin stopped with 1: a service with its data in ${folder} is running already (process ${running?.pid}); stop it, or choose another folder with DATA_DIR=…\n`
  expect(await failureOf({ DATA_DIR: folder })).toBe(refusal)
  expect(await failureOf({ DATA_DIR: folder, PORT: new URL(running?.url ?? '').port })).toBe(refusal)
  expect(await findTwin(folder)).toEqual(running)
  expect((await newShop()).token).toMatch(/^wks_/)
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
