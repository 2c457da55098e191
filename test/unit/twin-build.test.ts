import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { type Cache, openCache, type Product, writeWhole } from '../../lib/twin/build/cache.ts'
import { bundleQueue } from '../../lib/twin/build/queue.ts'
import { digestOf, digestOfFiles, ownInputs, readSources, type Sources } from '../../lib/twin/build/sources.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const sources: Sources = new Map([
  ['functions/a.ts', '1'],
  ['shared/b.ts', '2'],
  ['shared/c.ts', '3'],
])
const changed = (file: string, content?: string): Sources =>
  new Map([...sources, ...(content ? [[file, content] as const] : [])].filter(([name]) => content || name !== file))

describe('built bundles', () => {
  let folder: string
  const inputs = ['functions/a.ts', 'shared/b.ts']
  const product = (text: string): Product => ({
    inputs,
    inputDigest: digestOfFiles(sources, inputs),
    outputs: { 'index.mjs': digestOf(text) },
  })
  const open = (settings = 'settings'): Promise<Cache> => openCache(folder, settings)
  const file = (name: string) => join(folder, name)

  beforeEach(async () => {
    folder = temporaryFolder('cache')
    await writeWhole(file('bundles/a/index.mjs'), 'code')
    await (await open()).add([['bundles/a', product('code')]])
  })

  test('are used by the next start until a source file changes or is deleted', async () => {
    const cache = await open()
    expect(cache.isFresh('bundles/a', sources)).toBe(true)
    expect(cache.isFresh('bundles/a', changed('shared/c.ts', 'x'))).toBe(true)
    expect(cache.isFresh('bundles/a', changed('shared/b.ts', 'x'))).toBe(false)
    expect(cache.isFresh('bundles/a', changed('shared/b.ts'))).toBe(false)
    expect(cache.isFresh('bundles/b', sources)).toBe(false)
  })

  test('are not used under other settings', async () => {
    expect((await open('other')).has('bundles/a')).toBe(false)
  })

  test.each([
    ['cut off', 'cod'],
    ['changed', 'edoc'],
    ['empty', ''],
  ])('are not used if a file of them is %s', async (_, text) => {
    await writeFile(file('bundles/a/index.mjs'), text)
    expect((await open()).has('bundles/a')).toBe(false)
  })

  test('are not used if a file of them is deleted', async () => {
    await rm(file('bundles/a/index.mjs'))
    expect((await open()).has('bundles/a')).toBe(false)
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"settings":"settings"}',
    '{"settings":"settings","products":null}',
    '{"settings":"settings","products":{"bundles/a":{}}}',
  ])('are not used if the manifest is %j, and may be built again', async text => {
    await writeFile(file('manifest.json'), text)
    const cache = await open()
    expect(cache.has('bundles/a')).toBe(false)
    await cache.add([['bundles/a', product('code')]])
    expect((await open()).isFresh('bundles/a', sources)).toBe(true)
  })

  test('are all recorded, also concurrent additions', async () => {
    const cache = await open()
    const names = Array.from({ length: 20 }, (_, n) => `bundles/${n}`)
    for (const name of names) await writeWhole(file(`${name}/index.mjs`), name)
    await Promise.all(names.map(name => cache.add([[name, product(name)]])))
    const next = await open()
    expect(names.every(next.has)).toBe(true)
    expect(Object.keys(JSON.parse(await readFile(file('manifest.json'), 'utf8')).products)).toHaveLength(21)
  })
})

test('the sources are all files of the project that may be loaded, each with its own digest', async () => {
  const found = readSources()
  for (const name of ['functions/unknown.ts', 'shared/values/money.ts', 'lib/stack/service-stack.ts'])
    expect(found.get(name)).toBe(digestOf(await readFile(name)))
  expect([...found.keys()].some(name => name.startsWith('test/') || name.includes('node_modules'))).toBe(false)
})

test('the inputs of an entry point are its own files at any distance, used or not, and no packages', () => {
  const input = (...imports: object[]) => ({ bytes: 1, imports }) as Metafile['inputs'][string]
  const to = (path: string) => ({ path, kind: 'import-statement' })
  const inputs = {
    'functions/a.ts': input(to('shared/b.ts'), { ...to('node:fs'), external: true }),
    'shared/b.ts': input(to('shared/unused.ts'), to('node_modules/valibot/index.js'), to('functions/a.ts')),
    'shared/unused.ts': input(to('../elsewhere/node_modules/x/index.js'), to('../outside.ts')),
    'shared/other.ts': input(),
    'node_modules/valibot/index.js': input(to('node_modules/valibot/more.js')),
  }
  const own = ownInputs({ inputs, outputs: {} } as Metafile, 'functions/a.ts')
  expect(own).toEqual(['functions/a.ts', 'shared/b.ts', 'shared/unused.ts'])
})

