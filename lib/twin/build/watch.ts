import { join } from 'node:path'
import { watch } from 'chokidar'
import type { Template } from '../template/template.ts'
import { type Build, bundleNames } from './build.ts'
import { describeFailure } from './make.ts'
import { root, sourceFolders } from './sources.ts'

/** Who is told what a change led to. */
export type Listener = {
  /** A bundle was built anew. */
  bundleMade(name: string): void
  /** The template changed, and the bundles it names are there. */
  templateMade(template: Template): void
  /** A line for the person who changed something. */
  say(line: string): void
  /** Why something could not be built; what was built before goes on serving. */
  fail(message: string): void
}

export type SourceWatch = {
  /** Resolves when the bundle is made from the sources as they are known to be, or could not be. */
  prepare(bundle: string): Promise<void>
  close(): Promise<void>
}

// Several files saved at once shall be one change.
const settleMs = 15

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Builds bundles one after the other, those first that somebody waits for. */
const bundleQueue = (build: Build, { bundleMade, say }: Listener, report: (error: unknown) => Promise<void>) => {
  const jobs = new Map<string, PromiseWithResolvers<void>>()
  const wanted = new Set<string>()
  let current = ''
  let isOutdatedAgain = false
  let working: Promise<void> | undefined

  const finish = (name: string): void => {
    jobs.get(name)?.resolve()
    jobs.delete(name)
    wanted.delete(name)
  }

  const makeOne = async (name: string): Promise<boolean> => {
    try {
      await build.makeBundles([name])
      bundleMade(name)
      return true
    } catch (error) {
      await report(error)
      return false
    }
  }

  const work = async (): Promise<void> => {
    const start = performance.now()
    const made = new Set<string>()
    for (let [name] = [...wanted, ...jobs.keys()]; name; [name] = [...wanted, ...jobs.keys()]) {
      current = name
      isOutdatedAgain = false
      if (await makeOne(name)) made.add(name)
      current = ''
      if (!isOutdatedAgain) finish(name)
    }
    if (made.size > 0) say(`built ${made.size === 1 ? [...made] : `${made.size} functions`} in ${seconds(start)}`)
  }

  return {
    /** Takes over which bundles are outdated now. */
    set: (outdated: readonly string[]): void => {
      for (const name of jobs.keys()) if (name !== current && !outdated.includes(name)) finish(name)
      if (outdated.includes(current)) isOutdatedAgain = true
      for (const name of outdated) if (!jobs.has(name)) jobs.set(name, Promise.withResolvers())
      working ??= work().finally(() => {
        working = undefined
      })
    },
    wait: async (name: string): Promise<void> => {
      const job = jobs.get(name)
      if (!job) return
      wanted.add(name)
      await job.promise
    },
    idle: async () => working,
  }
}

/** Follows the sources and builds what a change makes outdated: bundles at once, the template beside them. */
export const watchSources = async (build: Build, listener: Listener): Promise<SourceWatch> => {
  const { templateMade, say, fail } = listener
  const reported = new Set<string>()
  let applied = JSON.stringify(build.template())
  let changing = Promise.resolve()
  let templating: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const report = async (error: unknown): Promise<void> => {
    const message = await describeFailure(error)
    // One mistake may keep many bundles from being built.
    if (!reported.has(message)) fail(message)
    reported.add(message)
  }

  const queue = bundleQueue(build, listener, report)

  const applyTemplate = async (): Promise<void> => {
    const start = performance.now()
    if ((await build.outdated()).template) await build.makeTemplate()
    const text = JSON.stringify(build.template())
    if (text === applied) return
    const names = bundleNames(build.template())
    queue.set((await build.outdated()).bundles)
    await Promise.all(names.filter(name => !build.hasBundle(name)).map(queue.wait))
    if (!names.every(build.hasBundle)) return
    templateMade(build.template())
    applied = text
    say(`took the changed template over in ${seconds(start)}`)
  }

  const change = async (): Promise<void> => {
    reported.clear()
    const { bundles, template } = await build.outdated()
    queue.set(bundles)
    if (!template && JSON.stringify(build.template()) === applied) return
    templating = (templating ?? Promise.resolve()).then(applyTemplate).catch(report)
  }

  const watcher = watch(
    sourceFolders.map(folder => join(root, folder)),
    { ignoreInitial: true },
  )
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      changing = changing.then(change).catch(report)
    }, settleMs)
  })
  await new Promise<void>(ready => watcher.once('ready', ready))
  return {
    prepare: queue.wait,
    close: async () => {
      clearTimeout(timer)
      await watcher.close()
      await Promise.all([changing, templating, queue.idle()])
    },
  }
}
