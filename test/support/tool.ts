import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool } from '../../lib/tool/run.ts'
import { childEnvironment } from './child-environment.ts'

/** A run of the operator tool: its exit code, and its text on stdout and stderr. */
export type Run = { code: number; out: string; errors: string }

/** Timeout in milliseconds of a test with processes of its own: each loads the whole tool, and the machine may be busy. */
export const patience = 240_000

const dataFolder = process.env.TEST_TWIN ?? ''

/** Runs the operator tool in a process of its own, with `input` on its stdin; by default on the tests' twin. */
export const toolProcess = (args: readonly string[], dataDir = dataFolder, input = ''): Promise<Run> =>
  new Promise(done => {
    const words = ['bin/merchant.ts', ...args, '--data-dir', dataDir]
    const child = execFile(process.execPath, words, { env: childEnvironment() }, (_, out, errors) =>
      done({ code: child.exitCode ?? -1, out, errors }),
    )
    child.stdin?.end(input)
  })

type Outputs = Record<'stdout' | 'stderr', string>
const outputs = new AsyncLocalStorage<Outputs>()

/** Captures the output of a run of the tool, which sees no terminal. */
const keepOutput = (name: 'stdout' | 'stderr'): void => {
  const stream = process[name]
  const { write, isTTY } = stream
  stream.write = ((...args: Parameters<typeof write>): boolean => {
    const run = outputs.getStore()
    if (!run) return write.apply(stream, args)
    run[name] += args[0]
    return true
  }) as typeof write
  Object.defineProperty(stream, 'isTTY', { configurable: true, get: () => !outputs.getStore() && isTTY })
  afterAll(() => {
    stream.write = write
    Object.defineProperty(stream, 'isTTY', { configurable: true, writable: true, value: isTTY })
  })
}
keepOutput('stdout')
keepOutput('stderr')

/** Runs the operator tool in this process on the twin of a folder; loading it as a process takes half a second. */
export const toolOn = (dataDir: string, args: readonly string[]): Promise<Run> =>
  outputs.run({ stdout: '', stderr: '' }, async () => {
    const code = await runTool([...args, '--data-dir', dataDir])
    const { stdout: out, stderr: errors } = outputs.getStore() as Outputs
    return { code, out, errors }
  })

/** The same on the twin that all tests share. */
export const tool = (...args: string[]): Promise<Run> => toolOn(dataFolder, args)

/** A folder of the test file's own, which is removed after its tests. */
export const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-files-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  let files = 0
  return {
    /** Returns a path in the folder at which there is no file yet. */
    path: (ending: string) => join(folder, `${++files}.${ending}`),
    /** Writes lines to a new file and returns its path. */
    lines: async (...lines: string[]): Promise<string> => {
      const path = join(folder, `${++files}.csv`)
      await writeFile(path, `${lines.join('\r\n')}\r\n`)
      return path
    },
  }
}
