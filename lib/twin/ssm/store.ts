import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A version of a parameter; `modified` is in milliseconds. */
export type ParameterVersion = { version: number; value: string; modified: number }

export type Parameters = Record<string, ParameterVersion[]>

const maxVersions = 100

/** The parameters in a twin's folder: in clear, in a file that its owner alone may read. */
export const parameterStore = (folder: string) => {
  const file = join(folder, 'parameters.json')
  let last: Promise<unknown> = Promise.resolve()

  const all = async (): Promise<Parameters> => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}'
      throw error
    })
    try {
      return JSON.parse(text)
    } catch {
      // The parser's own message would repeat a part of the text.
      throw new Error(`${file} is no JSON`)
    }
  }

  const add = async (name: string, value: string): Promise<number> => {
    const parameters = await all()
    const before = parameters[name] ?? []
    const version = (before.at(-1)?.version ?? 0) + 1
    const versions = [...before, { version, value, modified: Date.now() }].slice(-maxVersions)
    // A twin that is killed leaves the one file or the other, whole.
    await writeFile(`${file}.new`, JSON.stringify({ ...parameters, [name]: versions }), { mode: 0o600 })
    await rename(`${file}.new`, file)
    return version
  }

  return {
    /** The versions of a parameter, the newest last; none when there is no such parameter. */
    versionsOf: async (name: string): Promise<ParameterVersion[]> => (await all())[name] ?? [],
    add: (name: string, value: string): Promise<number> => {
      const done = last.then(() => add(name, value))
      last = done.catch(() => {})
      return done
    },
  }
}
