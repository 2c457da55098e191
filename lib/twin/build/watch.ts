import { join } from 'node:path'
import { watch } from 'chokidar'
import type { Template } from '../template/template.ts'
import { type Build, bundleNames } from './build.ts'
import { describeFailure, warmUp } from './make.ts'
import { bundleQueue, secondsSince } from './queue.ts'
import { root, sourceFolders } from './sources.ts'

export type Listener = {
  bundleMade(name: string): void
  /** The template changed, and the bundles it names are there. */
  templateMade(template: Template): void
  say(line: string): void
  /** A build failed; the products before it continue to serve. */
  fail(message: string): void
}

export type SourceWatch = {
  /** Resolves when the bundle is made from the sources as they are known to be, or could not be. */
  prepare(bundle: string): Promise<void>
  close(): Promise<void>
}

// Several files saved at once shall be one change.
const settleMs = 15
const defaultRestMs = 2 * 60_000

/**
 * Follows the sources and builds what a change makes outdated: bundles at once, the template beside them. When nothing
 * has changed for `restMs` milliseconds, the bundler forgets what it has read.
 */
export const watchSources = async (build: Build, listener: Listener, restMs = defaultRestMs): Promise<SourceWatch> => {
  const { templateMade, say, fail } = listener
  const reported = new Set<string>()
  let applied = JSON.stringify(build.template())
  let changing = Promise.resolve()
  let templating: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let restTimer: NodeJS.Timeout | undefined

  const report = async (error: unknown): Promise<void> => {
    const message = await describeFailure(error)
    // One mistake may keep many bundles from being built.
    if (!reported.has(message)) fail(message)
    reported.add(message)
  }

  const makeBundle = (name: string, isInUse: boolean): Promise<void> =>
    isInUse ? build.remakeBundle(name) : build.makeBundles([name])
  const queue = bundleQueue({ ...listener, makeBundle, report })

  const applyTemplate = async (): Promise<void> => {
    const start = performance.now()
    if (build.outdated().template) await build.makeTemplate()
    const text = JSON.stringify(build.template())
    if (text === applied) return
    const names = bundleNames(build.template())
    queue.set(build.outdated().bundles)
    await Promise.all(names.filter(name => !build.hasBundle(name)).map(queue.wait))
    if (!names.every(build.hasBundle)) return
    templateMade(build.template())
    applied = text
    say(`took the changed template over in ${secondsSince(start)}`)
  }

  const change = (): void => {
    reported.clear()
    const { bundles, template } = build.outdated()
    queue.set(bundles)
    if (!template && JSON.stringify(build.template()) === applied) return
    templating = (templating ?? Promise.resolve()).then(applyTemplate).catch(report)
  }

  const forget = async (): Promise<void> => {
    await Promise.all([templating, queue.idle()])
    await build.close()
    await warmUp()
  }

  const watcher = watch(
    sourceFolders.map(folder => join(root, folder)),
    { ignoreInitial: true },
  )
  watcher.on('all', () => {
    clearTimeout(timer)
    clearTimeout(restTimer)
    timer = setTimeout(() => {
      changing = changing.then(change).catch(report)
      restTimer = setTimeout(() => {
        changing = changing.then(forget).catch(report)
      }, restMs).unref()
    }, settleMs)
  })
  await new Promise<void>(ready => watcher.once('ready', ready))
  // The bundler takes longer to start than to build; the first change shall not wait for that.
  warmUp().catch(report)
  return {
    prepare: queue.wait,
    close: async () => {
      clearTimeout(timer)
      clearTimeout(restTimer)
      await watcher.close()
      await Promise.all([changing, templating, queue.idle()])
    },
  }
}
