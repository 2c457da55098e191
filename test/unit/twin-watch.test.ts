import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { build as bundle } from 'esbuild'
import type { Build } from '../../lib/twin/build/build.ts'
import { stopBundler } from '../../lib/twin/build/make.ts'
import { ownInputs, root } from '../../lib/twin/build/sources.ts'
import { watchSources } from '../../lib/twin/build/watch.ts'

const touch = () => utimesSync(join(root, 'functions/unknown.ts'), new Date(), new Date())

test('the bundler forgets what it has read when nothing has changed for a while, not before it has built', async () => {
  const acts: string[] = []
  const closed = Promise.withResolvers<void>()
  const build = {
    template: () => ({ Resources: {} }),
    outdated: () => ({ bundles: ['unknown'], template: false }),
    makeBundles: async () => {
      await new Promise(done => setTimeout(done, 50))
      acts.push('built')
    },
    close: async () => {
      await stopBundler()
      acts.push('forgot')
      closed.resolve()
    },
  } satisfies Partial<Build>
  const listener = {
    bundleMade: () => {},
    templateMade: () => {},
    say: () => {},
    fail: (text: string) => acts.push(text),
  }
  const watching = await watchSources(build as unknown as Build, listener, 10)
  touch()
  await closed.promise
  expect(acts).toEqual(['built', 'forgot'])
  await watching.close()
  await stopBundler()
})

test('npm run dev follows every file that its process loads, and serves pages without a start', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const paths = [...scripts.dev.matchAll(/--watch-path=(\S+)/g)].map(([, path]) => path)
  const isFollowed = (file: string) => paths.some(path => file === path || file.startsWith(`${path}/`))
  const { metafile } = await bundle({
    ...{ absWorkingDir: root, entryPoints: ['bin/serve.ts'], outdir: 'unwritten', write: false, metafile: true },
    ...{ bundle: true, format: 'esm', platform: 'node', packages: 'external' },
  })
  const loaded = ownInputs(metafile, 'bin/serve.ts')
  expect(loaded).toContain('lib/shop/records.ts')
  // A change of shared code builds the functions anew instead.
  expect(loaded.filter(file => !file.startsWith('shared/') && !isFollowed(file))).toEqual([])
  expect(isFollowed('lib/shop/pages/index.html')).toBe(false)
})
