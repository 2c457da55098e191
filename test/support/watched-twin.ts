import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actAsOperator } from '../../lib/tool/connect.ts'
import { eventually } from './eventually.ts'
import { startTwinProcess, type TwinProcess, type TwinProcessOptions } from './running-twin.ts'
import { copySources } from './source-copy.ts'

// Two functions that tell which instance serves, with which text, and a file that both load.
export const changing = 'functions/unknown.ts'
export const steady = 'functions/wines/getFilters.ts'
export const common = 'shared/greeting.ts'

/** The source of such a function. */
export const handler = (text: string) => `import { setTimeout } from 'node:timers/promises'
  import { threadId } from 'node:worker_threads'
  import { greeting } from '${text.startsWith('steady') ? '../..' : '..'}/shared/greeting.ts'
  export const handler = async ({ rawPath }) => {
    if (rawPath === '/slow') {
      console.log('slowly at work')
      await setTimeout(2000)
    }
    return { statusCode: 200, body: JSON.stringify({ text: greeting + ' ${text}', threadId }) }
  }\n`

type Reply = { text: string; threadId: number }

/** A twin of a test file's own, which follows a copy of the sources. It ends with the file. */
export const watchedTwin = async () => {
  const sources = copySources()
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-watch-'))
  let twin: TwinProcess
  const start = async (more: TwinProcessOptions = {}) => {
    twin = await startTwinProcess(folder, { checkout: sources.folder, environment: { DEMO: 'no' }, ...more })
    actAsOperator(twin.connection)
  }
  sources.write(common, `export const greeting = 'hello'\n`)
  sources.write(changing, handler('one'))
  sources.write(steady, handler('steady'))
  await start({ flags: ['--watch'] })
  afterAll(async () => {
    await twin.stop('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const ask = async (path: string): Promise<Reply> => (await (await fetch(twin.connection.url + path)).json()) as Reply
  // A bundle is built when it is asked for.
  await ask('/service/addresses/get')
  const textOf = async (path: string) => (await ask(path)).text
  return {
    sources,
    folder,
    start,
    twin: () => twin,
    ask,
    textOf,
    untilText: (path: string, text: string) =>
      eventually(
        () => textOf(path),
        last => last === text,
      ),
    /** When each bundle was built last. */
    builtAt: (name: string): number => statSync(join(folder, 'build/bundles', name, 'index.mjs')).mtimeMs,
  }
}
