import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from './child-environment.ts'
import { paypalEnvironment } from './paypal/environment.ts'

/** What a run of the merchant tool left: its exit code, and what it wrote to both outputs. */
export type Run = { code: number; out: string; errors: string }

/** Milliseconds that a test with processes of its own may take: each loads the whole tool. */
export const patience = 60_000

/** Runs the merchant tool as a person does, in a process of its own, on the twin of the tests. */
export const tool = (...args: string[]): Promise<Run> =>
  new Promise(done => {
    const words = ['bin/merchant.ts', ...args, '--data-dir', process.env.TEST_TWIN ?? '']
    const child = execFile(process.execPath, words, { env: childEnvironment(paypalEnvironment()) }, (_, out, errors) =>
      done({ code: child.exitCode ?? -1, out, errors }),
    )
  })

/** A folder of a test file's own; it goes when the tests are over. */
export const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weinkontor-files-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  let files = 0
  return {
    /** A path in the folder at which there is no file yet. */
    path: (ending: string) => join(folder, `${++files}.${ending}`),
    /** Writes lines to a new file and answers its path. */
    lines: async (...lines: string[]): Promise<string> => {
      const path = join(folder, `${++files}.csv`)
      await writeFile(path, `${lines.join('\r\n')}\r\n`)
      return path
    },
  }
}
