import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { collectionOf } from '../../lib/postman.ts'
import { routes } from '../../shared/contract/routes/index.ts'
import { openApiDocument } from '../../shared/reference/document.ts'
import { guides } from '../../shared/reference/guides.ts'
import type { Json } from '../support/harness.ts'
import { copySources } from '../support/source-copy.ts'

const root = join(import.meta.dirname, '../..')
const document: Json = openApiDocument({ baseUrl: 'https://service.test' })
const operations = routes.flatMap(({ path, documentedPaths = [path], methods }) =>
  documentedPaths.flatMap(() => methods),
)

test('a strict linter finds nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const config = join(root, 'test/support/redocly.yaml')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { code, out } = await new Promise<{ code: number; out: string }>(done => {
    const child = execFile(process.execPath, [linter, 'lint', '--config', config, file], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, out: stdout + stderr }),
    )
  })
  rmSync(folder, { recursive: true })
  expect({ code, out: code === 0 ? '' : out.slice(0, 3000) }).toEqual({ code: 0, out: '' })
})

test('a collection for Postman and Bruno has the guides and every operation, with an example of its request', async () => {
  const collection: Json = collectionOf(document)
  const empty: Json[] = collection.item.filter(({ item }: Json) => item?.length === 0)
  expect(empty.map(({ name }) => name)).toEqual(guides.map(({ title }) => `Guide: ${title}`))
  const requests = (items: Json[]): Json[] => items.flatMap(one => (one.item ? requests(one.item) : [one]))
  const all = requests(collection.item)
  expect(all).toHaveLength(operations.length)
  const add = all.find(({ request }) => request.url.path.join('/') === 'service/orders/add')
  expect(JSON.parse(add.request.body.raw).data).toMatchObject({ payment_type: 'prepaid', billing: { city: 'Dresden' } })
})

const sources = copySources()

test('npm run openapi and a bundle of functions leave the files of each other alone', async () => {
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: sources.folder })
  const bundle = `import { bundleFunctions } from './lib/stack/bundle.ts'
    await bundleFunctions({ names: ['openapi.json'] })`
  const write = async () => (await run('bin/openapi.ts')).stdout.trim().split('\n')
  const written = await write()
  expect(written).toHaveLength(2)
  await run('--input-type=module', '-e', bundle)
  expect(written.filter(file => !existsSync(file))).toEqual([])
  expect(await write()).toEqual(written)
})
