import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeClient, writeWhole } from '../../lib/client/build/write.ts'
import { routes } from '../../shared/contract/index.ts'
import { repeatOf } from '../../shared/contract/route.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'lib/client')
const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8')
const patience = 60_000

type Run = { code: number; out: string }

const run = (cwd: string, ...args: string[]): Promise<Run> =>
  new Promise(resolve => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr }),
    )
  })

beforeAll(writeClient, patience)

describe('the package of the typed client', () => {
  test('is written where it changed alone, so that nobody who follows its files sees more', () => {
    const made = mkdtempSync(join(tmpdir(), 'weinkontor-client-'))
    const file = (name: string) => join(made, name)
    for (const name of ['same.js', 'other.js', 'gone.js']) writeFileSync(file(name), 'old')
    utimesSync(file('same.js'), 1, 1)
    writeWhole(made, { 'same.js': 'old', 'other.js': 'new', 'more.js': 'new' })
    expect(readdirSync(made).toSorted()).toEqual(['more.js', 'other.js', 'same.js'])
    expect([readFileSync(file('other.js'), 'utf8'), statSync(file('same.js')).mtimeMs]).toEqual(['new', 1000])
    rmSync(made, { recursive: true })
  })

  test('has no dependencies, and brings the files that it names', () => {
    const { exports, types, files, type, license, ...more } = JSON.parse(read('package.json'))
    expect(Object.keys(more).filter(name => name.toLowerCase().includes('dependencies'))).toEqual([])
    expect({ type, license, files }).toEqual({ type: 'module', license: 'MIT', files: ['dist'] })
    for (const file of [...Object.values(exports['.']), types])
      expect(existsSync(join(folder, file as string))).toBe(true)
  })

  test('runs on what browsers and Node 18 have: it imports nothing and names nothing of Node', () => {
    const code = read('dist/index.js').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
    expect(code).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b|node:/)
    expect(code).toContain('createClient')
    // These came after Node 18.
    expect(code).not.toMatch(
      /withResolvers|AbortSignal\.any|Object\.groupBy|Map\.groupBy|\.toSorted\(|\.isWellFormed\(/,
    )
  })
})

describe('a shop that installs the client by its path', () => {
  const shop = mkdtempSync(join(tmpdir(), 'weinkontor-shop-'))
  afterAll(() => rmSync(shop, { recursive: true, force: true, maxRetries: 5 }))

  beforeAll(() => {
    // What `npm install PATH` does.
    mkdirSync(join(shop, 'node_modules'))
    symlinkSync(folder, join(shop, 'node_modules/weinkontor-client'), 'junction')
    writeFileSync(join(shop, 'package.json'), '{"type":"module"}')
  })

  test('can call the service from JavaScript', async () => {
    writeFileSync(
      join(shop, 'use.js'),
      `import { createClient, isError } from 'weinkontor-client'
      const fetch = async () => new Response('{"error":"wine_not_found","details":"None."}', { status: 404 })
      const client = createClient({ url: 'https://wine.example', fetch })
      await client.call('/wines/getPublic', { id: 1 }).catch(error => console.log(isError(error, 'wine_not_found')))`,
    )
    expect(await run(shop, 'use.js')).toEqual({ code: 0, out: 'true\n' })
  })

  test(
    'is refused by TypeScript what the routes refuse, and nothing else',
    async () => {
      const source = readFileSync(join(root, 'test/support/fixtures/typed-client.ts'), 'utf8')
      const written = source.replace('../../../lib/client/index.ts', 'weinkontor-client')
      const mistakes = written.match(/@ts-expect-error/g)?.length ?? 0
      writeFileSync(join(shop, 'right.ts'), written)
      writeFileSync(join(shop, 'wrong.ts'), written.replaceAll('@ts-expect-error', ''))
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      const { code, out } = await run(shop, compiler, ...options, 'right.ts', 'wrong.ts')
      const errors = out.split('\n').filter(line => /^\w+\.ts\(\d+,\d+\): error /.test(line))
      expect(code).not.toBe(0)
      expect(errors.filter(line => !line.startsWith('wrong.ts'))).toEqual([])
      expect(mistakes).toBeGreaterThan(10)
      expect(new Set(errors.map(line => line.split(',')[0])).size).toBe(mistakes)
    },
    patience,
  )
})

describe('what may be sent again', () => {
  const { permissions: nothing, files } = { permissions: {}, files: [] }

  test('is what a route says that writes, and whatever only reads', () => {
    expect(repeatOf({ permissions: nothing, files })).toBe('safe')
    expect(repeatOf({ permissions: { wine: ['get', 'query', 'batchGet', 'check', 'queryIndex'] }, files })).toBe('safe')
    for (const verb of ['put', 'update', 'delete'] as const) {
      expect(repeatOf({ permissions: { wine: ['get', verb] }, files })).toBeUndefined()
      expect(repeatOf({ permissions: { wine: [verb] }, files, repeat: 'with key' })).toBe('with key')
    }
    expect(repeatOf({ permissions: nothing, files: ['readPictures'] })).toBe('safe')
    expect(repeatOf({ permissions: nothing, files: ['writePictures'] })).toBeUndefined()
  })

  test('is said by few routes that write, each for a reason', () => {
    const said = routes.filter(({ repeat }) => repeat).map(({ path, repeat }) => `${path} ${repeat}`)
    expect(said.toSorted()).toEqual([
      '/Images/{kind}/{id}/{file} safe',
      '/PDF/{id}/{file} safe',
      '/service/checkouts/cancel safe',
      '/service/clients/login safe',
      '/service/login safe',
      '/service/orders/add with key',
      '/service/orders/checkout/cancel safe',
      '/service/orders/checkout/finish safe',
      '/service/payments/execute safe',
      '/service/wines/getExpertise safe',
      '/wines/downloadExpertise safe',
    ])
  })
})
