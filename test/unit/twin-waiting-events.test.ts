import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type LocalFunction, localFunction } from '../../lib/twin/lambda/function.ts'
import { instanceLimiter } from '../../lib/twin/lambda/instance-limiter.ts'
import { TookTooLong } from '../../lib/twin/lambda/waiting-events.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const model = {
  ...{ name: 'f', arn: 'arn:f', bundle: '', handler: 'index.handler', environment: {}, statements: [] },
  ...{ timeoutSeconds: 25, memoryMb: 64 },
}
// Drawings begin, and end when the test releases them.
const source = `import { existsSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { setTimeout } from 'node:timers/promises'
  const folder = import.meta.dirname
  export const handler = async ({ rawPath }) => {
    if (rawPath.startsWith('/drawn-')) writeFileSync(join(folder, rawPath + '.begun'), '')
    if (rawPath.startsWith('/slow-')) await setTimeout(100)
    while (rawPath.startsWith('/drawn-') && !existsSync(join(folder, 'released'))) await setTimeout(5)
    return rawPath
  }`

let folder: string
let local: LocalFunction

beforeEach(async () => {
  folder = temporaryFolder('waiting')
  await writeFile(join(folder, 'index.mjs'), source)
  const log = new PassThrough().resume()
  const limits = { maxInstances: 4, limiter: instanceLimiter(8) }
  local = localFunction({ model, folder, environment: () => ({}), log, ...limits })
})
afterEach(() => local.close())

const get = (rawPath: string, limitMs?: number) =>
  local.invoke({ rawPath, rawQueryString: '', requestContext: { http: { method: 'GET' } } }, limitMs)
const begun = () => readdirSync(folder).filter(file => file.endsWith('.begun'))
const release = () => writeFile(join(folder, 'released'), '')
const draw = (count: number, limitMs?: number) =>
  Array.from({ length: count }, (_, n) => get(`/drawn-${n}`, limitMs).catch(error => error))

test('of 24 pictures that are asked for the first time two are drawn at once; one that was answered before waits for none', async () => {
  await get('/stored')
  const drawn = draw(24)
  await eventually(begun, ({ length }) => length >= 2)
  expect(await get('/stored')).toBe('/stored')
  expect(begun()).toHaveLength(2)
  await release()
  expect(await Promise.all(drawn)).toEqual(Array.from(drawn, (_, n) => `/drawn-${n}`))
})

test('an event is not served after its caller has given up', async () => {
  const drawn = draw(2)
  await eventually(begun, ({ length }) => length === 2)
  expect(await get('/drawn-late', 20).catch(error => error)).toBeInstanceOf(TookTooLong)
  await release()
  await Promise.all(drawn)
  await get('/stored')
  expect(begun().sort()).toEqual(['drawn-0.begun', 'drawn-1.begun'])
})

test('events whose turn would come too late are refused at once, with the time after which to repeat them', async () => {
  for (let n = 0; n < 4; n++) await get(`/slow-${n}`)
  const start = performance.now()
  const all = Array.from({ length: 80 }, (_, n) => get(`/slow-more-${n}`, 2000).catch(error => error))
  const late = (await all.at(-1)) as TookTooLong
  expect([late, late.seconds > 1]).toEqual([expect.any(TookTooLong), true])
  expect(performance.now() - start).toBeLessThan(2000)
  expect(await all[0]).toBe('/slow-more-0')
})
