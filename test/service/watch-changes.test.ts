import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findTwin } from '../../lib/twin/twin-file.ts'
import { eventually } from '../support/eventually.ts'
import { changing, handler, steady, watchedTwin } from '../support/watched-twin.ts'

const { sources, folder, start, twin, textOf, untilText, builtAt } = await watchedTwin()

test('a changed guide and a changed file of the reference page are served', async () => {
  const page = async () => (await fetch(`${twin().connection.url}/docs`)).text()
  const untilPage = (isRight: (text: string) => boolean) => eventually(page, isRight)
  const styleIn = (text: string) => /\/docs-assets\/page\.css[^"]*/.exec(text)?.[0] ?? ''
  const before = await page()
  sources.write('shared/reference/guides/limits.md', '# How much is too much\n\nA text.\n')
  expect(await untilPage(text => text.includes('How much is too much'))).toContain('<li>How much is too much</li>')
  sources.write('shared/reference/page/page.css', 'body { color: red }\n')
  const style = styleIn(await untilPage(text => styleIn(text) !== styleIn(before)))
  const served = async () => (await fetch(twin().connection.url + style)).text()
  expect(await eventually(served, text => text.includes('red'))).toBe('body { color: red }\n')
})

describe('a change of the contract', () => {
  const contract = 'shared/contract/routes/sign-in.ts'
  const route = (permissions: string) => `
    export const ping = route({
      path: '/ping', level: 'open', envelope: 'raw', permissions: ${permissions}, methods: [],
      body: v.unknown(), response: v.unknown(), summary: 'Reads an address.',
    })\n`
  const reply = async () => (await fetch(`${twin().connection.url}/ping`)).text()
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
    const said = () => twin().lines.filter(line => line.startsWith('took the changed template over')).length
    const manifest = join(folder, 'build/manifest.json')
    const synthesized = async () => JSON.parse(readFileSync(manifest, 'utf8')).products.template.inputDigest
    const before = { said: said(), synthesized: await synthesized() }
    appendFileSync(join(sources.folder, contract), '// a remark\n')
    sources.write(changing, handler('six'))
    expect(await untilText('/nowhere', 'hello six')).toBe('hello six')
    expect(await eventually(synthesized, digest => digest !== before.synthesized)).not.toBe(before.synthesized)
    expect(said()).toBe(before.said)
  })
})

test('the next start builds what changed meanwhile and what was damaged, and nothing else', async () => {
  expect(await twin().stop()).toBe(0)
  const others = builtAt('service/addresses/get')
  sources.write(steady, handler('steady two'))
  truncateSync(join(folder, 'build/bundles/unknown/index.mjs'), 1000)
  await start()
  expect(await textOf('/wines/getFilters')).toBe('hello steady two')
  expect(await textOf('/nowhere')).toBe('hello six')
  expect(builtAt('service/addresses/get')).toBe(others)
})

test('a start without --watch serves the code of its start', async () => {
  writeFileSync(join(sources.folder, changing), handler('seven'))
  await pause(1000)
  expect(await textOf('/nowhere')).toBe('hello six')
})

test('npm run dev restarts when a file of its process is replaced, and serves other changes without a restart', async () => {
  await twin().stop()
  await start({ program: 'bin/dev.ts' })
  const processes = async () => (await findTwin(folder))?.pid
  const first = await processes()
  sources.write(changing, handler('eight'))
  expect(await untilText('/nowhere', 'hello eight')).toBe('hello eight')
  expect(await processes()).toBe(first)
  for (const remark of ['// one\n', '// two\n']) {
    const before = await processes()
    const own = 'lib/shop/cookie-key.ts'
    sources.write(`${own}.tmp`, readFileSync(own, 'utf8') + remark)
    renameSync(join(sources.folder, `${own}.tmp`), join(sources.folder, own))
    const isAnother = (pid: number | undefined) => pid !== undefined && pid !== before
    expect(await eventually(processes, isAnother)).not.toBe(before)
  }
  expect(await twin().stop()).toBe(0)
  expect(await processes()).toBeUndefined()
})
