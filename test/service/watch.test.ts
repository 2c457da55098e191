import { appendFileSync, existsSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { createMerchant, listMerchants } from '../../lib/tool/merchants.ts'
import { findTwin } from '../../lib/twin/twin-file.ts'
import { eventually } from '../support/eventually.ts'
import { startTwinProcess, type TwinProcess, type TwinProcessOptions } from '../support/running-twin.ts'
import { copySources } from '../support/source-copy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Two functions that tell which instance serves, with which text, and a file that both load.
const changing = 'functions/unknown.ts'
const steady = 'functions/wines/getFilters.ts'
const common = 'shared/greeting.ts'

/** The source of such a function. */
const handler = (text: string) => `import { setTimeout } from 'node:timers/promises'
  import { threadId } from 'node:worker_threads'
  import { greeting } from '${text.startsWith('steady') ? '../..' : '..'}/shared/greeting.ts'
  export const handler = async ({ rawPath }) => {
    if (rawPath === '/slow') {
      console.log('slowly at work')
      await setTimeout(2000)
    }
    return { statusCode: 200, body: JSON.stringify({ text: greeting + ' ${text}', threadId }) }
  }\n`

type Reply = { text: string; threadId: number }

// A twin of this file's own, which follows a copy of the sources.
const sources = copySources()
const folder = temporaryFolder('watch')
let twin: TwinProcess

const ask = async (path: string): Promise<Reply> => (await (await fetch(twin.connection.url + path)).json()) as Reply

const start = async (more: TwinProcessOptions = {}) => {
  twin = await startTwinProcess(folder, { checkout: sources.folder, environment: { DEMO: 'no' }, ...more })
  actAsOperator(twin.connection)
}

beforeAll(async () => {
  sources.write(common, `export const greeting = 'hello'\n`)
  sources.write(changing, handler('one'))
  sources.write(steady, handler('steady'))
  await start({ flags: ['--watch'] })
  // A bundle is built when it is asked for.
  await ask('/service/addresses/get')
})

afterAll(async () => {
  await twin.stop('SIGKILL')
})

const textOf = async (path: string) => (await ask(path)).text
const untilText = (path: string, text: string) =>
  eventually(
    () => textOf(path),
    last => last === text,
  )
/** When a bundle was built last. */
const builtAt = (name: string): number => statSync(join(folder, 'build/bundles', name, 'index.mjs')).mtimeMs

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
  expect(await eventually(() => twin.errors().includes(position))).toBe(true)
  expect(await textOf('/nowhere')).toBe('moin four')
  sources.write(changing, handler('five'))
  expect(await untilText('/nowhere', 'moin five')).toBe('moin five')
})

test('a changed guide and a changed file of the reference page are served', async () => {
  const page = async () => (await fetch(`${twin.connection.url}/docs`)).text()
  const untilPage = (isRight: (text: string) => boolean) => eventually(page, isRight)
  const styleIn = (text: string) => /\/docs-assets\/page\.css[^"]*/.exec(text)?.[0] ?? ''
  const before = await page()
  sources.write('shared/reference/guides/limits.md', '# How much is too much\n\nA text.\n')
  expect(await untilPage(text => text.includes('How much is too much'))).toContain('<li>How much is too much</li>')
  sources.write('shared/reference/page/page.css', 'body { color: red }\n')
  const style = styleIn(await untilPage(text => styleIn(text) !== styleIn(before)))
  const served = async () => (await fetch(twin.connection.url + style)).text()
  expect(await eventually(served, text => text.includes('red'))).toBe('body { color: red }\n')
})

describe('a change of the contract', () => {
  const contract = 'shared/contract/routes/sign-in.ts'
  const route = (permissions: string) => `
    export const ping = route({
      path: '/ping', level: 'open', envelope: 'raw', permissions: ${permissions}, methods: [],
      body: v.unknown(), response: v.unknown(), summary: 'Reads an address.',
    })\n`
  const reply = async () => (await fetch(`${twin.connection.url}/ping`)).text()
  const until = (wanted: string) => eventually(reply, last => last === wanted)

  test('adds a new route and its function, with the permissions that it declares', async () => {
    const before = readFileSync(contract, 'utf8')
    sources.write(contract, before + route('{}'))
    sources.write(
      'functions/ping.ts',
      `import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
      const client = new DynamoDBClient({ maxAttempts: 1 })
      const Key = { pk: { S: 'm#7#addresses' }, sk: { S: '1' } }
      export const handler = async () => {
        const reading = client.send(new GetItemCommand({ TableName: process.env.TABLE_NAME, Key }))
        return { statusCode: 200, body: await reading.then(() => 'allowed', error => error.name) }
      }\n`,
    )
    expect(await until('AccessDeniedException')).toBe('AccessDeniedException')
    sources.write(contract, before + route(`{ address: ['get'] }`))
    expect(await until('allowed')).toBe('allowed')
  })

  test('that does not change the template leaves it alone', async () => {
    const said = () => twin.lines.filter(line => line.startsWith('took the changed template over')).length
    const manifest = join(folder, 'build/manifest.json')
    const synthesized = async () => JSON.parse(readFileSync(manifest, 'utf8')).products.template.inputDigest
    const before = { said: said(), synthesized: await synthesized() }
    appendFileSync(join(sources.folder, contract), '// a remark\n')
    sources.write(changing, handler('six'))
    expect(await untilText('/nowhere', 'moin six')).toBe('moin six')
    expect(await eventually(synthesized, digest => digest !== before.synthesized)).not.toBe(before.synthesized)
    expect(said()).toBe(before.said)
  })
})

test('the next start builds what changed meanwhile and what was damaged, and nothing else', async () => {
  expect(await twin.stop()).toBe(0)
  const others = builtAt('service/addresses/get')
  sources.write(steady, handler('steady two'))
  truncateSync(join(folder, 'build/bundles/unknown/index.mjs'), 1000)
  await start()
  expect(await textOf('/wines/getFilters')).toBe('moin steady two')
  expect(await textOf('/nowhere')).toBe('moin six')
  expect(builtAt('service/addresses/get')).toBe(others)
})

test('a start without --watch serves the code of its start', async () => {
  writeFileSync(join(sources.folder, changing), handler('seven'))
  await pause(1000)
  expect(await textOf('/nowhere')).toBe('moin six')
})

test('npm run dev restarts when a file of its process is replaced, and serves other changes without a restart', async () => {
  await twin.stop()
  await start({ program: 'bin/dev.ts' })
  const processes = async () => (await findTwin(folder))?.pid
  const first = await processes()
  sources.write(changing, handler('eight'))
  expect(await untilText('/nowhere', 'moin eight')).toBe('moin eight')
  expect(await processes()).toBe(first)
  for (const remark of ['// one\n', '// two\n']) {
    const before = await processes()
    const own = 'lib/shop/cookie-key.ts'
    sources.write(`${own}.tmp`, readFileSync(own, 'utf8') + remark)
    renameSync(join(sources.folder, `${own}.tmp`), join(sources.folder, own))
    const isAnother = (pid: number | undefined) => pid !== undefined && pid !== before
    expect(await eventually(processes, isAnother)).not.toBe(before)
  }
  expect(await twin.stop()).toBe(0)
  expect(await processes()).toBeUndefined()
})
