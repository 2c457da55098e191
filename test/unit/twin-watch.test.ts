import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Build } from '../../lib/twin/build/build.ts'
import { openBundler } from '../../lib/twin/build/bundler.ts'
import { restartsFor } from '../../lib/twin/build/inputs.ts'
import { stopBundler } from '../../lib/twin/build/make.ts'
import { root } from '../../lib/twin/build/sources.ts'
import { watchSources } from '../../lib/twin/build/watch.ts'

const touch = () => utimesSync(join(root, 'functions/unknown.ts'), new Date(), new Date())

test('the bundler frees its memory when nothing has changed for a while, but not before its first build', async () => {
  const acts: string[] = []
  const closed = Promise.withResolvers<void>()
  const build = {
    template: () => ({ Resources: {} }),
    outdated: () => ({ bundles: ['unknown'], template: false }),
    makeBundle: async name => {
      await new Promise(done => setTimeout(done, 50))
      acts.push('built')
      return [name]
    },
    close: async () => {
      await stopBundler()
      acts.push('forgot')
      closed.resolve()
    },
  } satisfies Partial<Build>
  const bundler = openBundler(build as unknown as Build, { bundleMade: () => {}, fail: text => acts.push(text) })
  await bundler.prepare('unknown')
  const stop = await watchSources(build as unknown as Build, bundler, { templateMade: () => {}, say: () => {} }, 10)
  touch()
  await closed.promise
  expect(acts).toEqual(['built', 'forgot'])
  await stop()
  await stopBundler()
})

test('npm run dev restarts for files of its own process; pages, the stack and shared code are reloaded without', async () => {
  const needsRestart = await restartsFor()
  const own = ['bin/serve.ts', 'lib/shop/records.ts', 'lib/shop/pages/router.js', 'lib/stack/bundle.ts']
  expect([...own, 'lib/twin/lambda/worker.mjs'].filter(file => !needsRestart(file))).toEqual([])
  expect(['lib/shop/pages/index.html', 'lib/stack/alarms.ts'].filter(needsRestart)).toEqual([])
})
