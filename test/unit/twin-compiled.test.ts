import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { startInstance } from '../../lib/twin/lambda/instance.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const model = {
  name: 'f',
  arn: 'arn:f',
  bundle: '',
  handler: 'index.handler',
  environment: {},
  statements: [],
  timeoutSeconds: 15,
  memoryMb: 64,
}
const log = new PassThrough().resume()

let folder: string
let compiled: string

beforeEach(() => {
  folder = temporaryFolder('compiled')
  compiled = join(folder, 'compiled')
})

const write = (value: number) =>
  writeFile(join(folder, 'index.mjs'), `export const handler = async () => [${value}, process.env]`)

/** The files of compiled code, by their paths. */
const files = async (): Promise<string[]> => {
  const entries = await readdir(compiled, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Returns the answer of a new instance. */
const answer = async (): Promise<unknown> => {
  const instance = startInstance({ model, folder, environment: {}, compiled, log })
  const value = JSON.parse((await instance.run('{}')) ?? '')
  // A second event is served when the work after the first event is done.
  await instance.run('{}')
  await instance.close()
  return value
}

test('the code that an instance compiled is cached for the next instance, which does not compile it again', async () => {
  await write(1)
  expect(await answer()).toEqual([1, {}])
  const [kept = '', ...others] = await files()
  expect([kept === '', others]).toEqual([false, []])
  const { mtimeMs, ino } = await stat(kept)
  expect(await answer()).toEqual([1, {}])
  expect(await files()).toEqual([kept])
  expect(await stat(kept)).toMatchObject({ mtimeMs, ino })
})

test('code compiled from another source is not used', async () => {
  await write(1)
  await answer()
  await write(2)
  expect(await answer()).toEqual([2, {}])
})

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['empty', () => Buffer.of()],
  ['cut off', bytes => bytes.subarray(0, bytes.length / 2)],
  ['changed', bytes => bytes.fill(bytes.subarray(0, 64), 64)],
  ['something else', () => Buffer.from('{}'.repeat(1000))],
])('a cache of compiled code that is %s does no harm', async (_, damage) => {
  await write(1)
  await answer()
  const [kept = ''] = await files()
  await writeFile(kept, damage(await readFile(kept)))
  expect(await answer()).toEqual([1, {}])
})

test('an instance that cannot write its compiled code still serves requests', async () => {
  await write(1)
  await writeFile(compiled, 'a file in place of the folder')
  expect(await answer()).toEqual([1, {}])
})