describe('the queue of bundles', () => {
  /** A queue whose builds end when the test says so. */
  const newQueue = () => {
    const builds: { name: string; isInUse: boolean; end(also?: string[], error?: Error): void }[] = []
    const made: string[] = []
    const lines: string[] = []
    const reports: unknown[] = []
    const rests: number[] = []
    const queue = bundleQueue({
      makeBundle: (name, isInUse) =>
        new Promise((done, failed) => {
          builds.push({ name, isInUse, end: (also = [], error) => (error ? failed(error) : done([name, ...also])) })
        }),
      bundleMade: name => made.push(name),
      report: async error => {
        reports.push(error)
      },
      say: line => lines.push(line),
      rest: async () => {
        rests.push(builds.length)
      },
    })
    /** Ends the present build, so that the next begins. */
    const end = async (also?: string[], error?: Error) => {
      builds.at(-1)?.end(also, error)
      await new Promise(setImmediate)
    }
    const isDone = async (promise: Promise<void>) =>
      Promise.race([promise.then(() => true), new Promise(setImmediate).then(() => false)])
    const inUse = () => builds.filter(({ isInUse }) => isInUse).map(({ name }) => name)
    return { queue, builds: () => builds.map(({ name }) => name), inUse, made, lines, reports, rests, end, isDone }
  }

  test('builds nothing that nobody asked for', async () => {
    const { queue, builds } = newQueue()
    queue.set(['a', 'b'])
    await queue.wait('c')
    await queue.idle()
    expect(builds()).toEqual([])
  })

  test('builds what was asked for one after the other, reports the number at the end, and then rests', async () => {
    const { queue, builds, made, lines, rests, end } = newQueue()
    queue.set(['a', 'b', 'c'])
    queue.wait('a')
    queue.wait('b')
    expect(builds()).toEqual(['a'])
    await end()
    expect([builds(), made, rests]).toEqual([['a', 'b'], ['a'], []])
    await end()
    await queue.idle()
    expect([lines, rests]).toEqual([[expect.stringMatching(/^built 2 functions in \d+\.\d s$/)], [2]])
    queue.wait('c')
    await end()
    await queue.idle()
    expect([lines[1], rests]).toEqual([expect.stringMatching(/^built c in /), [2, 3]])
  })

  test('builds a bundle first that a request waits for, and resolves the wait when it is built', async () => {
    const { queue, builds, end, isDone } = newQueue()
    queue.set(['a', 'b', 'c'])
    queue.wait('a')
    queue.wait('b')
    const waiting = queue.wait('c')
    await end()
    expect(builds()).toEqual(['a', 'c'])
    expect(await isDone(waiting)).toBe(false)
    await end()
    expect(await isDone(waiting)).toBe(true)
    expect(await isDone(queue.wait('c'))).toBe(true)
    expect(builds()).toEqual(['a', 'c', 'b'])
  })

  test('resolves the wait for a bundle that was built together with another bundle', async () => {
    const { queue, builds, made, end, isDone } = newQueue()
    queue.set(['a', 'b', 'c'])
    const waiting = [queue.wait('a'), queue.wait('c')] as const
    await end(['b', 'c'])
    expect(await isDone(waiting[1])).toBe(true)
    expect(await isDone(queue.wait('b'))).toBe(true)
    expect([builds(), made]).toEqual([['a'], ['a', 'b', 'c']])
  })

  test('rebuilds at once what was asked for before, and treats the last four as in use', async () => {
    const { queue, builds, inUse, end } = newQueue()
    for (const name of ['c', 'e', 'f', 'g', 'd', 'e']) await queue.wait(name)
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    queue.set(names)
    for (const _ of names) await end()
    expect(builds()).toEqual(['e', 'd', 'g', 'f', 'c'])
    expect(inUse()).toEqual(['e', 'd', 'g', 'f'])
  })

  test('reports a failure, resolves its waits, and continues', async () => {
    const { queue, builds, made, reports, lines, end, isDone } = newQueue()
    queue.set(['a', 'b'])
    const waiting = queue.wait('a')
    queue.wait('b')
    const error = new Error('a mistake')
    await end([], error)
    expect([reports, await isDone(waiting), builds()]).toEqual([[error], true, ['a', 'b']])
    await end()
    await queue.idle()
    expect([made, lines]).toEqual([['b'], [expect.stringMatching(/^built b in /)]])
  })

  test('rebuilds a bundle that changed while it was being built, before it resolves a wait', async () => {
    const { queue, builds, end, isDone } = newQueue()
    queue.set(['a', 'b'])
    const waiting = queue.wait('a')
    queue.set(['a', 'b'])
    await end(['b'])
    expect([builds(), await isDone(waiting)]).toEqual([['a', 'a'], false])
    await end()
    expect(await isDone(waiting)).toBe(true)
    queue.wait('b')
    expect(builds()).toEqual(['a', 'a', 'b'])
  })

  test('drops a bundle whose sources are as before', async () => {
    const { queue, builds, end, isDone } = newQueue()
    queue.set(['a', 'b'])
    queue.wait('a')
    const waiting = queue.wait('b')
    queue.set([])
    expect(await isDone(waiting)).toBe(true)
    await end()
    await queue.idle()
    expect(builds()).toEqual(['a'])
  })
})
