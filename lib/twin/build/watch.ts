import { join } from 'node:path'
import { watch } from 'chokidar'
import type { Template } from '../template/template.ts'
import type { Build } from './build.ts'
import type { Bundler } from './bundler.ts'
import { warmUp } from './make.ts'
import { secondsSince } from './queue.ts'
import { root, sourceFolders } from './sources.ts'

export type Listener = {
  templateMade(template: Template): void
  say(line: string): void
}

// Several files saved at once shall be one change.
const settleMs = 15
const defaultRestMs = 2 * 60_000

/**
 * Follows the sources: builds the bundles in use that a change makes outdated, and the template beside them. When nothing has
 * changed for `restMs` milliseconds, the build forgets what it has read. Returns how to stop.
 */
export const watchSources = async (
  build: Build,
  { refresh, report, idle }: Pick<Bundler, 'refresh' | 'report' | 'idle'>,
  { templateMade, say }: Listener,
  restMs = defaultRestMs,
): Promise<() => Promise<void>> => {
  let applied = JSON.stringify(build.template())
  let changing = Promise.resolve()
  let templating: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let restTimer: NodeJS.Timeout | undefined

  const applyTemplate = async (): Promise<void> => {
    const start = performance.now()
    if (build.outdated().template) await build.makeTemplate()
    const text = JSON.stringify(build.template())
    if (text === applied) return
    refresh()
    templateMade(build.template())
    applied = text
    say(`took the changed template over in ${secondsSince(start)}`)
  }

  const change = (): void => {
    refresh()
    if (!build.outdated().template && JSON.stringify(build.template()) === applied) return
    templating = (templating ?? Promise.resolve()).then(applyTemplate).catch(report)
  }

  const forget = async (): Promise<void> => {
    await Promise.all([templating, idle()])
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
  return async () => {
    clearTimeout(timer)
    clearTimeout(restTimer)
    await watcher.close()
    await Promise.all([changing, templating, idle()])
  }
}
