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
import { repeatOf } from '../../shared/contract/route.ts'
import { routes } from '../../shared/contract/routes/index.ts'

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
  test('is written only where it changed, so that watchers of its files see no other change', () => {
    const made = mkdtempSync(join(tmpdir(), 'weinkontor-client-'))
    const file = (name: string) => join(made, name)
    for (const name of ['same.js', 'other.js', 'gone.js']) writeFileSync(file(name), 'old')
    utimesSync(file('same.js'), 1, 1)
    writeWhole(made, { 'same.js': 'old', 'other.js': 'new', 'more.js': 'new' })
    expect(readdirSync(made).toSorted()).toEqual(['more.js', 'other.js', 'same.js'])
    expect([readFileSync(file('other.js'), 'utf8'), statSync(file('same.js')).mtimeMs]).toEqual(['new', 1000])
    rmSync(made, { recursive: true })
  })

  test('has no dependencies, and contains the files that it names', () => {
    const { exports, types, files, type, license, ...more } = JSON.parse(read('package.json'))
    expect(Object.keys(more).filter(name => name.toLowerCase().includes('dependencies'))).toEqual([])
    expect({ type, license, files }).toEqual({ type: 'module', license: 'MIT', files: ['dist'] })
    for (const file of [...Object.values(exports['.']), types])
      expect(existsSync(join(folder, file as string))).toBe(true)
  })

  test('runs in browsers and Node 18: it imports nothing and uses nothing of Node', () => {
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
    // As `npm install PATH` does.
    mkdirSync(join(shop, 'node_modules'))
    symlinkSync(folder, join(shop, 'node_modules/weinkontor-client'), 'junction')
    writeFileSync(join(shop, 'package.json'), '{"type":"module"}')
  })

  const examples = (language: string) =>
    [...read('README.md').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text)

  test('can run the JavaScript example of the README', async () => {
    const answers = `const answers = {
      '/service/login': { token: 'wks', expires: '2099-01-01 00:00:00' },
      '/service/wines/getAll': { totalCount: 72, data: [{ name: 'Riesling', gross: '8.90' }] },
      '/service/wines/get': { data: { name: 'Riesling', image: '/Images/wine/1/a.webp' } },
    }
    globalThis.fetch = async url => Response.json(answers[new URL(url).pathname])
    process.env.WINE_TOKEN = 'wka'\n`
    writeFileSync(join(shop, 'use.js'), answers + examples('js').join('\n'))
    const shown = "72 [ 'Riesling 8.90' ]\nRiesling http://localhost:3000/Images/wine/1/a.webp\n"
    expect(await run(shop, 'use.js')).toEqual({ code: 0, out: shown })
  })

  test(
    'is refused by TypeScript what the routes refuse, and nothing else; the examples of the README compile',
    async () => {
      const source = readFileSync(join(root, 'test/support/fixtures/typed-client.ts'), 'utf8')
      const written = source.replace('../../../lib/client/index.ts', 'weinkontor-client')
      const mistakes = written.match(/@ts-expect-error/g)?.length ?? 0
      writeFileSync(join(shop, 'right.ts'), written)
      writeFileSync(join(shop, 'wrong.ts'), written.replaceAll('@ts-expect-error', ''))
      const declared = 'declare const process: { env: Record<string, string> }\ndeclare const uuid: string\n'
      writeFileSync(join(shop, 'readme.ts'), declared + examples('ts').join('\n'))
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      const { code, out } = await run(shop, compiler, ...options, 'right.ts', 'wrong.ts', 'readme.ts')
      const errors = out.split('\n').filter(line => /^\w+\.ts\(\d+,\d+\): error /.test(line))
      expect(code).not.toBe(0)
      expect(errors.filter(line => !line.startsWith('wrong.ts'))).toEqual([])
      expect(mistakes).toBeGreaterThan(10)
      expect(new Set(errors.map(line => line.split(',')[0])).size).toBe(mistakes)
    },
    patience,
  )
})

describe('the routes that are repeated', () => {
  const { permissions: nothing, files } = { permissions: {}, files: [] }

  test('are those that only read, and writing routes that declare it', () => {
    expect(repeatOf({ permissions: nothing, files })).toBe('safe')
    expect(repeatOf({ permissions: { wine: ['get', 'query', 'batchGet', 'check', 'queryIndex'] }, files })).toBe('safe')
    for (const verb of ['put', 'update', 'delete'] as const) {
      expect(repeatOf({ permissions: { wine: ['get', verb] }, files })).toBeUndefined()
      expect(repeatOf({ permissions: { wine: [verb] }, files, repeat: 'with key' })).toBe('with key')
    }
    expect(repeatOf({ permissions: nothing, files: ['readPictures'] })).toBe('safe')
    expect(repeatOf({ permissions: nothing, files: ['writePictures'] })).toBeUndefined()
  })

  test('include few routes of shops that write', () => {
    const said = routes.filter(({ role, repeat }) => repeat && !role).map(({ path, repeat }) => `${path} ${repeat}`)
    expect(said.toSorted()).toEqual([
      '/Images/{kind}/{id}/{file} safe',
      '/PDF/{id}/{file} safe',
      '/service/checkouts/cancel safe',
      '/service/clients/login safe',
      '/service/login safe',
      '/service/orders/add with key',
      '/service/orders/checkout/cancel safe',
      '/service/orders/checkout/finish safe',
      '/service/orders/getDocument safe',
      '/service/payments/execute safe',
      '/service/wines/getExpertise safe',
      '/service/wines/rollOver safe',
      '/wines/downloadExpertise safe',
    ])
  })
})
