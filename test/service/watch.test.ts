import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createMerchant, listMerchants } from '../../lib/tool/merchants.ts'
import { eventually } from '../support/eventually.ts'
import { changing, common, handler, watchedTwin } from '../support/watched-twin.ts'

const { sources, folder, twin, ask, textOf, untilText, builtAt } = await watchedTwin()

test('a saved change is served by new instances; the data and the instances of other functions stay', async () => {
  const account = await createMerchant({ name: 'Weingut Beständig' })
  const [before, other] = [await ask('/nowhere'), await ask('/wines/getFilters')]
  expect(before.text).toBe('hello one')
  const others = builtAt('service/addresses/get')
  sources.write(changing, handler('two'))
  expect(await untilText('/nowhere', 'hello two')).toBe('hello two')
  expect((await ask('/nowhere')).threadId).not.toBe(before.threadId)
  expect(await ask('/wines/getFilters')).toEqual(other)
  expect(builtAt('service/addresses/get')).toBe(others)
  expect((await listMerchants()).map(({ authid }) => authid)).toEqual([account.authid])
})

test('a request ends with the code that it began with', async () => {
  const slow = ask('/slow')
  const log = join(folder, 'service.log')
  // The first line makes the file.
  await eventually(() => existsSync(log) && readFileSync(log, 'utf8').includes('slowly at work'), Boolean, 20)
  sources.write(changing, handler('three'))
  expect(await untilText('/nowhere', 'hello three')).toBe('hello three')
  const { text } = await slow
  expect(text).toBe('hello two')
})

test('a changed file that functions share changes all of them, and only them', async () => {
  const others = builtAt('service/addresses/get')
  sources.write(common, `export const greeting = 'moin'\n`)
  expect(await untilText('/nowhere', 'moin three')).toBe('moin three')
  expect(await untilText('/wines/getFilters', 'moin steady')).toBe('moin steady')
  expect(builtAt('service/addresses/get')).toBe(others)
})

test('a file that an editor replaces is detected like one that it writes', async () => {
  sources.write('functions/unknown.ts.tmp', handler('four'))
  renameSync(join(sources.folder, `${changing}.tmp`), join(sources.folder, changing))
  expect(await untilText('/nowhere', 'moin four')).toBe('moin four')
})

test('an error is shown with its position, and the previous code continues to serve', async () => {
  sources.write(changing, 'export const handler = async () => {')
  const position = 'functions/unknown.ts:1:36'
  expect(await eventually(() => twin().errors().includes(position))).toBe(true)
  expect(await textOf('/nowhere')).toBe('moin four')
  sources.write(changing, handler('five'))
  expect(await untilText('/nowhere', 'moin five')).toBe('moin five')
})
